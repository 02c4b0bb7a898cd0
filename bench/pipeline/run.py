#!/usr/bin/python3
"""Measures eddy-pipeline in its four modes, in turn, as the programs of contests do:

    bench/pipeline/run.py build/bench/bin/eddy-pipeline [--repeat 5] [--seconds 1] [--json FILE]

What the modes are is told by the program's own page. Each measurement has a server process of its own; the upstream
service is one for all of them.
"""

import argparse
import json
import os
import statistics
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "apps", "pipeline"))

import demo  # noqa: E402

PROGRAM = "eddy-bench-pipeline"
CONTEST = "pipeline"
ABOUT = "a request is answered after waiting 1 ms for another service: not at all, blocking in a pool of threads, by callbacks, by coroutines"
PERCENTILES = {"p50": "p50_us", "p90": "p90_us", "p99": "p99_us", "p99.9": "p999_us"}


def main():
    options = parse_options()
    modes = [mode for mode in demo.MODES if wanted(mode, options.contender, options.exact)]
    if not modes or not wanted(CONTEST, options.contest, options.exact):
        sys.exit("there is no such contest or contender; --list shows them")
    if options.list:
        print(CONTEST, *modes, sep="\n  ")
        return write(options.json, {"program": PROGRAM, "contests": [
            {"contest": CONTEST, "about": ABOUT, "contenders": modes}]})
    try:
        rounds = measure(modes, options)
    except KeyboardInterrupt:
        sys.exit(130)
    except (OSError, RuntimeError) as error:
        sys.exit(f"{PROGRAM}: {error}")
    print_table(rounds)
    write(options.json, document(rounds, options))


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="eddy-pipeline")
    parser.add_argument("--list", action="store_true", help="show what there is, measure nothing")
    parser.add_argument("--contest", type=names, default=[], help="only this contest, if its name contains one of these")
    parser.add_argument("--contender", type=names, default=[], help="only modes whose names contain one of these")
    parser.add_argument("--exact", action="store_true", help="these are whole names")
    parser.add_argument("--seconds", type=float, default=1, help="the measured window")
    parser.add_argument("--warmup", type=float, default=0.5, help="seconds before it")
    parser.add_argument("--repeat", type=int, default=5, help="rounds: each mode is measured once a round")
    parser.add_argument("--json", help="write everything to this file as well, also what there is")
    demo.add_load_options(parser)
    return parser.parse_args()


def names(text):
    return text.split(",")


def wanted(name, asked, is_exact):
    return not asked or any(name == each if is_exact else each in name for each in asked)


def measure(modes, options):
    """The results of each mode's rounds."""
    rounds = {mode: [] for mode in modes}
    with demo.Processes(options.program, demo.Interrupts()) as processes:
        upstream = processes.serve("upstream", "--port", "0", "--latency-us", str(options.latency_us))
        for _ in range(options.repeat):
            for mode in modes:
                result = demo.measure(processes, mode, upstream.port, options)
                if result["errors"] or not result["requests"]:
                    raise RuntimeError(f"{mode}: {result['requests']} requests, {result['errors']} errors")
                rounds[mode].append(result)
    return rounds


def document(rounds, options):
    return {"program": PROGRAM,
            "method": {"rounds": options.repeat, "window_seconds": options.seconds, "warmup_seconds": options.warmup,
                       "connections": options.connections, "depth": options.depth, "io_workers": options.io_workers,
                       "pool": options.pool, "latency_us": options.latency_us, "work_us": options.work_us},
            "contests": [{"contest": CONTEST, "about": ABOUT, "item": "request", "compares": "wall_clock",
                          "contenders": [contender(mode, results) for mode, results in rounds.items()]}]}


def contender(mode, results):
    speeds = [each["per_second"] for each in results]
    middle = statistics.median(speeds)
    summary = {"items_per_second": middle, "spread": (max(speeds) - min(speeds)) / middle, "ns_per_item": 1e9 / middle,
               "cpu_ns_per_item": statistics.median(each["server_cpu_us_per_request"] for each in results) * 1e3,
               "times_ns": {name: statistics.median(each[key] for each in results) * 1e3
                            for name, key in PERCENTILES.items()}}
    return {"contender": mode, "summary": summary, "rounds": [one_round(each) for each in results]}


def one_round(result):
    return {"items": result["requests"], "seconds": result["seconds"],
            "cpu_seconds": result["server_cpu_us_per_request"] * result["requests"] / 1e6,
            "times_ns": {name: result[key] * 1e3 for name, key in PERCENTILES.items()}}


def print_table(rounds):
    print(f"{'mode':10} {'requests/s':>11} {'spread':>7} {'p50 ms':>8} {'p99 ms':>8} {'CPU us/request':>15}")
    for mode, results in rounds.items():
        told = contender(mode, results)["summary"]
        print(f"{mode:10} {told['items_per_second']:>11,.0f} {told['spread']:>6.1%} {told['times_ns']['p50'] / 1e6:>8.2f} "
              f"{told['times_ns']['p99'] / 1e6:>8.2f} {told['cpu_ns_per_item'] / 1e3:>15.2f}")


def write(path, what):
    if path:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(what, file, indent=2)
            file.write("\n")


if __name__ == "__main__":
    main()
