# A thin layer over CMakePresets.json, whose presets work on their own:
#   cmake --workflow --preset release

PORT ?= 8080
ROOT ?= site
JOBS ?= $(shell nproc)
SUITE ?=
BENCH ?= --scenario echo,http_small,http_file --json build/bench/results.json
PIPELINE ?= --seconds 5
BENCH_DISPATCH ?= --json build/bench/dispatch.json
BENCH_SYNC ?= --json build/bench/sync.json
BENCH_TIMERS ?= --json build/bench/timers.json
BENCH_FILES ?= --json build/bench/files.json
BENCH_SOCKETS ?= --json build/bench/sockets.json
BENCH_TASKS ?= --json build/bench/tasks.json
BENCH_PQ ?= --json build/bench/pq.json
BENCH_TOOLS ?= --json build/bench/tools.json
BENCH_LTO ?= --json build/bench/lto.json

export CMAKE_BUILD_PARALLEL_LEVEL ?= $(JOBS)
export CTEST_PARALLEL_LEVEL ?= $(JOBS)

httpd = build/release/bin/eddy-httpd
httpd_options = --port $(PORT) --root $(ROOT) --live /_eddy \
	$(if $(WORKERS),--workers $(WORKERS)) $(if $(BACKEND),--backend $(BACKEND))

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup build run demo-pipeline demo-todo test check bench bench-quick bench-servers bench-tools bench-micro bench-lto bench-dispatch bench-sync bench-timers \
	bench-files bench-sockets bench-tasks bench-pq profile format clean

help:
	@echo 'make setup    install the Debian packages that are missing'
	@echo 'make build    build everything, Release with clang 22, into build/release/'
	@echo 'make run      serve ROOT=site on 127.0.0.1, PORT=8080; also WORKERS= and BACKEND='
	@echo 'make demo-pipeline  what waiting in a pool of threads costs, measured and drawn, in half a'
	@echo '              minute; PIPELINE=--help tells its options'
	@echo 'make demo-todo  a list for several people, with its own PostgreSQL and Redis, on PORT=8080; DIRECTORY='
	@echo '              keeps what it has, LIST= more options'
	@echo 'make test     build and run the tests'
	@echo 'make check    the matrix: both compilers, sanitizers, fuzzing, planted bugs, tidy, format;'
	@echo '              STAGES="asan tsan" runs only these'
	@echo 'make bench    build and run all benchmarks against their peers, in an hour; the report and its pictures are'
	@echo '              build/bench/report/full/benchmarks.md, its summary docs/benchmarks.md; goes on where it was'
	@echo '              interrupted; SUITE=--list tells the plan, =--fresh measures anew, =--help tells the rest'
	@echo 'make bench-quick  the same in ten minutes, with shorter windows and fewer configurations; the report is'
	@echo '              build/bench/report/quick/benchmarks.md'
	@echo 'make bench-servers  servers against each other; BENCH="--scenario http_tls" are the options of'
	@echo '              eddy-bench, BENCH=--list tells scenarios and peers, =--help the rest'
	@echo 'make bench-tools  eddy-httpd and nginx, asked by hey and ab; BENCH_TOOLS="--seconds 2" are the options of'
	@echo '              bench/tools/run.py'
	@echo 'make bench-lto  steps with link-time optimisation and without; BENCH_LTO= likewise'
	@echo 'make bench-micro  what single steps cost, in nanoseconds, with both compilers'
	@echo 'make bench-dispatch  functions and tasks handed to threads, against Boost.Asio;'
	@echo '              BENCH_DISPATCH="--contest single" are options, =--help tells them'
	@echo 'make bench-sync  events, locks and channels, against the standard library; BENCH_SYNC= likewise'
	@echo 'make bench-timers  timers set, cancelled and fired, against Boost.Asio; BENCH_TIMERS= likewise'
	@echo 'make bench-files  reads of files against liburing, walks of trees against find; BENCH_FILES= likewise'
	@echo 'make bench-sockets  sockets and pipes within one thread, against Boost.Asio and bare system'
	@echo '              calls; BENCH_SOCKETS= likewise'
	@echo 'make bench-tasks  tasks that run tasks, alone and over sockets, against Boost.Asio, Tokio and Go;'
	@echo '              BENCH_TASKS= likewise'
	@echo 'make bench-pq  queries to a PostgreSQL server of its own, against blocking libpq; BENCH_PQ= likewise'
	@echo 'make profile SCENARIO=http_small  where the time of a scenario of eddy-bench goes: a table and a flame'
	@echo '              graph in build/profile/; PEER=eddy whose server, PROFILE=--help more options'
	@echo 'make format   lay out the code'
	@echo 'make clean    remove build/ and the generated file of the site'

