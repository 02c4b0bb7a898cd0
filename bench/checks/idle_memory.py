#!/usr/bin/env python3
"""Prints how much memory of its own eddy-httpd uses for each idle connection, and fails if that is too much.

    bench/checks/idle_memory.py build/release/bin [--tls] [--connections 20000] [--backend epoll]

Each connection has had an answer before. Plain ones may take 1.5 KiB each, those over TLS 45 KiB. The clients are in
another process. What the kernel uses for the sockets is not counted.
"""

import argparse
import os
import ssl
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests/apps"))
import certificates  # noqa: E402
import clients  # noqa: E402
import program  # noqa: E402

PLAIN_BYTES_MAX = 1536
TLS_BYTES_MAX = 45 * 1024


def trusting_everybody():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def measure(asked, root, tls_options, wrap):
    with program.Server("eddy-httpd", "--root", root, "--backend", asked.backend, "--idle-timeout", "600",
                        *tls_options) as server:
        print(server.first_line.strip())
        # The first ones fill what is made once for all.
        with clients.Clients(server.port, 16, wrap) as first:
            first.ask_each(1)
        idle = server.descriptors()
        before = server.resident_bytes()
        with clients.Clients(server.port, asked.connections, wrap) as many:
            while server.descriptors() < asked.connections:
                time.sleep(0.02)  # the last ones are being accepted
            connected = server.resident_bytes()
            many.ask_each(1)
            answered = server.resident_bytes()
        assert idle < 100, "the first clients have not gone"
        status, _, errors = server.end()
    if status != 0 or errors:
        sys.exit(f"the server ended with {status}: {errors}")
    return (connected - before) / asked.connections, (answered - before) / asked.connections


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("programs", help="the directory of the built programs")
    options.add_argument("--connections", type=int, help="20000, with TLS 4000")
    options.add_argument("--backend", default="auto")
    options.add_argument("--tls", action="store_true", help="connections over TLS 1.3")
    asked = options.parse_args()
    asked.connections = asked.connections or (4000 if asked.tls else 20_000)
    os.environ["PROGRAMS"] = asked.programs
    most = program.raise_descriptor_limit()
    if most < asked.connections + 100:
        asked.connections = most - 100
        print(f"the limit on open descriptors is {most}: {asked.connections} connections")
    with program.site() as root, certificates.self_signed() as (chain, key):
        tls_options = ["--tls-cert", chain, "--tls-key", key] if asked.tls else []
        context = trusting_everybody()
        wrap = context.wrap_socket if asked.tls else lambda client: client
        connected, answered = measure(asked, root, tls_options, wrap)
    print(f"{asked.connections} connections: {connected:.0f} bytes each before their first request, {answered:.0f} after "
          f"its answer")
    bytes_max = TLS_BYTES_MAX if asked.tls else PLAIN_BYTES_MAX
    if answered > bytes_max:
        sys.exit(f"more than {bytes_max}")


if __name__ == "__main__":
    main()
