# A thin layer over CMakePresets.json, whose presets work on their own:
#   cmake --workflow --preset release

PORT ?= 8080
ROOT ?= site
JOBS ?= $(shell nproc)
SUITE ?=
BENCH ?=
PIPELINE ?= --seconds 5

export CMAKE_BUILD_PARALLEL_LEVEL ?= $(JOBS)
# Tests wait half of the time.
export CTEST_PARALLEL_LEVEL ?= $(shell expr 2 \* $(JOBS))

httpd = build/release/bin/eddy-httpd
httpd_options = --port $(PORT) --root $(ROOT) --live /_eddy \
	$(if $(WORKERS),--workers $(WORKERS)) $(if $(BACKEND),--backend $(BACKEND))

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup build run docs docs-run demo-pipeline demo-todo test check bench bench-quick bench-servers bench-tools bench-micro bench-lto bench-dispatch bench-sync bench-timers \
	bench-files bench-sockets bench-tasks bench-pq profile lab format clean

help:
	@echo 'make setup    install the Debian packages that are missing'
	@echo 'make build    build everything, Release with clang 22, into build/release/'
	@echo 'make run      serve ROOT=site on 127.0.0.1, PORT=8080; also WORKERS= and BACKEND='
	@echo 'make docs     make the site, reference and guides, in build/docs/; opened there, or served by'
	@echo 'make docs-run on 127.0.0.1, PORT=8080, by eddy-httpd'
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
	@echo 'make bench-quick  the same in ten minutes, with shorter windows and fewer benchmarks; the report is'
	@echo '              build/bench/report/quick/benchmarks.md'
	@echo 'make bench-AREA  one area of them, printed as tables; BENCH= are options of bench/suite/run.py, like'
	@echo '              BENCH="--only http_tls --subject nginx_ofc,eddy --rounds 9", =--list and =--help. Areas:'
	@echo '              servers (beside other servers), dispatch (functions and tasks handed to threads), sync (events,'
	@echo '              locks, channels), timers, files, sockets, tasks, pq (PostgreSQL), tools (by hey and ab), lto (steps'
	@echo '              with link-time optimisation and without), micro (steps, by both compilers)'
	@echo 'make profile SCENARIO=http_small  where the time of a scenario of bench-servers goes: a table and a flame'
	@echo '              graph in build/profile/; PEER=eddy whose server, PROFILE=--help more options'
	@echo 'make lab N=1  a lab of the course in course/: builds, tests, prints a score card; WATCH=1 repeats when files change,'
	@echo '              FROM=reference takes earlier labs from the reference'
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

docs:
	@scripts/setup.sh --with-docs
	@scripts/docs/make.py build/docs

docs-run: docs build/release/build.ninja
	cmake --build --preset release --target eddy-httpd
	@echo 'Serving build/docs/ on http://127.0.0.1:$(PORT)/ (Ctrl-C stops it)'
	@exec build/release/bin/eddy-httpd --port $(PORT) --root build/docs --compress

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

# One area: a regular expression of its benchmarks' names, and what to build.
define bench_area
@scripts/setup.sh --with-bench
cmake --preset bench
cmake --build --preset bench $(2)
bench/suite/run.py build/bench --only '$(1)' $(BENCH)
endef

bench-servers: setup
	$(call bench_area,^eddy-bench:)

# Some of their subjects are programs of their own.
bench-tasks: setup
	$(call bench_area,^eddy-bench-tasks:)

bench-dispatch bench-sync bench-timers bench-files bench-sockets bench-pq: setup
	$(call bench_area,^eddy-$@:,--target eddy-$@)

bench-tools: setup
	$(call bench_area,^eddy-bench-tools:,--target eddy-httpd eddy-bench-http-eddy)

# eddy-micro with link-time optimisation, which make bench compares with that of the build without.
define build_lto
cmake --preset bench-lto
cmake --build --preset bench-lto
endef

bench-lto: setup
	@scripts/setup.sh --with-bench
	$(build_lto)
	$(call bench_area,^eddy-bench-lto:,--target eddy-micro)

bench-micro: setup
	@scripts/setup.sh --with-bench
	cmake --preset bench-gcc
	cmake --build --preset bench-gcc --target eddy-micro
	$(call bench_area,^eddy-(micro|bench-gcc):,--target eddy-micro --target eddy-check-frames)
	build/bench/bin/eddy-check-frames

profile: setup
	@scripts/setup.sh --with-bench
	cmake --preset profile
	cmake --build --preset profile
	bench/profile/profile.py build/profile/bin $(if $(SCENARIO),--scenario $(SCENARIO)) $(if $(PEER),--peer $(PEER)) $(PROFILE)

# Needs little, and is to show something soon: what is missing it says itself.
lab:
	@scripts/lab.py $(N) $(if $(FROM),--from $(FROM)) $(if $(WATCH),--watch)

format:
	@scripts/setup.sh --with-check
	@scripts/format.sh --write

site/files/10MiB.bin: scripts/make_big_file.sh
	@scripts/make_big_file.sh $@

clean:
	rm -rf build site/files/10MiB.bin
