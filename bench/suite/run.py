#!/usr/bin/python3
"""Measures all that a build can, and writes the report.

    bench/suite/run.py build/bench --profile quick --out build/bench/report/quick/benchmarks.md

What was measured before at the same commit, on the same machine and in the same way is not measured again, so that an
interrupted run goes on where it was. The exit status is 0 when everything was measured, 1 when something failed, 130
after an interrupt.
"""

import argparse
import json
import re
import signal
import sys
from datetime import date
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[0] = str(Path(__file__).resolve().parent.parent)

from suite import machine, programs, runner  # noqa: E402
from suite.plan import PROFILES, plan  # noqa: E402
from suite.progress import Progress, duration  # noqa: E402
from suite.report import write_report  # noqa: E402
from suite.sections import build_cost_line  # noqa: E402
from suite.store import Store  # noqa: E402
from suite.units import Unit  # noqa: E402

BENCH = Path(__file__).resolve().parent.parent


def main():
    asked = parse_options()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    source = BENCH.parent
    folder = asked.folder or asked.build / "report" / asked.profile
    store = Store(folder)
    made = plan(PROFILES[asked.profile], listed(asked), extra_units(asked))
    if asked.only:
        chosen = tuple(unit for unit in made.units if re.search(asked.only, unit.name))
    else:
        chosen = made.units
    if not chosen:
        sys.exit("run: there is nothing to measure")
    key = {"commit": machine.commit(source), "machine": machine.describe()}
    tell_plan(made, chosen, store, key, asked)
    if asked.list:
        return
    write_run(store, made, key, asked)
    progress = Progress(chosen)
    try:
        failed = runner.measure_all(chosen, store, key, progress, asked.fresh)
    except KeyboardInterrupt:
        progress.close()
        print("Interrupted. The same command goes on from here.")
        sys.exit(130)
    progress.close()
    for record in store.records():
        if record["kind"] == "build_cost" and record["status"] == "done":
            print(build_cost_line(record["result"]))
    if asked.out:
        write_report(folder, asked.out, asked.summary)
    if failed:
        print("Failed: " + ", ".join(failed))
        sys.exit(1)


def parse_options():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("build", type=Path, help="the folder of a build with benchmarks")
    options.add_argument("--profile", choices=PROFILES, default="full")
    options.add_argument("--out", type=Path, help="where to write the report (default: nowhere)")
    options.add_argument("--summary", type=Path, help="where to write the report's summary (default: nowhere)")
    options.add_argument("--folder", type=Path, help="where results are kept (default: report/PROFILE in the build's)")
    options.add_argument("--fresh", action="store_true", help="measure everything anew")
    options.add_argument("--only", metavar="REGEX", help="only units whose names have this in them")
    options.add_argument("--list", action="store_true", help="tell the plan, measure nothing")
    options.add_argument("--compiler", default="clang++-22", help="whose cost of building is measured")
    return options.parse_args()


def listed(asked):
    """The programs and what they measure."""
    found = []
    for program in programs.programs(asked.build.resolve() / "bin", BENCH):
        try:
            found.append((program, programs.works(program)))
        except RuntimeError as error:
            sys.exit(f"run: {error}")
    return found


def extra_units(asked):
    """What is no program of the build."""
    def unit(name, module, estimated_s, *more):
        return Unit(name, module, (sys.executable, str(BENCH / f"suite/{module}.py"), str(asked.build.resolve()), *more,
                                   "--json", "{json}"), estimated_s)

    return (unit("cost of building", "build_cost", 20, "--compiler", asked.compiler),
            unit("allocations and system calls", "counts", 75))


def tell_plan(made, chosen, store, key, asked):
    if asked.list:
        for unit in chosen:
            print(f"{duration(unit.estimated_s):>8}  {unit.name}")
    there = [] if asked.fresh else [
        unit for unit in chosen if store.has(unit.name, {**key, "command": list(unit.command)})]
    left_s = sum(unit.estimated_s for unit in chosen) - sum(unit.estimated_s for unit in there)
    print(f"{len(chosen)} units, {made.rounds} rounds, servers for {made.seconds:g} s each: about {duration(left_s)}"
          + (f"; {len(there)} have been measured before" if there else "")
          + (f"; {made.left_out} configurations left out for want of time" if made.left_out else ""), flush=True)


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
