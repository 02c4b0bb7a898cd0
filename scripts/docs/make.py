#!/usr/bin/python3
"""Makes the site: reference of every public name, guides, architecture, programs, search.

    scripts/docs/make.py OUT [--check]

OUT is made anew. With --check the pages are examined, too: links, anchors, accessibility, the search. A public name without a
sentence is an error. What it needs is installed by scripts/setup.sh --with-docs; it runs with the system's Python, which has
Debian's packages.
"""

import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent)]

import check  # noqa: E402
from api import Api  # noqa: E402
from site_pages import Site  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()

    site = Site(Api(Path(__file__).resolve().parents[2]), arguments.out)
    site.make()
    findings = [*check.sentences(site)]
    if arguments.check:
        findings += [*check.pages(arguments.out), *check.found_by_search(site)]
    for finding in findings:
        print(finding, file=sys.stderr)
    pages = sum(1 for _ in arguments.out.rglob("*.html"))
    names = sum(1 for _ in site.reference.listed())
    print(f"docs: {pages} pages, {names} public names, {len(findings)} findings: {arguments.out}/index.html")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
