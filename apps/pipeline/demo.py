#!/usr/bin/env python3
"""Runs the pipeline server in all four modes, one after the other, and shows what each can do.

    apps/pipeline/demo.py DIRECTORY_OF_PROGRAMS [--seconds 5] [--out build/pipeline]

Prints a table and writes results.json and pipeline.svg into the directory that --out names.
"""

import argparse
import contextlib
import json
import os
import re
import signal
import subprocess
import sys

sys.dont_write_bytecode = True

import chart  # noqa: E402

MODES = ("none", "blocking", "callback", "coroutine")
PATIENCE_S = 20


def main():
    options = parse_options()
    interrupts = Interrupts()
    try:
        with Processes(os.path.join(options.programs, "eddy-pipeline"), interrupts) as processes:
            upstream = processes.serve("upstream", "--port", "0", "--latency-us", str(options.latency_us))
            results = [measure(processes, mode, upstream.port, options) for mode in MODES]
    except KeyboardInterrupt:
        sys.exit(130)
    except (OSError, RuntimeError) as error:
        sys.exit(f"demo: {error}")
    print(table(results))
    os.makedirs(options.out, exist_ok=True)
    write(os.path.join(options.out, "results.json"), json.dumps(results, indent=2) + "\n")
    picture = os.path.join(options.out, "pipeline.svg")
    write(picture, chart.draw(results, subtitle(options)))
    print(f"\nThe picture: {picture}")


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", help="where eddy-pipeline is")
    parser.add_argument("--seconds", type=float, default=5, help="of measuring in each mode")
    parser.add_argument("--warmup", type=float, default=0.5, help="seconds before that")
    add_load_options(parser)
    parser.add_argument("--out", default="build/pipeline")
    return parser.parse_args()


def add_load_options(parser):
    """What the server has and what is asked of it."""
    parser.add_argument("--connections", type=int, default=256)
    parser.add_argument("--depth", type=int, default=1, help="requests under way on each connection")
    parser.add_argument("--io-workers", type=int, default=1)
    parser.add_argument("--pool", type=int, default=2, help="processing threads")
    parser.add_argument("--latency-us", type=int, default=1000, help="of the upstream service")
    parser.add_argument("--work-us", type=int, default=5, help="of computation for each request")


def subtitle(options):
    return (f"{options.io_workers} I/O and {options.pool} processing threads, {options.connections} connections, "
            f"{options.work_us} µs of work, upstream answers after {options.latency_us} µs")


class Interrupts:
    """Makes SIGINT and SIGTERM raise KeyboardInterrupt, but where they are held back."""

    def __init__(self):
        self.held = 0
        self.has_come = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._come)

    @contextlib.contextmanager
    def held_back(self):
        self.held += 1
        try:
            yield
        finally:
            self.held -= 1
            if not self.held and self.has_come:
                self.has_come = False
                raise KeyboardInterrupt

    def _come(self, *_):
        if not self.held:
            raise KeyboardInterrupt
        self.has_come = True


class Processes:
    """Parts of the program that run. All have ended at the end of the `with` block, however it ends."""

    def __init__(self, program, interrupts):
        self.program = program
        self.interrupts = interrupts
        self.running = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with self.interrupts.held_back():
            while self.running:
                self.end(self.running[-1])

    def start(self, *arguments):
        with self.interrupts.held_back():
            process = subprocess.Popen([self.program, *arguments], stdout=subprocess.PIPE, text=True)
            self.running.append(process)
        return process

    def serve(self, *arguments):
        """Starts what serves on a port of its own choice."""
        process = self.start(*arguments)
        first_line = process.stdout.readline()
        found = re.search(r"127\.0\.0\.1:(\d+)", first_line)
        if not found:
            raise RuntimeError(f"{arguments[0]} does not serve: {first_line.strip() or 'it wrote nothing'}")
        process.port = int(found[1])
        return process

    def end(self, process):
        """Asks it to end, and insists."""
        with self.interrupts.held_back():
            process.terminate()
            try:
                process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            process.stdout.close()
            self.running.remove(process)


def measure(processes, mode, upstream_port, options):
    server = processes.serve("serve", "--port", "0", "--mode", mode, "--upstream-port", str(upstream_port),
                             "--io-workers", str(options.io_workers), "--pool", str(options.pool),
                             "--work-us", str(options.work_us))
    load = processes.start("load", "--port", str(server.port), "--server-process", str(server.pid), "--progress",
                           "--connections", str(options.connections), "--depth", str(options.depth),
                           "--warm-up-us", str(int(options.warmup * 1e6)),
                           "--length-us", str(int(options.seconds * 1e6)))
    result = follow(mode, load)
    processes.end(load)
    processes.end(server)
    if result is None:
        raise RuntimeError(f"the load has failed in mode {mode}")
    return {"mode": mode, **result}


def follow(mode, load):
    """Shows how it goes; gives the result, or None."""
    shows = sys.stderr.isatty()
    result = None
    for line in load.stdout:
        told = json.loads(line)
        if "progress" not in told:
            result = told
        elif shows:
            print(f"\r\033[K{mode:10} {told['progress']:>9,} requests/s", end="", file=sys.stderr, flush=True)
    if shows:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    return result


def table(results):
    reference = results[0]["server_cpu_us_per_request"]
    lines = [f"{'mode':10} {'requests/s':>11} {'of none':>8} {'p50 ms':>8} {'p99 ms':>8} {'CPU us/request':>15} "
             f"{'per CPU s, of none':>19} {'errors':>7}"]
    for each in results:
        cpu = each["server_cpu_us_per_request"]
        lines.append(
            f"{each['mode']:10} {each['per_second']:>11,.0f} {each['per_second'] / max(results[0]['per_second'], 1):>8.2f} "
            f"{each['p50_us'] / 1000:>8.2f} {each['p99_us'] / 1000:>8.2f} {cpu:>15.2f} "
            f"{reference / cpu if cpu else 0:>19.2f} {each['errors']:>7}")
    return "\n".join(lines)


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
