#!/usr/bin/env python3
"""wrk, ab, eddy-bench-load and, once built, eddy-load ask the same server in turn; prints what each found.

    bench/checks/load_agreement.py build/bench/bin [--rounds 5] [--busy-us 200] [--difference-max 0.05]

Each answer takes the server 200 µs of its processor, so that no load is what limits: all should find the same number of
requests per second. Fails if one differs from the median of all by more than so much, and by more than its own rounds
do among themselves.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from peer import CLIENT_CORE, peer

CONNECTIONS = 32


def output_of(*command):
    ended = subprocess.run(["taskset", "-c", str(CLIENT_CORE), *command], capture_output=True, text=True, check=True)
    return ended.stdout


def wrk(url, seconds):
    said = output_of("wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", url)
    return float(re.search(r"Requests/sec:\s+([\d.]+)", said)[1])


def ab(url, seconds):
    said = output_of("ab", "-q", "-k", "-c", str(CONNECTIONS), "-t", str(seconds), "-n", "100000000", url)
    return float(re.search(r"Requests per second:\s+([\d.]+)", said)[1])


def bench_load(program, port, seconds, body):
    said = output_of(program, "--mode", "http", "--port", str(port), "--path", "/hello", "--expect-body", body,
                     "--connections", str(CONNECTIONS), "--seconds", str(seconds))
    result = json.loads(said)
    return result["items"] / result["seconds"]


def eddy_load(program, url, seconds):
    said = output_of(program, "-c", str(CONNECTIONS), "-t", str(seconds), "-w", "1", url)
    return float(re.search(r"([\d.]+)\s*requests/s", said)[1])


def loads(programs, port, seconds, body):
    url = f"http://127.0.0.1:{port}/hello"
    found = {"eddy-bench-load": lambda: bench_load(os.path.join(programs, "eddy-bench-load"), port, seconds, body)}
    for name, measure in (("wrk", wrk), ("ab", ab)):
        if shutil.which(name):
            found[name] = lambda measure=measure: measure(url, seconds)
        else:
            print(f"{name} is not installed")
    own = os.path.join(programs, "eddy-load")
    if os.path.exists(own):
        found["eddy-load"] = lambda: eddy_load(own, url, seconds)
    return found


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("programs", help="the directory of the built programs")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--seconds", type=int, default=2)
    options.add_argument("--busy-us", type=int, default=200)
    options.add_argument("--difference-max", type=float, default=0.05)
    asked = options.parse_args()
    with peer(asked.programs, "--busy-us", asked.busy_us) as port, tempfile.NamedTemporaryFile() as body:
        body.write(b"Hello, World!")
        body.flush()
        found = loads(asked.programs, port, asked.seconds, body.name)
        rounds = {name: [] for name in found}
        for _ in range(asked.rounds):
            for name, measure in found.items():
                rounds[name].append(measure())
    medians = {name: statistics.median(values) for name, values in rounds.items()}
    middle = statistics.median(medians.values())
    disagreeing = []
    for name, value in medians.items():
        spread = (max(rounds[name]) - min(rounds[name])) / value
        difference = value / middle - 1
        if abs(difference) > max(asked.difference_max, spread):
            disagreeing.append(name)
        print(f"{name:<16} {value:9.0f} requests/s   spread {spread:5.1%}   {difference:+.1%}")
    if disagreeing:
        sys.exit(f"off by more than {asked.difference_max:.0%} and than their spread: {', '.join(disagreeing)}")


if __name__ == "__main__":
    main()
