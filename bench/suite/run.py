#!/usr/bin/python3
"""Measures what the programs of a build can.

    bench/suite/run.py build/bench --list
    bench/suite/run.py build/bench --only 'eddy-bench: echo, 128 B' --subject raw_io_uring,eddy --rounds 9
    bench/suite/run.py build/bench --profile quick --out build/bench/report/quick/benchmarks.md

Prints a table of each benchmark. With a profile it follows a plan and writes a report: what was measured before at the same
commit, on the same machine and in the same way is not measured again, so that an interrupted run goes on where it was. The
exit status is 0 when everything was measured, 1 when something failed, 130 after an interrupt.
"""

import argparse
import json
import re
import signal
import sys
from datetime import date
from pathlib import Path

sys.dont_write_bytecode = True
BENCH = Path(__file__).resolve().parent.parent
sys.path[0] = str(BENCH)

from suite import benchmark, build_cost, counts, details, judged, machine, programs, runner  # noqa: E402
from suite.plan import PROFILES, Unit, plan  # noqa: E402
from suite.processes import Failed  # noqa: E402
from suite.progress import Progress, duration  # noqa: E402
from suite.report import write_report  # noqa: E402
from suite.sections import build_cost_line  # noqa: E402
from suite.steps import COMPILERS  # noqa: E402
from suite.store import Store  # noqa: E402


def main():
    asked = parse_options()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    try:
        found = programs.benchmarks(asked.build.resolve() / "bin")
        sys.exit(follow_plan(asked, found) if asked.profile else measure_now(asked, found))
    except Failed as error:
        sys.exit(f"run: {error}")
    except KeyboardInterrupt:
        print("Interrupted." + (" The same command goes on from here." if asked.profile else ""))
        sys.exit(130)


def parse_options():
    def names(text):
        return text.split(",")

    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("build", type=Path, help="the folder of a build with benchmarks")
    options.add_argument("--list", action="store_true", help="tell what there is or, with a profile, the plan; measure nothing")
    options.add_argument("--only", metavar="REGEX", action="append", default=[],
                         help="only benchmarks whose names have this in them; if given again, all of these")
    options.add_argument("--subject", type=names, default=[], metavar="A,B", help="only these subjects, in this order")
    options.add_argument("--cores", type=lambda text: list(map(int, text.split(","))), metavar="A,B",
                         help="where it runs: servers and what has one thread on the first, loads and clients on the last, "
                              "the rest on all (default: the first two that it may use)")
    options.add_argument("--rounds", type=int, default=5, help="each subject is measured once a round")
    options.add_argument("--seconds", type=float, help="the measured window (default: 3 of servers, others a part of that)")
    options.add_argument("--warmup", type=float, help="seconds before it (default: a part of the window)")
    options.add_argument("--requests", type=int, default=0,
                         help="of servers: as many on each connection, of hey and ab in all, instead of a window")
    options.add_argument("--json", type=Path, help="write everything to this file as well, each round included; also what there is")
    planned = options.add_argument_group("by a plan")
    planned.add_argument("--profile", choices=PROFILES)
    planned.add_argument("--out", type=Path, help="where to write the report (default: nowhere)")
    planned.add_argument("--summary", type=Path, help="where to write the report's summary (default: nowhere)")
    planned.add_argument("--folder", type=Path, help="where results are kept (default: report/PROFILE in the build's)")
    planned.add_argument("--fresh", action="store_true", help="measure everything anew")
    planned.add_argument("--compiler", default="clang++-22", help="whose cost of building is measured")
    return options.parse_args()


def is_wanted(name, asked):
    return all(re.search(each, name) for each in asked.only)


# -- now --

