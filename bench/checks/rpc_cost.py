#!/usr/bin/env python3
"""Prints what calls of gRPC cost a server: how many a second, and its processor time for each.

    bench/checks/rpc_cost.py build/release [--peers build/bench/bin] [--rounds 5] [--seconds 2] [--backend epoll]

Calls of grpc.testing.TestService, made by h2load: UnaryCall with 100 bytes each way, 50 at once on one connection, and
StreamingOutputCall, which answers with 1,000 messages of 100 bytes, ten at once. The servers are eddy-grpc-interop,
libgrpc++'s with callbacks and with blocked threads (tests/rpc_interop/grpcpp), and where they are built tonic's and grpc-go's, in
turns; each has one core of its own and one thread for calls, but for libgrpc++'s, and the client another core. The median
of the rounds counts.
"""

import argparse
import os
import re
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from suite import processes  # noqa: E402

SERVER_CORE, CLIENT_CORE = 0, 1
PAYLOAD_BYTES, MESSAGES = 100, 1000
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])


def framed(message):
    return b"\0" + len(message).to_bytes(4, "big") + message


def field(number, content):
    return bytes([number << 3 | 2, len(content)]) + content


# SimpleRequest{response_size: 100, payload: {body: 100 bytes}}
UNARY = framed(b"\x10" + bytes([PAYLOAD_BYTES]) + field(3, field(2, b"x" * PAYLOAD_BYTES)))
# StreamingOutputCallRequest{response_parameters: {size: 100}, 1,000 times}
STREAMING = framed(field(2, b"\x08" + bytes([PAYLOAD_BYTES])) * MESSAGES)
KINDS = {  # a method, what is sent, so many at once, how many items a call has, and who does not have the method
    "unary call": ("UnaryCall", UNARY, 50, 1, ()),
    "message of a stream": ("StreamingOutputCall", STREAMING, 10, MESSAGES, ("libgrpc++, callbacks",)),
}


def servers(build, peers, port, without):
    grpcpp = build / "tests/grpcpp_peer"
    found = {
        "eddy": [build / "eddy-grpc-interop", "--port", port],
        "libgrpc++, callbacks": [grpcpp, "serve_callbacks", port],
        "libgrpc++, threads": [grpcpp, "serve", port],
        "tonic": [peers / "eddy-bench-grpc-tonic", "--port", port],
        "grpc-go": [peers / "eddy-bench-grpc-go", "--port", port],
    }
    return {name: command for name, command in found.items() if command[0].exists() and name not in without}


def measure(command, port, kind, seconds):
    """Items a second, and microseconds of the server's processor time for each."""
    method, request, at_once, items, _ = KINDS[kind]
    url = f"http://127.0.0.1:{port}/grpc.testing.TestService/{method}"
    with tempfile.NamedTemporaryFile() as body, processes.serving(command, port, PREFACE, os.devnull, [SERVER_CORE]) as server:
        body.write(request)
        body.flush()
        load = [shutil.which("h2load"), "-c", "1", "-m", str(at_once), "-d", body.name, "-H", "content-type: application/grpc",
                "-H", "te: trailers"]
        processes.run([*load, "-n", str(at_once * 10), url], [CLIENT_CORE])
        before = processes.cpu_seconds(server.pid)
        told = processes.run([*load, "-D", str(seconds), url], [CLIENT_CORE], 60 + seconds)
        used = processes.cpu_seconds(server.pid) - before
    calls = int(re.search(r"(\d+) succeeded, 0 failed, 0 errored, 0 timeout", told)[1])
    answered = int(re.search(r"\((\d+)\) data", told)[1])
    if answered < calls * items * PAYLOAD_BYTES:
        raise processes.Failed(f"not all was answered well: {told}")
    return calls * items / seconds, used / (calls * items) * 1e6


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("build", type=Path, help="the directory of the build, with its tests")
    options.add_argument("--peers", type=Path, default="build/bench/bin", help="where those of bench/peers are")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--seconds", type=int, default=2, help="for each server in each round")
    options.add_argument("--backend", default="io_uring")
    chosen = options.parse_args()
    os.environ["EDDY_BACKEND"] = chosen.backend
    for kind in KINDS:
        found = {}
        for _ in range(chosen.rounds):
            port = str(processes.free_port())
            for name, command in servers(chosen.build, chosen.peers, port, KINDS[kind][-1]).items():
                found.setdefault(name, []).append(measure(command, port, kind, chosen.seconds))
        ours = statistics.median(cost for _, cost in found["eddy"])
        for name, rounds in found.items():
            speed, cost = (statistics.median(values) for values in zip(*rounds))
            costs = [each for _, each in rounds]
            print(f"{kind}, {name:21} {speed:9.0f} a second   {cost:6.2f} us of the server's for each ({min(costs):.2f} to {max(costs):.2f})"
                  f"   {cost / ours:5.2f} x eddy's on {chosen.backend}")


if __name__ == "__main__":
    main()