setup:
	@scripts/setup.sh

build/release/build.ninja: CMakePresets.json | setup
	cmake --preset release

build: build/release/build.ninja
	cmake --build --preset release

run: build/release/build.ninja site/files/10MiB.bin
	cmake --build --preset release --target eddy-httpd
	@echo 'Serving $(ROOT)/ on http://127.0.0.1:$(PORT)/ (Ctrl-C stops it)'
	@exec $(httpd) $(httpd_options)

demo-pipeline: build/release/build.ninja
	cmake --build --preset release --target eddy-pipeline
	@apps/pipeline/demo.py build/release/bin --out build/pipeline $(PIPELINE)

demo-todo: build/release/build.ninja
	cmake --build --preset release --target example_todo
	@echo 'Starting a list on http://127.0.0.1:$(PORT)/ (Ctrl-C stops it and its servers)'
	@exec build/release/examples/todo/todo --port $(PORT) --start-servers $(if $(DIRECTORY),--directory '$(DIRECTORY)') $(LIST)

test: build site/files/10MiB.bin
	@scripts/run_tests.py release

check: setup
	@scripts/setup.sh --with-check
	@scripts/check.sh $(STAGES)

# The whole suite; its profile, and where a summary of the report goes.
define bench_suite
@scripts/setup.sh --with-bench
cmake --preset bench
cmake --build --preset bench
$(build_lto)
bench/suite/run.py build/bench --profile $(1) --out build/bench/report/$(1)/benchmarks.md $(2) $(SUITE)
endef

bench: setup
	$(call bench_suite,full,--summary docs/benchmarks.md)

bench-quick: setup
	$(call bench_suite,quick)

bench-servers: setup
	@scripts/setup.sh --with-bench
	cmake --preset bench
	cmake --build --preset bench
	build/bench/bin/eddy-bench $(BENCH)

bench-tools: setup
	@scripts/setup.sh --with-bench
	cmake --preset bench
	cmake --build --preset bench --target eddy-httpd
	bench/tools/run.py build/bench/bin/eddy-httpd $(BENCH_TOOLS)

# eddy-micro with link-time optimisation, which make bench compares with that of the build without.
define build_lto
cmake --preset bench-lto
cmake --build --preset bench-lto
endef

bench-lto: setup
	@scripts/setup.sh --with-bench
	cmake --preset bench
	cmake --build --preset bench --target eddy-micro
	$(build_lto)
	bench/lto/run.py build/bench/bin/eddy-micro $(BENCH_LTO)

bench-micro: setup
	@scripts/setup.sh --with-bench
	cmake --preset bench
	cmake --build --preset bench --target eddy-micro --target eddy-check-frames
	cmake --preset bench-gcc
	cmake --build --preset bench-gcc --target eddy-micro
	bench/micro/compare.py clang=build/bench/bin/eddy-micro g++=build/bench-gcc/bin/eddy-micro
	build/bench/bin/eddy-check-frames

# A program of contests, eddy-bench-NAME; the options are those in BENCH_NAME.
define bench_contests
@scripts/setup.sh --with-bench
cmake --preset bench
cmake --build --preset bench --target eddy-$@
build/bench/bin/eddy-$@ $(1)
endef

bench-dispatch: setup
	$(call bench_contests,$(BENCH_DISPATCH))

bench-sync: setup
	$(call bench_contests,$(BENCH_SYNC))

bench-timers: setup
	$(call bench_contests,$(BENCH_TIMERS))

bench-files: setup
	$(call bench_contests,$(BENCH_FILES))

bench-sockets: setup
	$(call bench_contests,$(BENCH_SOCKETS))

bench-tasks: setup
	@scripts/setup.sh --with-bench
	cmake --preset bench
	cmake --build --preset bench
	build/bench/bin/eddy-bench-tasks $(BENCH_TASKS)

bench-pq: setup
	@scripts/setup.sh --with-bench
	cmake --preset bench
	cmake --build --preset bench --target eddy-bench-pq
	bench/pq/run.sh build/bench/bin/eddy-bench-pq $(BENCH_PQ)

profile: setup
	@scripts/setup.sh --with-bench
	cmake --preset profile
	cmake --build --preset profile
	bench/profile/profile.py build/profile/bin $(if $(SCENARIO),--scenario $(SCENARIO)) $(if $(PEER),--peer $(PEER)) $(PROFILE)

format:
	@scripts/setup.sh --with-check
	@scripts/format.sh --write

site/files/10MiB.bin: scripts/make_big_file.sh
	@scripts/make_big_file.sh $@

clean:
	rm -rf build site/files/10MiB.bin
