#!/usr/bin/env python3
"""How long an established TLS client waits while others make the server compute ffdhe8192, and while they do not.

    bench/checks/hello_flood.py build/release/bin [--hellos 10] [--rounds 3] [--backend epoll] [--groups LIST]

One ClientHello is recorded and replayed, ten times a second, each time over a connection of its own: 120 ms of a
processor each. The server is eddy-httpd with one worker and that group enabled. Its established client asks for a small
file, about 200 times a second, over one connection. Quiet and flooded windows take turns; prints the p99 of both and what a hello
has cost the server. Fails if the flooded p99 is twice the quiet one or more. Gives no verdict (exit status 3) on a machine
that is busy otherwise, or if the hellos cost the server nothing.
"""

import argparse
import collections
import contextlib
import multiprocessing
import os
import socket
import ssl
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests/apps"))
import certificates  # noqa: E402
import program  # noqa: E402

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from suite import processes  # noqa: E402

GROUP = "ffdhe8192"
REQUESTS_PER_S = 200
QUIET_MS_MAX = 2
BUSY_MAX = 0.25     # of all processors, in the quiet windows
HELLO_MS_MIN = 10   # less is no flood
HELD_MAX = 20  # connections whose handshakes wait


def recorded_hello():
    """What a client that knows this group only says first."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = subprocess.Popen(["openssl", "s_client", "-connect", f"127.0.0.1:{listener.getsockname()[1]}", "-tls1_3",
                                   "-groups", GROUP], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
        taken, _ = listener.accept()
        with taken:
            head = taken.recv(5, socket.MSG_WAITALL)
            hello = head + taken.recv(int.from_bytes(head[3:], "big"), socket.MSG_WAITALL)
        client.wait()
        return hello


def flood(port, hello, per_s, over):
    """In a process of its own, which does not hold up the client that is measured."""
    due = time.monotonic()
    held = collections.deque()
    while not over.is_set():
        held.append(socket.create_connection(("127.0.0.1", port)))
        held[-1].sendall(hello)
        if len(held) > HELD_MAX:
            held.popleft().close()
        due += 1 / per_s
        over.wait(max(0, due - time.monotonic()))


def latencies(secured, seconds):
    """Seconds from each request to its response."""
    found = []
    end = time.perf_counter() + seconds
    while (sent := time.perf_counter()) < end:
        secured.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        if not secured.recv(65536):
            raise AssertionError("the established connection was closed")
        found.append(time.perf_counter() - sent)
        time.sleep(1 / REQUESTS_PER_S)
    return found


def latencies_in_flood(secured, seconds, port, hello, per_s):
    over = multiprocessing.Event()
    flooding = multiprocessing.Process(target=flood, args=(port, hello, per_s, over), daemon=True)
    flooding.start()
    try:
        return latencies(secured, seconds)
    finally:
        over.set()
        flooding.join()


def busy_and_total():
    """Ticks of all processors since the start of the system."""
    with open("/proc/stat", encoding="utf-8") as file:
        ticks = [int(each) for each in file.readline().split()[1:9]]
    return sum(ticks) - ticks[3] - ticks[4], sum(ticks)


def p99_ms(found):
    return sorted(found)[len(found) * 99 // 100] * 1000


@contextlib.contextmanager
def connected(port):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", port)) as plain, context.wrap_socket(plain) as secured:
        secured.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        yield secured


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("programs", help="the directory of the built programs")
    options.add_argument("--hellos", type=float, default=10, help="a second")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--seconds", type=float, default=10, help="of each window")
    options.add_argument("--backend", default="auto")
    options.add_argument("--groups", default="X25519:P-256:P-384:" + GROUP)
    asked = options.parse_args()
    os.environ["PROGRAMS"] = asked.programs
    hello = recorded_hello()
    quiet, flooded, busy, hello_ms = [], [], [], []
    with certificates.self_signed() as (chain, key), program.site() as root, \
            program.Server("eddy-httpd", "--root", root, "--tls-cert", chain, "--tls-key", key, "--tls-groups",
                           asked.groups, "--backend", asked.backend) as server, connected(server.port) as client:
        latencies(client, 1)
        for _ in range(asked.rounds):
            busy_before, total_before = busy_and_total()
            quiet.append(p99_ms(latencies(client, asked.seconds)))
            busy_after, total_after = busy_and_total()
            busy.append((busy_after - busy_before) / max(1, total_after - total_before))
            cpu_before = processes.cpu_seconds(server.process.pid)
            flooded.append(p99_ms(latencies_in_flood(client, asked.seconds, server.port, hello, asked.hellos)))
            hello_ms.append((processes.cpu_seconds(server.process.pid) - cpu_before) * 1000 / (asked.seconds * asked.hellos))
            print(f"p99 of an established client: quiet {quiet[-1]:.2f} ms, with {asked.hellos:g} hellos of {len(hello)} "
                  f"bytes a second {flooded[-1]:.2f} ms; {hello_ms[-1]:.0f} ms of a processor a hello, machine busy "
                  f"{busy[-1]:.0%} when quiet", flush=True)
    ratio = statistics.median(flooded) / statistics.median(quiet)
    print(f"medians: quiet {statistics.median(quiet):.2f} ms, flooded {statistics.median(flooded):.2f} ms, "
          f"{ratio:.2f} times as much")
    if statistics.median(quiet) > QUIET_MS_MAX or statistics.median(busy) > BUSY_MAX:
        print("the machine is not quiet: no verdict")
        sys.exit(3)
    if statistics.median(hello_ms) < HELLO_MS_MIN:
        print("the hellos cost the server next to nothing: no verdict")
        sys.exit(3)
    if ratio >= 2:
        sys.exit("twice the quiet figure or more")


if __name__ == "__main__":
    main()
