#!/usr/bin/env python3
"""A day's worth in ten minutes: eddy-httpd, with TLS and without, under mixed load, with what a day brings.

    bench/checks/soak.py build/release/bin [--minutes 10] [--backend epoll] [--workers 2] [--seed N]

eddy-load comes and goes, others look closely at ranges, conditions, codings, listings and a file that is replaced twice
a second, others reset connections, leave large answers, send halves of heads, bodies that nobody wants and nonsense;
WebSockets listen to the live page's feed; every 15 s comes SIGHUP, with another certificate. Every two minutes of load
all clients pause for half a minute, and memory is looked at. Fails if an answer was wrong, a normal client met an error,
memory grew by more than 2 % from the first pause to the last, descriptors or connections are left afterwards, there was
a 5xx, or the server did not drain in good order on SIGTERM.
"""

import argparse
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests/apps"))
import mixed_load  # noqa: E402
import program  # noqa: E402

LINE_S = 15
REST_S = 120


class Progress:
    """A line now and then."""

    def __init__(self):
        self.next_s = 0

    def __call__(self, load, at_s):
        if at_s < self.next_s:
            return
        self.next_s += LINE_S
        told = [f"{each.name} {each.samples[-1][1] / 2**20:6.2f} MiB {each.samples[-1][2]:5} descriptors"
                for each in load.servers]
        print(f"{at_s:5.0f} s  " + "   ".join(told), flush=True)


def print_table(load):
    rows = [
        ("requests", lambda each: each.figures["eddy_http_requests_total"]),
        ("connections", lambda each: each.figures["eddy_http_connections_accepted_total"]),
        ("WebSockets", lambda each: each.figures["eddy_http_upgrades_total"]),
        ("refused heads", lambda each: each.figures["eddy_http_refusals_total"]),
        ("MiB sent", lambda each: each.figures["eddy_http_sent_bytes_total"] >> 20),
        ("answers of 5xx", lambda each: each.refusals_5xx()),
        ("reloads", lambda each: each.reloads),
        ("most descriptors", lambda each: max(count for _, _, count in each.samples)),
        ("descriptors before", lambda each: each.quiet_descriptors),
        ("descriptors after", lambda each: len(each.descriptors)),
        ("MiB at most", lambda each: f"{max(size for _, size, _ in each.samples) / 2**20:.2f}"),
        *((f"MiB at rest {number}", lambda each, number=number: f"{each.rested_bytes[number - 1] / 2**20:.2f}")
          for number in range(1, len(load.servers[0].rested_bytes) + 1)),
        ("growth at rest", lambda each: f"{each.growth():+.2%}"),
    ]
    print(f"{'':20}" + "".join(f"{each.name:>14}" for each in load.servers))
    for name, value in rows:
        print(f"{name:20}" + "".join(f"{value(each):>14}" for each in load.servers))
    print("episodes: " + ", ".join(f"{name} {count}" for name, count in sorted(load.counts.items())))


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("programs", help="the directory of the built programs")
    options.add_argument("--minutes", type=float, default=10, help="of load; pauses come on top")
    options.add_argument("--backend", default="auto")
    options.add_argument("--workers", type=int, default=1, help="of each server")
    options.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    asked = options.parse_args()
    os.environ["PROGRAMS"] = asked.programs
    program.raise_descriptor_limit()
    print(f"seed {asked.seed}")
    load = mixed_load.MixedLoad(asked.minutes * 60, asked.seed, asked.backend, asked.workers,
                                rest_s=min(REST_S, asked.minutes * 30), tell=Progress())
    load.run()
    print_table(load)
    broken = load.broken_rules()
    for rule in broken[:20]:
        print("broken:", rule)
    sys.exit(f"{len(broken)} rules were broken" if broken else 0)


if __name__ == "__main__":
    main()
