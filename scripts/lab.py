#!/usr/bin/env python3
"""Builds and tests a lab of the course, and prints its score card.

    scripts/lab.py 1                     lab 1, as it is in course/solution/lab1; the skeleton is copied there at first
    scripts/lab.py 3 --from reference    with the reference's solutions of the labs before it
    scripts/lab.py 1 --watch             again whenever a file changes
    scripts/lab.py --check [1 4]         the course itself: references, skeletons and typical mistakes

The card has 100 points: 60 for the steps, 25 for memory (the same under sanitizers, and more), 15 for speed. All
cards together are build/course/cards.html.
"""

import argparse
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

from course import card as cards  # noqa: E402
from course import check, page, tests  # noqa: E402
from course.build import COURSE, LABS, ROOT, Build, Failed, headers_for, make_skeleton  # noqa: E402

OUTPUT = ROOT / "build/course"


def copy_skeleton(lab):
    solution = COURSE / f"solution/lab{lab}"
    if not solution.exists():
        make_skeleton(lab, solution)
        print(f"Your files are in {solution.relative_to(ROOT)}/, made from the skeleton.")


def run_lab(lab, from_reference):
    """Builds a lab, prints its card and what to look at next. Whether all is done."""
    started = time.monotonic()
    build = Build(OUTPUT / "reader", headers_for(lab, from_reference))
    earlier = [str(each) for each in LABS if each < lab and build.headers[each].parent.name == "reference"]
    if earlier:
        print(f"From the reference: lab {', '.join(earlier)}")
    build.configure()
    # The steps first, since an error of the compiler shows there soonest.
    build.compile(f"lab{lab}_steps")
    build.compile(f"lab{lab}")
    results = [result for kind, program in build.programs(lab).items() for result in tests.run_program(kind, program)]
    card = cards.make_card(lab, results)
    print("\n" + "\n".join(cards.lines_of(card)))
    print_next_step(lab, cards.first_trouble(results))
    cards.save(card, OUTPUT / "cards")
    (OUTPUT / "cards.html").write_text(page.page_of(OUTPUT / "cards"), encoding="utf-8")
    print(f"\n{time.monotonic() - started:.0f} s; all cards: build/course/cards.html")
    return card.is_done


def print_next_step(lab, trouble):
    if trouble is None:
        print(f"\nAll of it. {f'Next: make lab N={lab + 1}' if lab + 1 in LABS else 'That was the course.'}")
        return
    where = {"memory": ", under AddressSanitizer", "threads": ", under ThreadSanitizer"}.get(trouble.kind, "")
    if trouble.state == "is not begun":
        step = trouble.texts("todo")
        anchor = f"#{cards.anchor(trouble.step, cards.step_titles(lab)[trouble.step])}" if trouble.step else ""
        print(f"\nNext: {step[0] if step else trouble.suite}\nread: course/lab{lab}/README.md{anchor}")
    else:
        print(f"\n{trouble.suite}: {cards.sentence(trouble.name)}: it {trouble.state}{where}\n{trouble.message()}")


def times_of(directory):
    return {path: path.stat().st_mtime_ns for path in directory.rglob("*") if path.is_file()}


def watch(lab, from_reference):
    while True:
        before = times_of(COURSE / "solution")
        print("\n" + "=" * 80)
        attempt(lab, from_reference)
        print("Waits for a change of your files (Ctrl-C ends it)")
        while times_of(COURSE / "solution") == before:
            time.sleep(0.3)


def attempt(lab, from_reference):
    try:
        return run_lab(lab, from_reference)
    except Failed as problem:
        print(f"\n{problem}")
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lab", nargs="*", type=int)
    parser.add_argument("--from", dest="source", choices=("reference", "solution"), default="solution")
    parser.add_argument("--watch", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--part", action="append", choices=("texts", "references", "skeletons", "mistakes"), help="of --check: not all of it")
    arguments = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)
    missing = [lab for lab in arguments.lab if lab not in LABS]
    if missing:
        sys.exit(f"lab: there is no lab {missing[0]}; there are: {', '.join(map(str, LABS))}")
    if arguments.check:
        sys.exit(0 if check.check(arguments.lab or LABS, OUTPUT / "check", arguments.part) else 1)
    if len(arguments.lab) != 1:
        sys.exit("lab: name one lab, as in 'make lab N=1'")
    lab = arguments.lab[0]
    from_reference = arguments.source == "reference"
    copy_skeleton(lab)
    if arguments.watch:
        try:
            watch(lab, from_reference)
        except KeyboardInterrupt:
            return
    sys.exit(0 if attempt(lab, from_reference) else 1)


if __name__ == "__main__":
    main()
