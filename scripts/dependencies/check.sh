#!/usr/bin/env bash
# Tests the library with newer libraries than Debian's (docs/guide/requirements.md). The newest liburing in two ways:
# compiled against the installed one's headers and run with the newest one's library, as after an update of a system (the
# soname is the same), and compiled against the newest; its source comes with a crate, through cargo. That build has a newer
# hiredis, too.
set -euo pipefail
cd "$(dirname "$0")/../.."

jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
work=$PWD/build/dependencies
root=$work/liburing

fail() {
    echo "dependencies: $*" >&2
    exit 1
}

# Prints the directory of the newest source.
fetch() {
    command -v cargo >/dev/null || fail "cargo is needed: the source of the newest liburing is a crate"
    mkdir -p "$work/fetch"
    cat >"$work/fetch/Cargo.toml" <<'manifest'
[package]
name = "fetch"
version = "0.0.0"
edition = "2021"
[lib]
path = "lib.rs"
[dependencies]
axboe-liburing = "2"
[workspace]
manifest
    : >"$work/fetch/lib.rs"
    # Without the lock of an earlier run it is the newest.
    rm -f "$work/fetch/Cargo.lock"
    (cd "$work/fetch" && cargo fetch --quiet && cargo metadata --format-version 1 --offline) >"$work/metadata.json" ||
        fail "cargo cannot fetch the crate axboe-liburing, the source of the newest liburing"
    python3 -c 'import json, os, sys
crates = json.load(open(sys.argv[1]))["packages"]
print(*(os.path.dirname(each["manifest_path"]) for each in crates if each["name"] == "axboe-liburing"))' \
        "$work/metadata.json"
}

# Installs it below build/, once for each version.
install_newest() {
    local from
    from=$(fetch)
    local version=${from##*-}
    if [[ ! -e $root/installed-$version ]]; then
        rm -rf "$work/source" "$root"
        cp -r "$from" "$work/source"
        (
            cd "$work/source"
            chmod +x configure
            # The crate has no manual pages, which make wants to install.
            mkdir -p man && touch man/none.{2,3,7}
            ./configure --prefix="$root" --libdir="$root/lib" --libdevdir="$root/lib"
            make -C src -j "$jobs"
            make install
        ) >"$work/log" 2>&1 || fail "it does not build or install; see $work/log"
        touch "$root/installed-$version"
    fi
    echo "dependencies: liburing $version beside $(pkg-config --modversion liburing)"
}

tested='^(core|backend|runtime|net|io_scenarios)\.'
# Those of fs, os and dropping are run by backend.without, too.
targets=(tests/{core,backend,runtime,net,io_scenarios,fs,os,dropping}/all)

# The tests of a build directory with the newest liburing, and those of another pattern.
run_tests() {
    local build=$1 more=${2:-} used
    used=$(LD_LIBRARY_PATH=$root/lib ldd "$build/tests/test_backend" | grep liburing)
    [[ $used == *"$root/lib/"* ]] || fail "the tests would run with another library: $used"
    LD_LIBRARY_PATH=$root/lib ctest --test-dir "$build" -R "$tested$more" -j "$jobs" --output-on-failure --no-tests=error
}

install_newest
scripts/dependencies/hiredis.sh "$work/hiredis"

echo "dependencies: compiled against the installed liburing, run with the newest"
cmake --preset release
cmake --build --preset release -j "$jobs" --target "${targets[@]}"
run_tests build/release

echo "dependencies: compiled against the newest"
PKG_CONFIG_PATH=$root/lib/pkgconfig:$work/hiredis/lib/pkgconfig cmake --preset release -B "$work/release" \
    -D EDDY_BUILD_HTTP=OFF -D EDDY_BUILD_CURL=OFF -D EDDY_BUILD_PQ=OFF -D EDDY_BUILD_EXAMPLES=OFF
for library in "$root" "$work/hiredis"; do
    grep -q "$library" "$work/release/CMakeCache.txt" || fail "CMake has not found $library"
done
cmake --build "$work/release" -j "$jobs" --target "${targets[@]}" tests/integrations_redis/all
run_tests "$work/release" '|^integrations_redis\.'
