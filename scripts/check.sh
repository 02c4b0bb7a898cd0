#!/usr/bin/env bash
# Runs stages of the matrix, all of them when none is named, and stops at the first that
# fails. The order is by value: what finds most comes first. What runs otherwise each time
# is run by its name only.
#   scripts/check.sh [STAGE...]
#   scripts/check.sh --list
set -euo pipefail
cd "$(dirname "$0")/.."

stages=(release asan gcc-debug tsan format tidy browser gcc-release fuzz shared debug)
by_name_only=(shuffle)

jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
fuzz_seconds=${FUZZ_SECONDS:-10} # for each target

symbolizer=/usr/lib/llvm-22/bin/llvm-symbolizer
if [[ -x $symbolizer ]]; then
    export ASAN_SYMBOLIZER_PATH=$symbolizer
    export TSAN_OPTIONS="external_symbolizer_path=$symbolizer ${TSAN_OPTIONS:-}"
fi
export UBSAN_OPTIONS="print_stacktrace=1 ${UBSAN_OPTIONS:-}"

build_and_test() {
    cmake --preset "$1"
    cmake --build --preset "$1" -j "$jobs"
    ctest --preset "$1" -j "$jobs"
}

# The release build once more, its tasks and completions in random order. EDDY_SHUFFLE=N repeats a run.
check_shuffled() {
    export EDDY_SHUFFLE=${EDDY_SHUFFLE:-$((1 + RANDOM * 32768 + RANDOM))}
    echo "shuffle: EDDY_SHUFFLE=$EDDY_SHUFFLE"
    build_and_test release
}

check_tidy() {
    # Without precompiled headers, which only a build would make.
    cmake --preset debug -B build/tidy -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON
    local sources
    mapfile -t sources < <(git ls-files --cached --others --exclude-standard -- 'src/*.cpp' 'apps/*.cpp')
    if [[ ${#sources[@]} -eq 0 ]]; then
        echo "tidy: no sources yet"
        return
    fi
    local log=build/tidy/tidy.log
    if ! run-clang-tidy-22 -quiet -p build/tidy -j "$jobs" "${sources[@]/#/^$PWD/}" >"$log" 2>&1; then
        grep -E '(warning|error): ' "$log" | sort -u >&2 || cat "$log" >&2
        echo "tidy: the whole report is in $log" >&2
        return 1
    fi
    echo "tidy: ${#sources[@]} sources are clean"
}

# The programs' pages in Chromium.
check_browser() {
    if ! command -v chromium >/dev/null; then
        echo "browser: chromium is not installed, so pages are not tested (scripts/setup.sh --with-browser)"
        return
    fi
    cmake --preset release
    cmake --build --preset release -j "$jobs" --target eddy-httpd eddy-load example_chat
    ctest --preset release -R '^browser\.'
}

# Each target runs over its corpus and then for a while on inputs of its own making.
check_fuzz() {
    if [[ ! -e fuzz/CMakeLists.txt ]]; then
        echo "fuzz: no targets yet"
        return
    fi
    cmake --preset fuzz -DEDDY_FUZZ_SECONDS="$fuzz_seconds"
    cmake --build --preset fuzz -j "$jobs"
    ctest --preset fuzz -j "$jobs"
}

# The library as a shared object, installed and used from outside.
check_shared() {
    cmake --preset shared
    cmake --build --preset shared -j "$jobs"
    ctest --preset shared
}

run_stage() {
    case $1 in
        release | debug | gcc-release | gcc-debug | asan | tsan) build_and_test "$1" ;;
        format) scripts/format.sh ;;
        shuffle) (check_shuffled) ;;
        tidy) check_tidy ;;
        browser) check_browser ;;
        fuzz) check_fuzz ;;
        shared) check_shared ;;
        *)
            echo "check: unknown stage '$1'; there are: ${stages[*]} ${by_name_only[*]}" >&2
            return 2
            ;;
    esac
}

if [[ ${1:-} == --list ]]; then
    printf '%s\n' "${stages[@]}"
    exit 0
fi
[[ $# -gt 0 ]] || set -- "${stages[@]}"
for stage in "$@"; do
    echo "== $stage"
    started=$SECONDS
    run_stage "$stage"
    echo "== $stage: passed in $((SECONDS - started)) s"
done
