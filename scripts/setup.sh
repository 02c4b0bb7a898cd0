#!/usr/bin/env bash
# Installs the Debian packages that eddy needs and that are missing. Costs no time and
# needs no rights when nothing is missing.
#
#   scripts/setup.sh [--with-check] [--with-bench] [--with-browser] [--with-docs] [--list]
set -euo pipefail

# The benchmark's peers in Rust and in Go are built where there is a cargo of 1.88 or a go of 1.24 or later, and left out
# elsewhere; Debian 12's are older, so they are not asked for here.
#
# group  package            what for
read -r -d '' packages <<'END' || true
build    clang-22           the compiler of the release build
build    lld-22             its linker
build    cmake              configures, installs, runs the tests
build    ninja-build        builds
build    pkg-config         finds liburing
build    g++-12             the second compiler, and the standard library of both
build    liburing-dev       the kernel interface
build    libssl-dev         TLS
build    zlib1g-dev         compression: gzip
build    libbrotli-dev      compression: brotli
build    libnghttp2-dev     HTTP/2: frames and header compression
build    libcli11-dev       command lines of the programs
build    libfmt-dev         output of the programs
build    nlohmann-json3-dev service configs of gRPC; JSON of handlers and programs
build    libtomlplusplus-dev configuration of eddy-httpd
build    libcurl4-openssl-dev the curl integration
build    libpq-dev          the PostgreSQL integration
build    libhiredis-dev     the Redis integration
build    libsqlite3-dev     the example todo
build    libgtest-dev       tests
build    libseccomp-dev     tests: a kernel that forbids io_uring
build    curl               tests: a client that is not ours
build    nghttp2-client     tests: HTTP/2 that is not ours
build    nghttp2-server     tests: the same
build    h2o                tests: the same
build    python3-h2         tests: the same
build    python3-httpx      tests: the same
build    protobuf-compiler  code for messages of protobuf
build    libprotobuf-dev    messages of protobuf
build    libprotoc-dev      the plugin of protobuf's compiler
build    libgrpc++-dev      tests: gRPC that is not ours
build    protobuf-compiler-grpc tests: the same
build    python3-grpcio     tests: the same
build    python3-protobuf   tests: the same
build    openssl            tests: certificates, and TLS that is not ours
build    nginx-light        tests: a server that is not ours
build    lighttpd           tests: logins by digest that are not ours
build    tinyproxy-bin      tests: an HTTP proxy that is not ours
build    microsocks         tests: a SOCKS proxy that is not ours
build    postgresql-15      tests: the database itself
build    redis-server       tests: the server itself
build    etcd-server        tests: the server itself
build    memcached          tests: a server that is not ours
build    libmemcached-tools tests: memccapable, a client that is not ours
build    python3-pymemcache tests: a client that is not ours
build    python3-pylibmc    tests: a client that is not ours
build    systemd            tests: how services are confined
build    valgrind           tests: what hot paths cost
build    nodejs             tests: a server that is not ours
build    python3            tests: the rules of the tree
build    python3-h11        tests: a parser that is not ours
build    python3-websockets tests: WebSocket that is not ours
check    clang-format-22    layout of the code
check    clang-tidy-22      static analysis
check    libclang-rt-22-dev sanitizers and libFuzzer
check    llvm-22            readable stack traces in sanitizer reports
check    libc++-22-dev      the other standard library
check    libc++abi-22-dev   the same
check    googletest         tests with it: the sources of GoogleTest
check    python3-pip        newer versions of libraries
check    python3-venv       a newer CMake
check    qemu-system-x86    tests on other kernels: a machine
check    busybox-static     tests on other kernels: what starts it
check    e2fsprogs          tests on other kernels: its disk
bench    libboost1.81-dev   peers: Asio and Beast
bench    libuv1-dev         peers: libuv
bench    libbenchmark-dev   micro-benchmarks
bench    llvm-22            link-time optimisation: its archiver
bench    wrk                load
bench    apache2-utils      load: ab
bench    hey                load
bench    python3-matplotlib pictures of the report
bench    python3-munkres    enough for python3-fonttools, instead of SciPy, which would bring another Boost
bench    linux-perf         counts of system calls, profiles
bench    binutils           profiles: places in the source
browser  chromium           tests: pages as a browser shows them
docs     python3-clang-22   the site: declarations of the headers
docs     python3-markdown-it the site: documents
docs     python3-pygments   the site: colours of code
docs     nodejs             the site: its search is tried
END

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
        --with-browser) groups+=' browser' ;;
        --with-docs) groups+=' docs' ;;
        --list) list_only=yes ;;
        *) fail "unknown argument '$argument'; use [--with-check] [--with-bench] [--with-browser] [--with-docs] [--list]" ;;
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

# Installing a server must not start one that nobody asked for. Debian asks policy-rc.d before it starts a service;
# 101 is its word for no.
services=''
for server in nginx-light:nginx lighttpd:lighttpd postgresql-15:postgresql redis-server:redis-server etcd-server:etcd memcached:memcached; do
    [[ " ${missing[*]} " == *" ${server%:*} "* ]] && services+=" ${server#*:}"
done
[[ -n $(not_installed nginx-common) ]] || services=${services/ nginx/}
policy=/usr/sbin/policy-rc.d
if [[ -n $services && ! -e $policy ]]; then
    trap '"${as_root[@]}" rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
    "${as_root[@]}" chmod 755 "$policy"
fi

apt_get() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -q -y -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 "$@" </dev/null
}

echo "setup: installing ${missing[*]}"
apt_get update || fail "apt-get update failed; see above"
# What is there stays: nothing is removed for the sake of what is missing.
apt_get install --no-install-recommends --no-remove "${missing[@]}" ||
    fail "apt-get install failed; Debian 12 with its security updates has every package above"

if [[ -n $services && -d /run/systemd/system ]]; then
    for service in $services; do
        "${as_root[@]}" systemctl disable --now "$service" >/dev/null 2>&1 || true
    done
fi
