#!/usr/bin/env python3
"""Prints how much memory of its own eddy-httpd uses for each of 20,000 idle connections.

    bench/checks/idle_memory.py build/release/bin [--connections 20000] [--backend epoll]

Each connection has had an answer before. The clients are in another process. What the kernel uses for the sockets is
not counted.
"""

import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests/apps"))
import clients  # noqa: E402
import program  # noqa: E402


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("programs", help="the folder of the built programs")
    options.add_argument("--connections", type=int, default=20_000)
    options.add_argument("--backend", default="auto")
    asked = options.parse_args()
    os.environ["PROGRAMS"] = asked.programs
    most = program.raise_descriptor_limit()
    if most < asked.connections + 100:
        asked.connections = most - 100
        print(f"the limit on open descriptors is {most}: {asked.connections} connections")
    with program.site() as root, program.Server("eddy-httpd", "--root", root, "--backend", asked.backend,
                                                "--idle-timeout", "600") as server:
        print(server.first_line.strip())
        server.ask()
        before = server.resident_bytes()
        with clients.Clients(server.port, asked.connections) as many:
            while server.descriptors() < asked.connections:
                server.ask()  # the last ones are being accepted
            connected = server.resident_bytes()
            many.ask_each(1)
            answered = server.resident_bytes()
        print(f"{asked.connections} connections: {(connected - before) / asked.connections:.0f} bytes each before their "
              f"first request, {(answered - before) / asked.connections:.0f} after its answer")
        status, _, errors = server.end()
    if status != 0 or errors:
        sys.exit(f"the server ended with {status}: {errors}")


if __name__ == "__main__":
    main()
