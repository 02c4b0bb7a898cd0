#!/usr/bin/env python3
"""Runs an example and compares what it prints with what its first lines say.

    check_output.py PROGRAM SOURCE

The source says it after a line that ends with 'It prints:', in indented lines of the same comment. Where EDDY_SHUFFLE
shuffles the order of tasks, the lines may come in another order too.
"""

import os
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import refused_backend  # noqa: E402

SECONDS_MAX = 100


def promised_output(source):
    with open(source, encoding="utf-8") as file:
        comment = []
        for line in file:
            if not line.startswith("//"):
                break
            comment.append(line[2:].rstrip("\n"))
    starts = [at for at, line in enumerate(comment) if line.endswith("It prints:")]
    if len(starts) != 1:
        sys.exit(f"{source}: one line of the first comment ends with 'It prints:'")
    lines = [line[5:] for line in comment[starts[0] + 1:] if line.startswith("     ")]
    if not lines:
        sys.exit(f"{source}: says nothing after 'It prints:'")
    return lines


def are_same(printed, promised):
    is_shuffled = os.environ.get("EDDY_SHUFFLE", "") not in ("", "0")
    return sorted(printed) == sorted(promised) if is_shuffled else printed == promised


def main():
    refused_backend.skip_if_refused()
    program, source = sys.argv[1:]
    promised = promised_output(source)
    ended = subprocess.run([program], capture_output=True, text=True, timeout=SECONDS_MAX)
    printed = ended.stdout.splitlines()
    if ended.returncode != 0 or not are_same(printed, promised):
        sys.stderr.write(ended.stderr)
        sys.exit(f"{program} ended with {ended.returncode} and printed\n  " + "\n  ".join(printed) +
                 "\ninstead of\n  " + "\n  ".join(promised))


if __name__ == "__main__":
    main()
