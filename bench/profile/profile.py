#!/usr/bin/env python3
"""Where a server's processor time goes in a scenario of eddy-bench: perf records it, a table and a flame graph show it.

    bench/profile/profile.py build/profile/bin --scenario http_small [--peer eddy] [--out build/profile]
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))

import flame_graph  # noqa: E402
import samples  # noqa: E402
import shares  # noqa: E402
import stacks  # noqa: E402
from places import Places  # noqa: E402

# One configuration of each scenario, where nobody waits and messages are small: what the server itself costs.
CONFIGURATIONS = {
    "echo": ["--payload", "128", "--connections", "50"],
    "http_small": ["--connections", "32"],
    "http_file": ["--payload", "1k", "--connections", "32"],
    "http_tls": ["--connections", "32"],
    "http_post": ["--payload", "1k", "--connections", "32"],
    "ws_echo": ["--payload", "64", "--connections", "100"],
    "memcached": ["--connections", "50"],
    "memcached_pairs": ["--connections", "4"],
}


def main():
    arguments = parse()
    arguments.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as directory:
        measured = run(arguments, pathlib.Path(directory))
        recordings = recorded(pathlib.Path(directory))
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
    parser.add_argument("programs", type=pathlib.Path, help="the directory of eddy-bench, built with frame pointers")
    parser.add_argument("--scenario", required=True)
    parser.add_argument("--peer", default="eddy")
    parser.add_argument("--payload", help="of the scenario; by default a small one")
    parser.add_argument("--connections", help="of the scenario; by default many")
    parser.add_argument("--seconds", default="5", help="how long to load the server")
    parser.add_argument("--frequency", default="4999", help="samples per second")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/profile"), help="where the flame graph goes")
    return parser.parse_args()


def run(arguments, directory):
    """Has eddy-bench measure with its server under perf; gives what it found."""
    # Each server of the scenario gets a file of its own, $0 and the number of its process.
    record = f'exec perf record --quiet --no-buildid --no-buildid-cache -F {int(arguments.frequency)} -g -o "$0.$$" -- "$@"'
    prefix = [f"--server-prefix={word}" for word in ("/bin/sh", "-c", record, str(directory / "perf"))]
    chosen = list(CONFIGURATIONS.get(arguments.scenario, []))
    for option in ("--payload", "--connections"):
        if value := getattr(arguments, option[2:]):
            if option in chosen:
                at = chosen.index(option)
                del chosen[at:at + 2]
            chosen += [option, value]
    result = directory / "result.json"
    ran = subprocess.run([arguments.programs / "eddy-bench", "--scenario", arguments.scenario, "--peer", arguments.peer, *chosen,
                          "--seconds", arguments.seconds, "--repeat", "1", "--json", result, *prefix],
                         stdout=subprocess.DEVNULL)
    if ran.returncode != 0:
        sys.exit("profile: eddy-bench has failed")
    measured = []
    for each in json.loads(result.read_text())["configurations"]:
        summary = each["peers"][0]["summary"]
        if summary["errors"]:
            sys.exit(f"profile: {summary['errors']} requests went wrong")
        measured.append({"payload": each["payload"], "connections": each["connections"], "cpu_us": summary["cpu_us_per_request"]})
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
