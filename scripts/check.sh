#!/usr/bin/env bash
# Runs stages of the matrix, all of them when none is named, and stops at the first that
# fails. The order is by value: what finds most comes first. What runs otherwise each time
# is run by its name only, and so is debug, which would find nothing that asan (clang, assertions), gcc (optimised, assertions, frames
# that are used again) and parts (both with clang, the core) do not.
#   scripts/check.sh [STAGE...]
#   scripts/check.sh --list
#
# A stage is a preset, built and tested, or one of these:
#   format        the layout of the code
#   tidy          clang-tidy
#   browser       the programs' pages in Chromium
#   docs          the site: made, its links, search and accessibility, in Chromium too
#   fuzz          every fuzz target, for a while
#   etcd          three nodes of etcd and processes that use them, of which any are killed, stopped and cut off
#   shared        the library as a shared object, installed and used from outside
#   parts         each optional part left out; the core alone, with its tests
#   dependencies  newer libraries than Debian's: liburing, run with and compiled against, and hiredis
#   libcxx        library, tests and an installed program with libc++ instead of libstdc++
#   packages      every package, built and used: Debian's in clean roots, Conan, vcpkg, FetchContent; interfaces compared
#   course        the labs' references by both compilers, and each lab's typical mistakes
#   conformance   suites of other projects: h2spec, and Connect's for gRPC and gRPC-Web
#   modules       the named modules: libraries, examples and an installed program by import, with libstdc++ and libc++
#   worlds        tests of the release build as an ordinary user, without io_uring, on one CPU, and so on: a sample
#   shuffle       release once more, in random order
#   mutants       known bugs, planted one by one: the tests notice each; a sample, or MUTANTS=all
set -euo pipefail
cd "$(dirname "$0")/.."

stages=(release asan gcc tsan format tidy browser kernels mutants worlds fuzz etcd shared parts dependencies libcxx docs modules course conformance)
by_name_only=(debug shuffle packages)

jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
export CTEST_PARALLEL_LEVEL=${CTEST_PARALLEL_LEVEL:-$((2 * jobs))} # tests wait half of the time
fuzz_seconds=${FUZZ_SECONDS:-10} # for each target

symbolizer=/usr/lib/llvm-22/bin/llvm-symbolizer
if [[ -x $symbolizer ]]; then
    export ASAN_SYMBOLIZER_PATH=$symbolizer
    export TSAN_OPTIONS="external_symbolizer_path=$symbolizer ${TSAN_OPTIONS:-}"
fi
export UBSAN_OPTIONS="print_stacktrace=1 ${UBSAN_OPTIONS:-}"

# build_and_test PRESET FEATURES [OPTION OF CTEST...]: a test that lacks one of the features may be skipped, and no other.
build_and_test() {
    local preset=$1 features=$2
    shift 2
    cmake --preset "$preset"
    cmake --build --preset "$preset" -j "$jobs"
    run_tests "$preset" "$features" "$@"
}

# run_tests PRESET FEATURES [OPTION OF CTEST...]
run_tests() {
    local preset=$1 features=$2
    shift 2
    EDDY_MAY_SKIP="$features ${EDDY_MAY_SKIP:-}" scripts/run_tests.py "$preset" "$@"
}

# The release build once more, its tasks and completions in random order. EDDY_SHUFFLE=N repeats a run.
check_shuffled() {
    export EDDY_SHUFFLE=${EDDY_SHUFFLE:-$((1 + RANDOM * 32768 + RANDOM))}
    echo "shuffle: EDDY_SHUFFLE=$EDDY_SHUFFLE"
    build_and_test release order -LE 'tree|model'
}

# Tests of the release build in other worlds than a developer's machine, some in each. WORLDS=all runs all of them.
check_worlds() {
    cmake --preset release
    cmake --build --preset release -j "$jobs"
    scripts/worlds.py --preset release --jobs "$jobs"
}

check_tidy() {
    # Without precompiled headers, which only a build would make.
    cmake --preset debug -B build/tidy -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON
    # Sources of the library include headers that are generated.
    cmake --build build/tidy -j "$jobs" --target src/eddy_etcd_protobuf/eddy_etcd_{messages,services}.pb.h
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
    cmake --preset release
    cmake --build --preset release -j "$jobs" --target eddy-httpd eddy-load example_chat
    run_tests release '' -R '^browser\.'
}

