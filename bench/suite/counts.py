"""Counts the allocations and the system calls that servers need for a request.

Nothing is sampled: a library that is loaded into the server counts its allocations, perf its entries to the kernel
(strace, where perf may not). Each server answers an exact number of requests and, started anew, more of them; the
difference is what the requests between took.
"""

import shutil
import struct
import subprocess
import tempfile
from pathlib import Path

from . import processes, servers

# Scenario, payload, connections, and how many requests each of those makes in the shorter run.
CONFIGURATIONS = {
    ("echo", "128 B", 1): 2000,
    ("echo", "128 B", 50): 400,
    ("http_small", "13 B", 1): 2000,
    ("http_small", "13 B", 32): 500,
    ("http_file", "1 KiB", 32): 500,
    ("memcached_pairs", "set+get 100 B", 4): 2000,
    ("ws_echo", "64 B", 100): 200,
}
LONGER = 3
# Their programs allocate by means of their own.
_OWN_ALLOCATOR = ("go",)
# Asked to end, perf ends without a word. So the server is asked, and perf ends with it.
_ENDS_WITH_THE_SERVER = '"$@" & tool=$!; trap "kill \\$(cat /proc/$tool/task/$tool/children)" TERM; wait; wait'


def measure(session):
    tool = Tool.found()
    found = [each for each in servers.benchmarks(session.programs) if _requests_each(each)]
    return {"tool": tool.name, "counts": [count for each in found for count in counted(each, tool, session)]}


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
        raise processes.Failed("neither perf nor strace may count system calls here")

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


def _requests_each(benchmark):
    key = tuple(benchmark.dimensions[name] for name in ("scenario", "payload", "connections"))
    return CONFIGURATIONS.get(key, 0)


def counted(benchmark, tool, session):
    """What each peer needs for a request."""
    each = _requests_each(benchmark)
    for peer in benchmark.subjects:
        shorter, longer = (run_one(benchmark, peer, tool, session, times * each) for times in (1, LONGER))
        requests, calls, allocations = (more - less for more, less in zip(longer, shorter, strict=True))
        yield {**benchmark.dimensions, "peer": peer, "requests": requests, "system_calls": calls / requests,
               "allocations": None if peer.startswith(_OWN_ALLOCATOR) else allocations / requests}


def run_one(benchmark, peer, tool, session, requests_each):
    """Requests, system calls and allocations of one server."""
    calls, allocations = session.directory / "calls", session.directory / "allocations"
    allocations.write_bytes(bytes(8))
    session.requests_each = requests_each
    session.server_prefix = [
        shutil.which("sh"), "-c", _ENDS_WITH_THE_SERVER, "sh", *tool.prefix(calls), shutil.which("env"),
        f"LD_PRELOAD={session.programs / 'eddy-bench-allocations.so'}", f"EDDY_BENCH_ALLOCATIONS={allocations}"]
    try:
        sample = benchmark.measure(session, peer, 0.1, 0)
    finally:
        session.requests_each, session.server_prefix = 0, []
    return sample["items"], tool.read(calls.read_text(encoding="utf-8")), struct.unpack("=Q", allocations.read_bytes())[0]