def measure_now(asked, found):
    chosen = [each for each in found if is_wanted(each.title, asked)
              and (not asked.subject or set(asked.subject) & set(each.subjects))]
    if not chosen:
        sys.exit("run: there is no such benchmark or subject; --list shows them")
    if asked.list:
        for each in chosen:
            print(f"{each.title}: {each.about}\n    {', '.join(each.subjects)}")
        return write_json(asked.json, {"benchmarks": [{"name": each.title, "subjects": each.subjects} for each in chosen]})
    documents = []
    for name, text in {**machine.describe(), "load average": f"{machine.load_average():.2f}"}.items():
        print(f"{name:14} {text}")
    with benchmark.Session(asked.build.resolve() / "bin", asked.cores) as session:
        session.requests_each = asked.requests
        for each in chosen:
            documents.append(benchmark.measure(each, session, windows_of(each, asked), asked.subject))
            print_tables(benchmark.read(documents[-1]))
    return write_json(asked.json, {"machine": machine.describe(), "benchmarks": documents})


def windows_of(each, asked):
    made = each.windows(asked.rounds, 3)
    seconds = made.seconds if asked.seconds is None else asked.seconds
    return benchmark.Windows(asked.rounds, seconds, seconds * each.warmup_part if asked.warmup is None else asked.warmup)


def print_tables(result):
    print(f"\n{result.program}: {result.name}: {result.about}; item: {result.item}\n\n" + details.figures(result, True), flush=True)
    print(details.ratios(result, judged.judge(result)), flush=True)


def write_json(path, document):
    if path:
        path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


# -- by a plan --

def follow_plan(asked, found):
    folder = asked.folder or asked.build / "report" / asked.profile
    store = Store(folder)
    made = plan(PROFILES[asked.profile], [each for each in found if each.program != COMPILERS], extra_units(asked))
    chosen = [unit for unit in made.units if is_wanted(unit.name, asked)]
    if not chosen:
        sys.exit("run: there is nothing to measure")
    key = {"commit": machine.commit(BENCH.parent), "machine": machine.describe()}
    tell_plan(made, chosen, store, key, asked)
    if asked.list:
        return 0
    write_run(store, made, key, asked)
    progress = Progress(chosen)
    try:
        with benchmark.Session(asked.build.resolve() / "bin", asked.cores, progress.tick) as session:
            failed = runner.measure_all(chosen, store, key, progress, session, asked.fresh)
    finally:
        progress.close()
    for record in store.records():
        if record["kind"] == "build_cost" and record["status"] == "done":
            print(build_cost_line(record["result"]))
    if asked.out:
        write_report(folder, asked.out, asked.summary)
    if failed:
        print("Failed: " + ", ".join(failed))
    return 1 if failed else 0


def extra_units(asked):
    """What is no benchmark."""
    return (Unit("cost of building", "build_cost", 20, {"compiler": asked.compiler},
                 lambda session: build_cost.measure(asked.compiler, session.programs)),
            Unit("allocations and system calls", "counts", 75, {}, counts.measure))


def tell_plan(made, chosen, store, key, asked):
    if asked.list:
        for unit in chosen:
            print(f"{duration(unit.estimated_s):>8}  {unit.name}")
    there = [] if asked.fresh else [unit for unit in chosen if store.has(unit.name, {**key, "how": unit.how})]
    left_s = sum(unit.estimated_s for unit in chosen) - sum(unit.estimated_s for unit in there)
    print(f"{len(chosen)} units, {made.rounds} rounds, servers for {made.seconds:g} s each: about {duration(left_s)}"
          + (f"; {len(there)} have been measured before" if there else "")
          + (f"; {made.left_out} benchmarks left out for want of time" if made.left_out else ""), flush=True)


def write_run(store, made, key, asked):
    """What the report has to know beside the results."""
    store.folder.mkdir(parents=True, exist_ok=True)
    run = {"profile": made.profile.name, "date": date.today().isoformat(), "commit": key["commit"],
           "machine": key["machine"], "versions": machine.versions(asked.build, asked.compiler),
           "load_average": machine.load_average(), "rounds": made.rounds, "seconds": made.seconds,
           "planned": made.planned, "left_out": made.left_out, "folder": f"build/bench/report/{made.profile.name}",
           "units": [unit.name for unit in made.units]}
    Path(store.folder, "run.json").write_text(json.dumps(run, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