# The site, examined by what needs no browser, and then in Chromium: from files, and served by eddy-httpd.
check_docs() {
    scripts/setup.sh --with-docs --with-browser
    scripts/docs/make.py build/docs --check
    cmake --preset release
    cmake --build --preset release -j "$jobs" --target eddy-httpd
    PROGRAMS=build/release/bin DOCS=build/docs PYTHONPATH=tests/apps:tests/browser PYTHONDONTWRITEBYTECODE=1 \
        /usr/bin/python3 tests/docs/browser_check.py
}

# Tests of the release build on kernels that our users have, as many as fit the time. KERNEL_MINUTES=all runs all of them.
check_kernels() {
    cmake --preset release
    cmake --build --preset release -j "$jobs"
    scripts/check_kernels.py
}

# Each target runs over its corpus and then for a while on inputs of its own making.
check_fuzz() {
    if [[ ! -e fuzz/CMakeLists.txt ]]; then
        echo "fuzz: no targets yet"
        return
    fi
    cmake --preset fuzz -DEDDY_FUZZ_SECONDS="$fuzz_seconds"
    cmake --build --preset fuzz -j "$jobs"
    run_tests fuzz ''
}

# Known bugs, planted one by one: the tests notice each. A sample that fits into MUTANT_MINUTES; MUTANTS=all runs all.
check_mutants() {
    cmake --preset release
    cmake --build --preset release -j "$jobs"
    scripts/mutants.py
}

# The library as a shared object, installed and used from outside.
check_shared() {
    cmake --preset shared
    cmake --build --preset shared -j "$jobs"
    run_tests shared ''
}

# Each optional part left out, which has to configure; all of them left out, which is built and tested. Redis without HTTP is
# the one part that shares something (TLS) with one that is left out, so it is built.
check_parts() {
    build_and_test core '' -LE 'tree|model'
    local part
    for part in HTTP HTTP2 RPC PROTOBUF ETCD CURL PQ REDIS; do
        cmake --preset debug -B "build/parts/$part" "-DEDDY_BUILD_$part=OFF"
    done
    cmake --build build/parts/HTTP -j "$jobs" --target eddy_redis
}

# What takes too long for each run of the tests: faults of a cluster again and again, and the whole of examples/cluster.
check_etcd() {
    cmake --preset release
    cmake --build --preset release -j "$jobs" --target test_etcd_cluster example_cluster_node
    ctest --preset release -R '^etcd_cluster[.]' --repeat until-fail:5 --output-on-failure -j 2
    local backend
    for backend in io_uring epoll; do
        EDDY_BACKEND=$backend examples/cluster/cluster.py build/release/examples/cluster/cluster_node --nodes 4
    done
}

# libc++ in place of libstdc++: all of the library, the tests of the modules that everything stands on, and programs
# against what is installed.
check_libcxx() {
    cmake --preset libcxx
    cmake --build --preset libcxx -j "$jobs" --target eddy_libraries \
        tests/core/all tests/runtime/all tests/sync/all tests/net/all
    ctest --preset libcxx -R '^(core|runtime|sync|net|install)\.'
}

# Cases that others have made, of HTTP/2 and of calls in both roles.
check_conformance() {
    cmake --preset release
    scripts/check_conformance.py --jobs "$jobs"
}

run_stage() {
    case $1 in
        release | debug) build_and_test "$1" '' ;;
        # What concerns the tree and not the build has been seen by then; so have the models, which only ThreadSanitizer
        # sees more in than the release build does.
        gcc) build_and_test gcc '' -LE 'tree|model' ;;
        asan) build_and_test "$1" sanitizer -LE 'tree|model' ;;
        tsan) build_and_test "$1" sanitizer -LE tree ;;
        format) scripts/format.sh ;;
        shuffle) (check_shuffled) ;;
        worlds) check_worlds ;;
        tidy) check_tidy ;;
        browser) check_browser ;;
        docs) check_docs ;;
        kernels) check_kernels ;;
        fuzz) check_fuzz ;;
        mutants) check_mutants ;;
        shared) check_shared ;;
        etcd) check_etcd ;;
        parts) check_parts ;;
        dependencies) scripts/dependencies/check.sh ;;
        libcxx) check_libcxx ;;
        packages) packaging/check.py ;;
        course) scripts/lab.py --check ;;
        conformance) check_conformance ;;
        modules) scripts/modules/check.sh ;;
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
