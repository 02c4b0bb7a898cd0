#!/usr/bin/python3
"""Writes the report on what was measured.

    bench/suite/report.py build/bench/report/full --out build/bench/report/full/benchmarks.md --summary docs/benchmarks.md

The pictures go into a folder beside the report, benchmarks/. They need matplotlib (Debian's python3-matplotlib); without it
the report has none.
"""

import argparse
import json
import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True
BENCH = Path(__file__).resolve().parent.parent
sys.path[0] = str(BENCH)

from suite import document, plots, sections  # noqa: E402
from suite.runner import last_line  # noqa: E402
from suite.store import Store  # noqa: E402


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folder", type=Path, help="where the results are")
    options.add_argument("--out", type=Path, required=True, help="the page to write")
    options.add_argument("--summary", type=Path, help="where to write its summary, which needs no pictures (default: nowhere)")
    asked = options.parse_args()
    try:
        write_report(asked.folder, asked.out, asked.summary)
    except (OSError, ValueError) as error:
        sys.exit(f"report: {error}")


def write_report(folder, out, summary=None):
    run_file = Path(folder, "run.json")
    if not run_file.exists():
        raise ValueError(f"{folder} holds no run: {run_file} is missing")
    run = json.loads(run_file.read_text(encoding="utf-8"))
    store = Store(folder)
    records = [record for record in map(store.read, run["units"])
               if record and record["key"]["commit"] == run["commit"]]
    results = document.results_of(records)
    run["failed"] = [(record["unit"], last_line(record["error"])) for record in records if record["status"] == "failed"]
    run["missing"] = len(run["units"]) - len(records)
    run["readme"] = readme_from(out)
    run["pictures"] = out.stem
    pictures = {}
    if plots.is_possible():
        pictures = plots.draw_all(results, out.with_suffix(""))
        remove_other_pictures(out.with_suffix(""), pictures)
    else:
        print("matplotlib is not installed, so the report has no pictures")
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(document.write(run, results, pictures, sections.of(records)), encoding="utf-8")
    print(f"The report: {out}")
    if summary:
        run["readme"] = readme_from(summary)
        page = document.write_summary(run, results, sections.of(records), f"{run['folder']}/benchmarks.md")
        summary.parent.mkdir(parents=True, exist_ok=True)
        summary.write_text(page, encoding="utf-8")
        print(f"Its summary: {summary}")


def readme_from(page):
    return os.path.relpath(BENCH / "README.md", page.resolve().parent)


def remove_other_pictures(folder, pictures):
    """Those of scenarios that are no more."""
    drawn = {name for group in pictures.values() for name, _ in group}
    for path in folder.glob("*.svg"):
        if path.name not in drawn:
            path.unlink()


if __name__ == "__main__":
    main()
