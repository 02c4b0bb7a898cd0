#!/usr/bin/env python3
"""Prints what single steps cost, in nanoseconds of CPU time, program beside program.

    bench/micro/compare.py clang=build/bench/bin/eddy-micro g++=build/bench-gcc/bin/eddy-micro [--filter await]

The programs take turns, pinned to one core; each figure is the median of the rounds. `bare` is the least that a
coroutine can be (bench/micro/bare_task.hpp), in the first program; `ratio` is what the step costs in that program
beside it.
"""

import argparse
import collections
import json
import os
import statistics
import subprocess
import sys

BARE = "_bare"


def measure(program, asked):
    """The CPU time of each benchmark of one run, by name."""
    done = subprocess.run(
        [program, f"--benchmark_filter={asked.filter}", f"--benchmark_min_time={asked.seconds}",
         "--benchmark_format=json"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return {each["name"]: each["cpu_time"] for each in json.loads(done.stdout)["benchmarks"]}


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("programs", nargs="+", help="label=path")
    options.add_argument("--filter", default=".", help="a regular expression of the names (default: all)")
    options.add_argument("--rounds", type=int, default=9)
    options.add_argument("--seconds", type=float, default=0.05, help="for each step and round (default: 0.05)")
    options.add_argument("--core", type=int, default=1)
    asked = options.parse_args()
    programs = dict(each.split("=", 1) for each in asked.programs)
    if asked.core < os.cpu_count():
        os.sched_setaffinity(0, {asked.core})
    seen = {label: collections.defaultdict(list) for label in programs}
    for _ in range(asked.rounds):
        for label, path in programs.items():
            for name, time in measure(path, asked).items():
                seen[label][name].append(time)
    first = next(iter(programs))
    if not seen[first]:
        sys.exit(f"no benchmark is called {asked.filter}")
    print(f"load average {os.getloadavg()[0]:.1f}, {asked.rounds} rounds, median CPU ns")
    print(f"{'step':42}" + "".join(f"{label:>10}" for label in programs) + f"{'bare':>10}{'ratio':>8}")
    for name, times in seen[first].items():
        if name.endswith(BARE):
            continue
        line = f"{name:42}" + "".join(f"{statistics.median(seen[label][name]):10.2f}" for label in programs)
        bare = seen[first].get(name + BARE)
        if bare:
            ratio = statistics.median(one / other for one, other in zip(times, bare))
            line += f"{statistics.median(bare):10.2f}{ratio:8.2f}"
        print(line)


if __name__ == "__main__":
    main()
