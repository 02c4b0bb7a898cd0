#!/usr/bin/env python3
"""Prints how much memory of its own eddy-httpd uses for each idle connection, and fails if that is too much.

    bench/checks/idle_memory.py build/release/bin [--tls | --http2] [--connections 20000] [--backend epoll]

Each connection has had an answer before. Plain ones may take 1.5 KiB each, those over TLS 45 KiB, those of HTTP/2 (in clear)
16 KiB, of which nghttp2 has 9.1 KiB before the first request. The clients are in
another process. What the kernel uses for the sockets is not counted.
"""

import argparse
import functools
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
HTTP2_BYTES_MAX = 16 * 1024


def trusting_everybody():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def measure(asked, root, more, connect):
    with program.Server("eddy-httpd", "--root", root, "--backend", asked.backend, "--idle-timeout", "600",
                        *more) as server:
        print(server.first_line.strip())
        # The first ones fill what is made once for all.
        with connect(server.port, 16) as first:
            first.ask_each(1)
        idle = server.descriptors()
        before = server.resident_bytes()
        with connect(server.port, asked.connections) as many:
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
    options.add_argument("--connections", type=int, help="20000, with TLS or HTTP/2 4000")
    options.add_argument("--backend", default="auto")
    kinds = options.add_mutually_exclusive_group()
    kinds.add_argument("--tls", action="store_true", help="connections over TLS 1.3")
    kinds.add_argument("--http2", action="store_true", help="connections of HTTP/2")
    asked = options.parse_args()
    asked.connections = asked.connections or (4000 if asked.tls or asked.http2 else 20_000)
    os.environ["PROGRAMS"] = asked.programs
    most = program.raise_descriptor_limit()
    if most < asked.connections + 100:
        asked.connections = most - 100
        print(f"the limit on open descriptors is {most}: {asked.connections} connections")
    with program.site() as root, certificates.self_signed() as (chain, key):
        more, connect, bytes_max = [], clients.Clients, PLAIN_BYTES_MAX
        if asked.tls:
            more, bytes_max = ["--tls-cert", chain, "--tls-key", key], TLS_BYTES_MAX
            connect = functools.partial(clients.Clients, wrap=trusting_everybody().wrap_socket)
        if asked.http2:
            more, connect, bytes_max = ["--h2c"], clients.Http2Clients, HTTP2_BYTES_MAX
        connected, answered = measure(asked, root, more, connect)
    print(f"{asked.connections} connections: {connected:.0f} bytes each before their first request, {answered:.0f} after "
          f"its answer")
    if answered > bytes_max:
        sys.exit(f"more than {bytes_max}")


if __name__ == "__main__":
    main()
