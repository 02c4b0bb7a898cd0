#!/usr/bin/env python3
"""Has the same requests parsed by eddy, by h11 and by Node's parser, and explains where they differ.

    compare.py build/release/tests/eddy-parse-requests [--count N] [--seed N] [--corpus DIRECTORY] [--show]

Exit status 1 if a difference has no explanation in explanations.py, and 77 if none was found but one parser is missing.
"""

import argparse
import collections
import json
import pathlib
import shutil
import struct
import subprocess
import sys

import explanations
import h11_parser
from requests import all_requests

HERE = pathlib.Path(__file__).parent


def framed(requests):
    return b"".join(struct.pack(">I", len(each)) + each for each in requests)


def run(command, requests):
    done = subprocess.run(command, input=framed(requests), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          timeout=240, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def normal(parsed):
    """What two parsers must agree on: names of fields differ in case only, their values in white space around, and
    1.1 is the highest version there is."""
    return (parsed["method"], parsed["target"], min(parsed["version"], 1), parsed["body"], parsed["end"],
            [(name.lower(), value.strip(" \t")) for name, value in parsed["fields"]])


def difference(ours, theirs):
    if ours["outcome"] != theirs["outcome"]:
        return f"{ours['outcome']}, theirs {theirs['outcome']}"
    if ours["outcome"] == "taken" and normal(ours) != normal(theirs):
        return "taken as another"
    return None


def main():
    options = argparse.ArgumentParser()
    options.add_argument("program")
    options.add_argument("--count", type=int, default=4000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--corpus", action="append", default=[])
    options.add_argument("--show", action="store_true", help="an example of each kind of difference")
    given = options.parse_args()

    requests = all_requests(given.count, given.seed, given.corpus)
    ours = run([given.program], requests)
    peers = {"h11": [h11_parser.parse(each) for each in requests]}
    if shutil.which("node"):
        peers["node"] = run(["node", str(HERE / "node_parser.js")], requests)
    else:
        print("skipped: node: [node] it is not installed: compared with h11 only")
    assert len(ours) == len(requests) and all(len(each) == len(requests) for each in peers.values())

    unexplained = 0
    for peer, parsed in peers.items():
        kinds = collections.Counter()
        examples = {}
        for request, mine, theirs in zip(requests, ours, parsed):
            kind = difference(mine, theirs)
            if kind is None:
                kinds["the same"] += 1
                continue
            why = explanations.explain(peer, request, mine, theirs)
            label = f"{kind}: {why or 'NOT EXPLAINED'}"
            if why is None:
                unexplained += 1
                label += f" (ours {mine.get('reason')}, theirs {theirs.get('reason')})"
            kinds[label] += 1
            examples.setdefault(label, (request, mine, theirs))
        print(f"{peer}, of {len(requests)} requests (seed {given.seed}):")
        for label, count in kinds.most_common():
            print(f"  {count:6}  {label}")
            if label in examples and (given.show or "NOT EXPLAINED" in label):
                request, mine, theirs = examples[label]
                print(f"          {request!r}\n          ours   {mine}\n          theirs {theirs}")
    print(f"{unexplained} differences are not explained")
    if unexplained:
        return 1
    return 0 if "node" in peers else 77  # as skipped (SKIP_RETURN_CODE)


if __name__ == "__main__":
    sys.exit(main())
