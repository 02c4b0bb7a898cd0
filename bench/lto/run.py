#!/usr/bin/python3
"""Measures what link-time optimisation is worth: steps of eddy-micro, built with it and without.

    bench/lto/run.py build/bench/bin/eddy-micro       # beside it is build/bench-lto/bin/eddy-micro
"""

import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))

import scripted  # noqa: E402

PROGRAM = "eddy-bench-lto"
STEPS = ("await_two_levels", "await_yielding", "spawn_and_await", "when_all_of_ten", "operation_with_timeout")
NANOSECONDS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def with_lto(program):
    """The same program of the build bench-lto."""
    build = os.path.dirname(os.path.dirname(os.path.abspath(program)))
    return os.path.join(build + "-lto", "bin", os.path.basename(program))


def main():
    options = scripted.parser(__doc__)
    options.add_argument("--seconds", type=float, default=0.2, help="the measured window")
    asked = options.parse_args()
    programs = {"eddy_lto": with_lto(asked.program), "without_lto": os.path.abspath(asked.program)}

    def measure(contest, contender):
        step = contest.partition("/")[2]
        done = subprocess.run([programs[contender], f"--benchmark_filter=^{step}$",
                               f"--benchmark_min_time={asked.seconds:.3f}", "--benchmark_format=json"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{programs[contender]} ended with {done.returncode}")
        one = json.loads(done.stdout)["benchmarks"][0]
        unit = NANOSECONDS[one["time_unit"]] / 1e9
        return {"items": one["iterations"], "seconds": one["real_time"] * one["iterations"] * unit,
                "cpu_seconds": one["cpu_time"] * one["iterations"] * unit}

    if not os.path.exists(programs["eddy_lto"]):
        sys.exit(f"{PROGRAM}: {programs['eddy_lto']} is not there: cmake --preset bench-lto && "
                 "cmake --build --preset bench-lto --target eddy-micro")
    scripted.run(PROGRAM, [({"contest": f"lto/{step}", "about": f"{step}, with link-time optimisation and without",
                             "item": "step", "compares": "cpu_time"}, list(programs)) for step in STEPS], asked, measure)


if __name__ == "__main__":
    main()
