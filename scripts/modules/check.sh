#!/usr/bin/env bash
# The named modules: with libstdc++, and with libc++ and its module std. Builds them and every example by import, runs the
# examples that say what they print, installs, and builds and runs a program against what is installed. CMake comes from
# PyPI, since Debian's (3.25) is older than its support of modules. Ends with what importing costs.
set -euo pipefail
cd "$(dirname "$0")/../.."

jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
tools=$PWD/build/tools/cmake

fail() {
    echo "modules: $*" >&2
    exit 1
}

if [[ ! -x $tools/bin/cmake ]]; then
    python3 -m venv "$tools" || fail "python3 makes no virtual environment; on Debian it needs python3-venv"
    "$tools/bin/pip" -q install 'cmake>=3.28,<5' || fail "pip installs no CMake"
fi
cmake=$tools/bin/cmake

# What the headers declare by the compiler's own account, which the check of the tree reads without one.
scripts/modules/check_names.py

# check PRESET [FLAG OF THE CONSUMER...]
check() {
    local preset=$1
    local build=$PWD/build/$preset
    shift
    "$cmake" --preset "$preset"
    "$cmake" --build --preset "$preset" -j "$jobs"
    local example
    for example in examples/*.cpp; do
        local program=$build/examples_by_import/$(basename "$example" .cpp)
        if grep -q '^//.*It prints:$' "$example" && [[ -x $program ]]; then
            python3 tests/examples/check_output.py "$program" "$example"
        fi
    done
    rm -rf "$build/prefix" "$build/consumer"
    "$cmake" --install "$build" --prefix "$build/prefix" >"$build/install.log"
    "$cmake" -G Ninja -S tests/install/modules -B "$build/consumer" -DCMAKE_PREFIX_PATH="$build/prefix" \
        -DCMAKE_CXX_COMPILER=clang++-22 -DCMAKE_BUILD_TYPE=Debug "$@"
    "$cmake" --build "$build/consumer" -j "$jobs"
    "$build/consumer/consumer"
}
check modules
check modules-libcxx -DCMAKE_CXX_FLAGS=-stdlib=libc++ -DCMAKE_EXE_LINKER_FLAGS=-static-libstdc++

bench/build_cost/by_import.py
