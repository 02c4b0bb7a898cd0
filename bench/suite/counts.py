#!/usr/bin/python3
"""Counts the allocations and the system calls that servers need for a request.

    bench/suite/counts.py build/bench --json counts.json

Nothing is sampled: a library that is loaded into the server counts its allocations, perf its entries to the kernel
(strace, where perf may not). Each server answers an exact number of requests and, started anew, more of them; the
difference is what the requests between took.
"""

import argparse
import json
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

# Scenario, size of the payload, connections, and how many requests each of those makes in the shorter run.
CONFIGURATIONS = (
    ("echo", 128, 1, 2000),
    ("echo", 128, 50, 400),
    ("http_small", 13, 1, 2000),
    ("http_small", 13, 32, 500),
    ("http_file", 1024, 32, 500),
    ("memcached_pairs", 100, 4, 2000),
    ("ws_echo", 64, 100, 200),
)
LONGER = 3
# Their programs allocate by means of their own.
_OWN_ALLOCATOR = ("go",)
_RUN_S_MAX = 120
# Asked to end, perf ends without a word. So the server is asked, and perf ends with it.
_ENDS_WITH_THE_SERVER = '"$@" & tool=$!; trap "kill \\$(cat /proc/$tool/task/$tool/children)" TERM; wait; wait'


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("build", type=Path, help="the folder of a build")
    options.add_argument("--json", type=Path, required=True, help="where to write what was found")
    asked = options.parse_args()
    programs = asked.build.resolve() / "bin"
    try:
        tool = Tool.found()
        found = [count for configuration in CONFIGURATIONS for count in counted(programs, configuration, tool)]
    except RuntimeError as error:
        sys.exit(f"counts: {error}")
    asked.json.write_text(json.dumps({"tool": tool.name, "counts": found}, indent=1) + "\n", encoding="utf-8")


class Tool:
    """What counts system calls."""

    def __init__(self, name, arguments, read):
        self.name = name
        self._arguments = arguments
        self.read = read

    def prefix(self, output):
        return [each.replace("{output}", str(output)) for each in self._arguments]

    @staticmethod
    def found():
        for tool in (Tool("perf", [shutil.which("perf"), "stat", "-x,", "-e", "raw_syscalls:sys_enter", "-o", "{output}",
                                   "--"], calls_in_perf),
                     Tool("strace", [shutil.which("strace"), "-f", "-c", "-o", "{output}"], calls_in_strace)):
            if tool.works():
                return tool
        raise RuntimeError("neither perf nor strace may count system calls here")

    def works(self):
        if not self._arguments[0]:
            return False
        with tempfile.NamedTemporaryFile() as output:
            done = subprocess.run([*self.prefix(output.name), shutil.which("true")], check=False,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if done.returncode != 0:
                return False
            try:
                return self.read(Path(output.name).read_text(encoding="utf-8")) > 0
            except ValueError:
                return False


def calls_in_perf(text):
    """The count in what `perf stat -x,` writes."""
    for line in text.splitlines():
        fields = line.split(",")
        if len(fields) > 2 and fields[2].startswith("raw_syscalls:sys_enter"):
            return int(fields[0])
    raise ValueError("perf has not counted")


def calls_in_strace(text):
    """The total in what `strace -c` writes."""
    for line in text.splitlines():
        fields = line.split()
        if fields and fields[-1] == "total":
            return int(fields[3])
    raise ValueError("strace has not counted")


def counted(programs, configuration, tool):
    """What each peer of a configuration needs for a request."""
    scenario, size, connections, each = configuration
    shorter = run_all(programs, configuration, tool, each)
    longer = run_all(programs, configuration, tool, each * LONGER)
    for key, (requests, calls, allocations) in longer.items():
        more = requests - shorter[key][0]
        payload, peer = key
        yield {"scenario": scenario, "payload": payload, "connections": connections, "peer": peer, "requests": more,
               "system_calls": (calls - shorter[key][1]) / more,
               "allocations": None if peer.startswith(_OWN_ALLOCATOR) else (allocations - shorter[key][2]) / more}


def run_all(programs, configuration, tool, requests_each):
    """Requests, system calls and allocations of each peer, by payload and peer."""
    scenario, size, connections, _ = configuration
    chosen = ["--scenario", scenario, "--payload", str(size), "--connections", str(connections)]
    with tempfile.TemporaryDirectory() as folder:
        listing = Path(folder, "list.json")
        run([programs / "eddy-bench", "--list", *chosen, "--json", listing])
        offers = json.loads(listing.read_text(encoding="utf-8"))["configurations"]
        peers = list(dict.fromkeys(peer for offer in offers for peer in offer["peers"]))
        found = {}
        for peer in peers:
            found.update(run_one(programs, [*chosen, "--peer", peer], tool, requests_each, Path(folder)))
        return found


def run_one(programs, chosen, tool, requests_each, folder):
    calls, allocations, result = folder / "calls", folder / "allocations", folder / "result.json"
    allocations.write_bytes(bytes(8))
    prefix = [shutil.which("sh"), "-c", _ENDS_WITH_THE_SERVER, "sh", *tool.prefix(calls), shutil.which("env"),
              f"LD_PRELOAD={programs / 'eddy-bench-allocations.so'}", f"EDDY_BENCH_ALLOCATIONS={allocations}"]
    run([programs / "eddy-bench", *chosen, "--requests", str(requests_each), "--repeat", "1", "--json", result,
         *(f"--server-prefix={word}" for word in prefix)])
    measured = json.loads(result.read_text(encoding="utf-8"))["configurations"]
    if len(measured) != 1:
        return {}  # its counts could not be told apart
    (peer,) = measured[0]["peers"]
    return {(measured[0]["payload"], peer["peer"]): (
        peer["rounds"][0]["requests"], tool.read(calls.read_text(encoding="utf-8")),
        struct.unpack("=Q", allocations.read_bytes())[0])}


def run(command):
    done = subprocess.run([str(each) for each in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, timeout=_RUN_S_MAX)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(str(each) for each in command)}\n{done.stdout}")


if __name__ == "__main__":
    main()
