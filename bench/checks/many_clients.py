#!/usr/bin/env python3
"""5,000 clients ask eddy-httpd 200 times each on connections that they keep; prints how long answers took.

    bench/checks/many_clients.py build/release/bin [--http2] [--clients 5000] [--requests 200] [--backend epoll]

With --http2 each makes 20 requests (at most 100) at once on one connection.
"""

import argparse
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests/apps"))
import clients  # noqa: E402
import program  # noqa: E402


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("programs", help="the directory of the built programs")
    options.add_argument("--clients", type=int, default=5000)
    options.add_argument("--requests", type=int, help="200, with HTTP/2 20")
    options.add_argument("--http2", action="store_true")
    options.add_argument("--backend", default="auto")
    asked = options.parse_args()
    asked.requests = asked.requests or (20 if asked.http2 else 200)
    os.environ["PROGRAMS"] = asked.programs
    if program.raise_descriptor_limit() < asked.clients + 100:
        sys.exit("the limit on open descriptors is too low")
    with program.site() as root, \
            program.Server("eddy-httpd", "--root", root, "--backend", asked.backend,
                           *(["--h2c"] if asked.http2 else [])) as server:
        print(server.first_line.strip())
        with (clients.Http2Clients if asked.http2 else clients.Clients)(server.port, asked.clients) as many:
            begun = time.monotonic()
            latencies = many.ask_each(asked.requests)
            seconds = time.monotonic() - begun
        status, _, errors = server.end()
    answers = asked.clients * asked.requests
    print(f"{answers} answers, no error, {answers / seconds:.0f}/s (the clients are the limit)")
    for share in (50, 99, 99.9) if latencies else ():
        print(f"p{share:g} {latencies[int(len(latencies) * share / 100)] * 1000:.1f} ms")
    if status != 0 or errors:
        sys.exit(f"the server ended with {status}: {errors}")


if __name__ == "__main__":
    main()
