#!/usr/bin/env python3
"""Runs the built tests of a preset in worlds other than a developer's machine.

    scripts/worlds.py [--preset release] [--jobs N] [--seconds N] [WORLD]...
    scripts/worlds.py --list

Each world runs the tests of the directories for which it matters, in an order that is the same each time, for a while
(--seconds, 30 by default; 0 and WORLDS=all in the environment: all of them). A test passes, or is skipped for want of
what the world lacks; anything else is a failure, and is shown. Worlds that take a privilege are entered by root only
and left out, with a word about it, by others.
"""

import argparse
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import run_tests
import world

ROOT = Path(__file__).resolve().parent.parent
SKIPPED = 77
# Of those that need not be run twice: what tests the tree itself, and what counts instructions.
NOT_A_WORLDS = re.compile(r"^(rules|support|guard|bench|install|browser|differential|explore)\.|^core\.refused\.")
NETWORK = "net|datagrams|connections|dropping|io_scenarios|http_client|http_server|tls|apps|examples"
CORE = "backend|runtime|shutdown|os|fs|io|testing|scenarios"


@dataclasses.dataclass
class World:
    about: str
    directories: str                # which tests matter
    lacks: tuple = ()           # what tests may be skipped for want of
    needs_root: bool = False


WORLDS = {
    "user": World("an ordinary user, 8 MiB of locked memory, 1,024 descriptors",
                  f"{CORE}|{NETWORK}|integrations_.*|http_websocket|static_sites|combine|sync", ("mount", "own-user"), True),
    "no-io-uring": World("io_uring is refused, as in containers", f"{CORE}|{NETWORK}", ("io_uring",)),
    "no-ipv6": World("only 127.0.0.1: no IPv6, no name server", f"{NETWORK}|backend|integrations_.*", ("ipv6", "multicast", "name-server"), True),
    "one-cpu": World("one CPU", f"{CORE}|{NETWORK}|sync|combine|http_websocket|integrations_.*", ("cpus",)),
    "space": World("TMPDIR holds a space", "fs|os|io|http_server|http_client|static_sites|apps|examples|integrations_.*"),
    "no-stdin": World("standard input is closed", f"{CORE}|net|http_server|apps|examples"),
    "few-descriptors": World("256 descriptors", f"{CORE}|{NETWORK}|http_websocket|integrations_.*", ("descriptors",)),
}


@dataclasses.dataclass
class Test:
    name: str
    command: list
    directory: str
    environment: dict
    timeout: float


def tests_of(preset):
    listed = json.loads(subprocess.run(["ctest", "--preset", preset, "--show-only=json-v1"], cwd=ROOT, check=True,
                                       capture_output=True, text=True).stdout)
    for each in listed["tests"]:
        properties = {entry["name"]: entry["value"] for entry in each.get("properties", [])}
        if "command" not in each or NOT_A_WORLDS.search(each["name"]) or "PASS_REGULAR_EXPRESSION" in properties:
            continue
        environment = dict(entry.split("=", 1) for entry in properties.get("ENVIRONMENT", []))
        yield Test(each["name"], each["command"], properties["WORKING_DIRECTORY"], environment,
                   float(properties.get("TIMEOUT", 300)))


def run(test, name):
    """Its exit status, None after its time is over, and what it wrote."""
    enter = [sys.executable, str(ROOT / "scripts" / "world.py"), name, *test.command]
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        process = subprocess.Popen(enter, cwd=test.directory, env={**os.environ, **test.environment}, stdout=output,
                                   stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            status = process.wait(test.timeout)
        except subprocess.TimeoutExpired:
            status = None
        # What a test has left behind goes with it.
        world.kill_session(process)
        output.seek(0)
        return status, output.read()


def run_world(name, tests, jobs, seconds):
    """Whether all that was run is as it should be."""
    about = WORLDS[name]
    of_world = re.compile(rf"^({about.directories})\.")
    chosen = sorted((test for test in tests if of_world.search(test.name)),
                    key=lambda test: hashlib.sha256(test.name.encode()).digest())
    end = time.monotonic() + seconds if seconds else float("inf")
    passed, skips, failed = 0, [], []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        def run_in_time(test):
            return (test, *run(test, name)) if time.monotonic() < end else None
        for done in pool.map(run_in_time, chosen):
            if done is None:
                continue
            test, status, output = done
            if status == 0:
                passed += 1
            elif status == SKIPPED:
                skips.append((test.name, list(run_tests.reasons(output))))
            else:
                failed.append(test.name)
                print(f"--- {test.name} in the world {name}: "
                      f"{'took too long' if status is None else f'status {status}'}\n{output[-8000:]}", flush=True)
    lines, is_bad = run_tests.summary(skips, about.lacks)
    print(f"{name} ({about.about}): {passed} passed, {len(skips)} skipped, {len(failed)} failed, of {len(chosen)}",
          *[f"    {line}" for line in lines], *[f"    FAILED {each}" for each in failed], sep="\n", flush=True)
    return not failed and not is_bad and passed > 0


def obstacle(name):
    """Why a world cannot be entered here, or None."""
    if not WORLDS[name].needs_root:
        return None
    if os.geteuid() != 0:
        return "it is root who can enter it"
    tried = subprocess.run([sys.executable, str(ROOT / "scripts" / "world.py"), name, "test", "-r",
                            str(ROOT / "CMakeLists.txt")], capture_output=True, text=True)
    return f"the tree cannot be read there. {tried.stderr}".rstrip() if tried.returncode else None


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("worlds", nargs="*", metavar="WORLD")
    options.add_argument("--preset", default="release")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    options.add_argument("--seconds", type=int, default=0 if os.environ.get("WORLDS") == "all" else 30)
    options.add_argument("--tests", default="", help="only those whose name this expression finds")
    options.add_argument("--list", action="store_true")
    asked = options.parse_args()
    if asked.list:
        for name, about in WORLDS.items():
            print(f"{name:16} {about.about}")
        return
    if unknown := set(asked.worlds) - set(WORLDS):
        options.error(f"unknown: {', '.join(sorted(unknown))}; there are: {', '.join(WORLDS)}")
    tests = [test for test in tests_of(asked.preset) if re.search(asked.tests, test.name)]
    is_good = True
    for name in asked.worlds or WORLDS:
        if reason := obstacle(name):
            print(f"{name} ({WORLDS[name].about}): LEFT OUT, since {reason}")
            continue
        is_good &= run_world(name, tests, asked.jobs, asked.seconds)
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
