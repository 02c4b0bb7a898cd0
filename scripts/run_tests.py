#!/usr/bin/env python3
"""Runs the tests of a preset and says what was not run.

    scripts/run_tests.py PRESET [OPTION OF CTEST]...

Beneath what ctest tells stand the tests that were skipped, by what they lack. A reason begins with that, in brackets:
"[ipv6] no loopback address". Without EDDY_MAY_SKIP any test may be skipped. With it, those may that lack one of the
features it names (`EDDY_MAY_SKIP="ipv6 io_uring"`), and a test that was skipped for anything else is a failure: as in
`make check`, for which it is empty by default.
"""

import collections
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FEATURE = re.compile(r"\[([\w-]+)\] ")
NO_REASON = "no reason given"


def reasons(output):
    """What a test program says it has skipped: pairs of what it lacks and the line."""
    lines = [line.removeprefix("skipped: ") for line in output.splitlines() if line.startswith("skipped: ")]
    for line in lines or [NO_REASON]:
        found = FEATURE.search(line)
        yield (found[1] if found else NO_REASON), line


def skipped_tests(report):
    """Names of the tests that ctest has skipped, each with what it lacks."""
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        if case.get("status") == "notrun" and case.find("skipped") is not None:
            yield case.get("name"), list(reasons(case.findtext("system-out") or ""))


def summary(skips, allowed):
    """Lines to be shown, and whether a test was skipped that may not be."""
    by_feature = collections.defaultdict(list)
    for name, found in skips:
        for feature, line in found:
            by_feature[feature].append((name, line))
    lines, is_bad = [], False
    for feature, found in sorted(by_feature.items()):
        names = dict.fromkeys(name for name, _ in found)
        is_expected = allowed is None or feature in allowed
        is_bad |= not is_expected
        verdict = "" if is_expected else "  NOT EXPECTED HERE"
        lines.append(f"skipped for want of {feature}: {len(names)} of the tests above, e.g. {found[0][1]}{verdict}")
        if not is_expected:
            lines += [f"    {name}: {line}" for name, line in found]
    return lines, is_bad


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    preset, *options = sys.argv[1:]
    report = ROOT / "build" / preset / "Testing" / "skips.xml"
    report.parent.mkdir(parents=True, exist_ok=True)
    report.unlink(missing_ok=True)
    status = subprocess.run(["ctest", "--preset", preset, "--output-junit", report,
                             "--test-output-size-passed", "1000000", *options], cwd=ROOT).returncode
    if not report.exists():
        sys.exit(status or 1)
    allowed = os.environ.get("EDDY_MAY_SKIP")
    lines, is_bad = summary(skipped_tests(report), None if allowed is None else allowed.split())
    print("\n".join(lines or ["no test was skipped"]), flush=True)
    sys.exit(status or int(is_bad))


if __name__ == "__main__":
    main()
