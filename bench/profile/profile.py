#!/usr/bin/env python3
"""Where a server's processor time goes in a scenario: perf records it, a table and a flame graph show it.

    bench/profile/profile.py build/profile/bin --scenario http_small [--peer eddy] [--out build/profile]
"""

import argparse
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent)]

import flame_graph  # noqa: E402
import samples  # noqa: E402
import shares  # noqa: E402
import stacks  # noqa: E402
from places import Places  # noqa: E402
from suite import benchmark, servers  # noqa: E402
from suite.processes import Failed  # noqa: E402

# One configuration of each scenario, where nobody waits and messages are small: what the server itself costs.
CONFIGURATIONS = {
    "echo": "128 B, 50 ",
    "http_small": "13 B, 32 ",
    "http_file": "1 KiB, 32 ",
    "http_tls": "1 KiB, 32 ",
    "http_post": "1 KiB, 32 ",
    "ws_echo": "64 B, 100 ",
    "memcached": ".* 50 ",
    "memcached_pairs": ".* 4 ",
}


def main():
    arguments = parse()
    arguments.out.mkdir(parents=True, exist_ok=True)
    try:
        with benchmark.Session(arguments.programs.resolve()) as session:
            measured = run(arguments, session)
            recordings = recorded(session.directory)
    except Failed as error:
        sys.exit(f"profile: {error}")
    if len(recordings) != len(measured) or not all(recordings):
        sys.exit("profile: perf recorded nothing; may it? See kernel.perf_event_paranoid")
    for each, found in zip(measured, recordings):
        show(arguments, each, found, is_only=len(measured) == 1)


def show(arguments, measured, found, is_only):
    """Prints the table of one configuration and draws its flame graph."""
    places = Places()
    places.learn(found)
    name = arguments.scenario if arguments.peer == "eddy" else f"{arguments.scenario}-{arguments.peer}"
    if not is_only:
        name = re.sub(r"\W+", "-", f"{name} {measured['payload']} {measured['connections']}").lower()
    about = f"{measured['payload']}, {measured['connections']} connections, {measured['cpu_us']:.2f} \u00b5s of CPU per request"
    svg = arguments.out / f"{name}.svg"
    tree = stacks.tree(found, places.owner)
    svg.write_text(flame_graph.draw(tree, f"{arguments.scenario}, {arguments.peer}", about), encoding="utf-8")
    (arguments.out / f"{name}.folded").write_text(stacks.folded(found), encoding="utf-8")
    print(f"{arguments.scenario}, {arguments.peer}: {about}; {sum(found.values())} samples")
    print(shares.table(found, places.owner, measured["cpu_us"]), end="")
    print(f"flame graph: {svg}\n")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=pathlib.Path, help="the directory of the programs, built with frame pointers")
    parser.add_argument("--scenario", required=True)
    parser.add_argument("--peer", default="eddy")
    parser.add_argument("--configuration", metavar="REGEX",
                        help='the beginning of its name, like "16 KiB, 1 "; by default one of small messages on many connections')
    parser.add_argument("--seconds", type=float, default=5, help="how long to load the server")
    parser.add_argument("--frequency", default="4999", help="samples per second")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/profile"), help="where the flame graph goes")
    return parser.parse_args()


def run(arguments, session):
    """Measures with the server under perf; gives what was found."""
    # Each server of the scenario gets a file of its own, $0 and the number of its process.
    record = f'exec perf record --quiet --no-buildid --no-buildid-cache -F {int(arguments.frequency)} -g -o "$0.$$" -- "$@"'
    session.server_prefix = ["/bin/sh", "-c", record, session.directory / "perf"]
    wanted = arguments.configuration or CONFIGURATIONS.get(arguments.scenario, "")
    chosen = [each for each in servers.benchmarks(session.programs) if arguments.peer in each.subjects
              and re.match(f"{arguments.scenario}, {wanted}", each.name)]
    if not chosen:
        raise Failed(f"{arguments.peer} has no such configuration of {arguments.scenario}")
    measured = []
    for each in chosen:
        sample = each.measure(session, arguments.peer, arguments.seconds, 0.5)
        if sample["errors"]:
            raise Failed(f"{sample['errors']} requests went wrong")
        measured.append({**each.dimensions, "cpu_us": sample["cpu_seconds"] * 1e6 / sample["items"]})
    return measured


def recorded(directory):
    """The stacks of each recording, in the order in which they were made."""
    found = []
    for file in sorted(directory.glob("perf.*"), key=lambda each: each.stat().st_mtime):
        printed = subprocess.run(["perf", "script", "-i", file, *samples.FIELDS], check=True, text=True, errors="replace",
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        found.append(samples.read(printed.splitlines()))
    return found


if __name__ == "__main__":
    main()
