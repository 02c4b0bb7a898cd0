#!/usr/bin/env python3
"""Prints what a request over HTTP/2 costs eddy beside one over HTTP/1.1, with 100 at once, and fails if that is too much.

    bench/checks/http2_cost.py build/bench/bin [--rounds 5] [--ratio-max 1.6]

h2load makes them: HTTP/2 on one connection with 100 streams, HTTP/1.1 on 100 connections. The figures are the processor's
time of a server with one worker, the median of the rounds. Uploads need the program eddy-bench-http-eddy.
"""

import argparse
import os
import re
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from suite import processes  # noqa: E402

FILES = {"hello": b"Hello World\n", "file": b"x" * 1024, "upload": b"x" * 65536}
KINDS = {"a file of 12 bytes": "hello", "a file of 1 KiB": "file", "an upload of 64 KiB": "count"}
HTTP1, HTTP2 = ("--h1", "-c", "100", "-m", "1"), ("-c", "1", "-m", "100")


def load(directory, port, target, how, requests):
    body = ["-d", directory / "upload"] if target == "count" else []
    said = processes.run([shutil.which("h2load"), *how, "-n", str(requests), *body, f"http://127.0.0.1:{port}/{target}"],
                         sorted(os.sched_getaffinity(0))[-1:])
    if not re.search(f" {requests} succeeded, 0 failed, 0 errored, 0 timeout", said):
        sys.exit(f"not all was answered well: {said}")


def measure(programs, directory, backend, target, how, requests):
    """CPU time for each request, in microseconds."""
    port = processes.free_port()
    words = ["eddy-bench-http-eddy"] if target == "count" else ["eddy-httpd", "--root", directory]
    command = [programs / words[0], *words[1:], "--port", port, "--backend", backend, "--workers", "1", "--h2c"]
    with processes.serving(command, port, b"GET /hello HTTP/1.0\r\n\r\n", directory / "log",
                           sorted(os.sched_getaffinity(0))[:1]) as server:
        load(directory, port, target, how, requests // 10)
        before = processes.cpu_seconds(server.pid)
        load(directory, port, target, how, requests)
        return (processes.cpu_seconds(server.pid) - before) / requests * 1e6


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("programs", type=Path, help="the directory of the built programs")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--ratio-max", type=float, default=1.6)
    asked = options.parse_args()
    worst = 0
    with tempfile.TemporaryDirectory(prefix="eddy-http2-cost-") as name:
        directory = Path(name)
        for file, content in FILES.items():
            (directory / file).write_bytes(content)
        for about, target in KINDS.items():
            if target == "count" and not (asked.programs / "eddy-bench-http-eddy").exists():
                continue
            requests = 20_000 if target == "count" else 100_000
            for backend in ("io_uring", "epoll"):
                rounds = [[measure(asked.programs, directory, backend, target, how, requests) for how in (HTTP1, HTTP2)]
                          for _ in range(asked.rounds)]
                old, new = (statistics.median(each) for each in zip(*rounds, strict=True))
                print(f"{about}, {backend}: HTTP/1.1 {old:.2f} us, HTTP/2 {new:.2f} us, {new / old:.2f}", flush=True)
                worst = max(worst, new / old)
    if worst > asked.ratio_max:
        sys.exit(f"more than {asked.ratio_max}")


if __name__ == "__main__":
    main()
