#!/usr/bin/env bash
# Installs the Debian packages that eddy needs and that are missing. Costs no time and
# needs no rights when nothing is missing.
#
#   scripts/setup.sh [--with-check] [--with-bench] [--list]
set -euo pipefail

# group  package            what for
packages='
build    clang-22           the compiler of the release build
build    lld-22             its linker
build    cmake              configures, installs, runs the tests
build    ninja-build        builds
build    pkg-config         finds liburing
build    g++-12             the second compiler, and the standard library of both
build    liburing-dev       the kernel interface
build    libcli11-dev       command lines of the programs
build    libfmt-dev         output of the programs
build    libgtest-dev       tests
build    libseccomp-dev     tests: a kernel that forbids io_uring
build    curl               tests: a client that is not ours
build    python3            tests: the rules of the tree
check    clang-format-22    layout of the code
check    clang-tidy-22      static analysis
check    libclang-rt-22-dev sanitizers and libFuzzer
check    llvm-22            readable stack traces in sanitizer reports
bench    libboost1.81-dev   peers: Asio and Beast
bench    libbenchmark-dev   micro-benchmarks
bench    nlohmann-json3-dev results as JSON
bench    nginx-light        peer: a web server
bench    wrk                load
bench    apache2-utils      load: ab
bench    hey                load
'

fail() {
    echo "setup: $*" >&2
    exit 1
}

groups='build'
list_only=''
for argument in "$@"; do
    case $argument in
        --with-check) groups+=' check' ;;
        --with-bench) groups+=' bench' ;;
        --list) list_only=yes ;;
        *) fail "unknown argument '$argument'; use [--with-check] [--with-bench] [--list]" ;;
    esac
done

wanted=()
while read -r group package _; do
    [[ -n $group && " $groups " == *" $group "* ]] && wanted+=("$package")
done <<<"$packages"

if [[ -n $list_only ]]; then
    printf '%s\n' "${wanted[@]}"
    exit 0
fi

command -v dpkg-query >/dev/null ||
    fail "this is not a Debian system; install these by your own means: ${wanted[*]}"

# Of the packages named, those that are not installed.
not_installed() {
    local status package
    local -A installed=()
    while read -r status package; do
        [[ $status == ii ]] && installed[$package]=yes
    done < <(dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n' "$@" 2>/dev/null)
    for package in "$@"; do
        [[ -n ${installed[$package]:-} ]] || echo "$package"
    done
}

mapfile -t missing < <(not_installed "${wanted[@]}")
[[ ${#missing[@]} -gt 0 ]] || exit 0

as_root=()
if [[ $(id -u) -ne 0 ]]; then
    command -v sudo >/dev/null ||
        fail "needs root or sudo to install: ${missing[*]}"
    as_root=(sudo)
fi

# Installing nginx must not start a server that nobody asked for. Debian asks
# policy-rc.d before it starts a service; 101 is its word for no.
policy=/usr/sbin/policy-rc.d
keep_nginx_stopped=''
if [[ " ${missing[*]} " == *' nginx-light '* && -n $(not_installed nginx-common) ]]; then
    keep_nginx_stopped=yes
    if [[ ! -e $policy ]]; then
        trap '"${as_root[@]}" rm -f "$policy"' EXIT
        printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
        "${as_root[@]}" chmod 755 "$policy"
    fi
fi

apt_get() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -q -y -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 "$@" </dev/null
}

echo "setup: installing ${missing[*]}"
apt_get update || fail "apt-get update failed; see above"
apt_get install --no-install-recommends "${missing[@]}" ||
    fail "apt-get install failed; Debian 12 with its security updates has every package above"

if [[ -n $keep_nginx_stopped && -d /run/systemd/system ]]; then
    "${as_root[@]}" systemctl disable --now nginx >/dev/null 2>&1 || true
fi
