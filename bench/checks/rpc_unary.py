#!/usr/bin/env python3
"""Prints what a unary call costs a server: calls a second, and its processor time for each.

    bench/checks/rpc_unary.py build/release [--rounds 5] [--calls 100000] [--backend epoll]

UnaryCall of grpc.testing.TestService with 100 bytes each way, 50 at once on one connection, made by h2load. The servers are
eddy-grpc-interop, with one worker, and libgrpc++'s with callbacks and with blocked threads (tests/rpc_interop/grpcpp), in turns;
each has one core of its own, and the client another. The median of the rounds counts.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile

SERVER_CORE, CLIENT_CORE = 0, 1
PAYLOAD_BYTES = 100


def request():
    """A frame with SimpleRequest{response_size: 100, payload: {body: 100 bytes}}."""
    body = b"\x12" + bytes([PAYLOAD_BYTES]) + b"x" * PAYLOAD_BYTES
    message = b"\x10" + bytes([PAYLOAD_BYTES]) + b"\x1a" + bytes([len(body)]) + body
    return b"\0" + len(message).to_bytes(4, "big") + message


def processor_s(process):
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(command, calls, file):
    """Calls a second, and microseconds of the server's processor time for each."""
    server = subprocess.Popen(["taskset", "-c", str(SERVER_CORE), *command], stdout=subprocess.PIPE, text=True)
    try:
        port = server.stdout.readline().rsplit(":", 1)[1].strip()
        load = ["taskset", "-c", str(CLIENT_CORE), "h2load", "-c", "1", "-m", "50", "-d", file,
                "-H", "content-type: application/grpc", "-H", "te: trailers"]
        url = f"http://127.0.0.1:{port}/grpc.testing.TestService/UnaryCall"
        subprocess.run([*load, "-n", "5000", url], check=True, capture_output=True)
        before = processor_s(server.pid)
        told = subprocess.run([*load, "-n", str(calls), url], check=True, capture_output=True, text=True).stdout
        used = processor_s(server.pid) - before
    finally:
        server.kill()
        server.communicate()
    if f"{calls} succeeded" not in told:
        sys.exit(f"not all calls succeeded:\n{told}")
    return float(re.search(r"([\d.]+) req/s", told)[1]), used / calls * 1e6


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("build", help="the directory of the build, with its tests")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--calls", type=int, default=100_000)
    options.add_argument("--backend", default="io_uring")
    asked = options.parse_args()
    os.environ["EDDY_BACKEND"] = asked.backend
    servers = {
        f"eddy ({asked.backend})": [os.path.join(asked.build, "eddy-grpc-interop"), "--port", "0"],
        "libgrpc++, callbacks": [os.path.join(asked.build, "tests/grpcpp_peer"), "serve_callbacks", "0"],
        "libgrpc++, threads": [os.path.join(asked.build, "tests/grpcpp_peer"), "serve", "0"],
    }
    found = {name: [] for name in servers}
    with tempfile.NamedTemporaryFile() as body:
        body.write(request())
        body.flush()
        for _ in range(asked.rounds):
            for name, command in servers.items():
                found[name].append(measure(command, asked.calls, body.name))
    for name, rounds in found.items():
        speed, cost = (statistics.median(values) for values in zip(*rounds))
        costs = [each for _, each in rounds]
        print(f"{name:24} {speed:9.0f} calls/s   {cost:6.2f} us of the server's for each ({min(costs):.2f} to {max(costs):.2f})")


if __name__ == "__main__":
    main()
