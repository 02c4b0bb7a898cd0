#!/usr/bin/env python3
"""Counts what the hot paths cost and compares it with a table.

    tests/guard/check.py build/release/tests/hot_path tests/guard/hot_paths.txt [--backend epoll] [--write]

For each path and backend the table has the instructions (of the program; the kernel's are not counted), the allocations
and the system calls of one step. Each is the difference between two runs of different length, divided by the
difference in length, so that what is done once does not count. Fails if a path has come to need over 3 % more
instructions, or 1 more where they are few, or another number of allocations or system calls than the table says; a path
that has become cheaper is told. --write puts what was counted into the table: its lines are reviewed like code.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import refused_backend  # noqa: E402

SHORT, LONG = 1000, 3000
GROWTH_MAX = 0.03
# Not the second half of one that waited; nor the clock, which is read without the kernel where valgrind is not there.
SYSTEM_CALL = re.compile(r"^SYSCALL\[[^]]*\]\( *\d+\) (?!\.\.\.)(?!sys_clock_gettime)", re.M)
HEAD = "# path backend instructions allocations system-calls (each of one step; made by check.py --write)"


def count(program, path, backend, times):
    """Instructions, allocations and system calls of a run."""
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--trace-syscalls=yes", program, path,
         str(times)],
        env={**os.environ, "EDDY_BACKEND": backend}, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        errors="replace", timeout=240)
    instructions = re.search(r"Collected : (\d+)", done.stderr)
    allocations = re.search(r"allocations (\d+)", done.stdout)
    if done.returncode != 0 or not instructions or not allocations:
        sys.exit(f"{path} on {backend} could not be counted:\n{done.stdout}\n{done.stderr[-2000:]}")
    calls = len(SYSTEM_CALL.findall(done.stderr))
    return int(instructions[1]), int(allocations[1]), calls


def cost(program, path, backend):
    """The same for one step."""
    short, long = (count(program, path, backend, times) for times in (SHORT, LONG))
    return tuple((b - a) / (LONG - SHORT) for a, b in zip(short, long))


def read_table(path):
    table, compiler = {}, None
    if os.path.exists(path):
        with open(path) as file:
            for line in file:
                if line.startswith("# clang "):
                    compiler = line.split()[2]
                elif not line.startswith("#"):
                    name, backend, *costs = line.split()
                    table[name, backend] = tuple(float(each) for each in costs)
    return table, compiler


def write_table(path, table, compiler):
    with open(path, "w") as file:
        print(f"# clang {compiler}", HEAD, sep="\n", file=file)
        for (name, backend), (instructions, allocations, calls) in sorted(table.items()):
            print(f"{name:24} {backend:9} {instructions:8.1f} {allocations:6.2f} {round(calls, 2) + 0.0:6.2f}", file=file)


def differences(known, found):
    """What is wrong with a path, and what has become better."""
    (instructions, *counts), (now, *counts_now) = known, found
    slack = max(instructions * GROWTH_MAX, 1)
    if now > instructions + slack:
        yield True, f"{now:.1f} instructions, {instructions:.1f} in the table"
    elif now < instructions - slack:
        yield False, f"{now:.1f} instructions, {instructions:.1f} in the table"
    for what, before, after in zip(("allocations", "system calls"), counts, counts_now):
        if abs(after - before) >= 0.01:
            yield after > before, f"{after:.2f} {what}, {before:.2f} in the table"


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("program")
    options.add_argument("table")
    options.add_argument("--backend", action="append")
    options.add_argument("--compiler", default="", help="with which the program was built")
    options.add_argument("--write", action="store_true")
    asked = options.parse_args()
    table, compiler = read_table(asked.table)
    if not asked.write and asked.compiler and asked.compiler != compiler:
        print(f"skipped: all: [compiler] the table is of clang {compiler}, not {asked.compiler}")
        return refused_backend.SKIPPED
    refused_backend.skip_if_refused()
    paths = subprocess.run([asked.program], check=True, capture_output=True, text=True).stdout.split()
    wanted = [(path, backend) for path in paths for backend in asked.backend or ("io_uring", "epoll")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(wanted, pool.map(lambda each: cost(asked.program, *each), wanted)))
    if asked.write:
        write_table(asked.table, table | found, asked.compiler or compiler)
        return 0
    is_bad = False
    for key, costs in found.items():
        print(f"{key[0]:24} {key[1]:9} {costs[0]:8.1f} {costs[1]:6.2f} {costs[2]:6.2f}")
        if key not in table:
            print("    is not in the table")
            is_bad = True
            continue
        for is_worse, text in differences(table[key], costs):
            print("    WORSE:" if is_worse else "    better:", text)
            is_bad |= is_worse
    if is_bad:
        print(f"If that is how it has to be: {sys.argv[0]} {asked.program} {asked.table} --write")
    return int(is_bad)


if __name__ == "__main__":
    sys.exit(main())
