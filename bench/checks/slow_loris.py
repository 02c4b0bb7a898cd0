#!/usr/bin/env python3
"""How long normal clients of an eddy server wait while slow ones hold 2,000 connections, and while there are none.

    bench/checks/slow_loris.py build/bench/bin [--attackers 2000] [--rounds 3] [--backend epoll]

A third of the attackers sends a head byte by byte, a third the body of a POST, a third asks for a large file and reads
it byte by byte, one byte a second each. Whoever is cut off comes again. The server is eddy-bench-http-eddy with the
library's limits, the normal clients are eddy-bench-load. Quiet and attacked windows take turns; fails if the p99 of the
attacked ones is twice that of the quiet ones or more, and gives no verdict on a machine that is busy otherwise. The
server has one core for itself, everybody else the other.
"""

import argparse
import json
import multiprocessing
import os
import socket
import statistics
import subprocess
import sys
import time

from peer import CLIENT_CORE, peer

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests/apps"))
import program  # noqa: E402

BIG_FILE_BYTES = 16 << 20
CLIENTS = 16
QUIET_US_MAX = 20_000

OPENINGS = {
    "head": b"GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ",
    "body": b"POST /length HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n",
    "reader": b"GET /big.bin HTTP/1.1\r\nHost: a\r\n\r\n",
}


class Attacker:
    """One connection that wants to last."""

    def __init__(self, number, port):
        self.kind = list(OPENINGS)[number % 3]
        self.address = f"127.0.{1 + number // 250}.{1 + number % 250}"
        self.port = port
        self.times_cut = -1
        self.open()

    def open(self):
        self.times_cut += 1
        self.client = socket.socket()
        self.client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.client.bind((self.address, 0))
        self.client.settimeout(5)
        self.client.connect(("127.0.0.1", self.port))
        self.client.setblocking(False)
        self.client.send(OPENINGS[self.kind])

    def step(self):
        """Sends or reads one byte. A connection that has been cut is opened again."""
        try:
            if self.kind == "reader":
                is_cut = self.client.recv(1) == b""
            else:
                self.client.send(b"x")
                is_cut = self.client.recv(4096) == b""
        except BlockingIOError:
            is_cut = False
        except OSError:
            is_cut = True
        if is_cut:
            program.reset(self.client)
            self.open()


def attack(port, count, ready, over, cut):
    os.sched_setaffinity(0, {CLIENT_CORE})
    os.nice(5)
    program.raise_descriptor_limit()
    attackers = [Attacker(number, port) for number in range(count)]
    ready.set()
    at = 0
    while not over.is_set():
        # A tenth of a second's share at a time, so that they do not all come at once.
        for _ in range(count // 10):
            attackers[at % count].step()
            at += 1
        time.sleep(0.1)
    cut.value = sum(attacker.times_cut for attacker in attackers)
    for attacker in attackers:
        program.reset(attacker.client)


def load(port, file, seconds):
    ended = subprocess.run(
        ["taskset", "-c", str(CLIENT_CORE), program.path("eddy-bench-load"), "--mode", "http", "--port", str(port), "--path",
         "/hello", "--expect-body", file, "--connections", str(CLIENTS), "--warmup", "2", "--seconds", str(seconds)],
        capture_output=True, text=True, check=True)
    result = json.loads(ended.stdout)
    if result["errors"]:
        raise AssertionError(f"{result['errors']} normal requests failed")
    return result["times_ns"]["p99"] / 1000


def load_under_attack(port, file, asked):
    ready, over, cut = multiprocessing.Event(), multiprocessing.Event(), multiprocessing.Value("i", 0)
    attacking = multiprocessing.Process(target=attack, args=(port, asked.attackers, ready, over, cut), daemon=True)
    attacking.start()
    if not ready.wait(60):
        raise AssertionError("the attackers could not connect")
    p99_us = load(port, file, asked.seconds)
    over.set()
    attacking.join(30)
    print(f"  {asked.attackers} attackers were cut off {cut.value} times")
    return p99_us


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("programs", help="the directory of the built programs")
    options.add_argument("--attackers", type=int, default=2000)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--seconds", type=float, default=15, help="of each window")
    options.add_argument("--backend", default="auto")
    asked = options.parse_args()
    os.environ["PROGRAMS"] = asked.programs
    program.raise_descriptor_limit()
    quiet, attacked = [], []
    with program.site(big_bin=os.urandom(BIG_FILE_BYTES), hello_txt=b"Hello, World!") as root, \
            peer(asked.programs, "--root", root, "--backend", asked.backend) as port:
        expected = os.path.join(root, "hello.txt")
        for _ in range(asked.rounds):
            quiet.append(load(port, expected, asked.seconds))
            attacked.append(load_under_attack(port, expected, asked))
            print(f"p99 of {CLIENTS} normal clients: quiet {quiet[-1]:.0f} µs, under attack {attacked[-1]:.0f} µs")
    ratio = statistics.median(attacked) / statistics.median(quiet)
    print(f"medians: quiet {statistics.median(quiet):.0f} µs, under attack {statistics.median(attacked):.0f} µs, "
          f"{ratio:.2f} times as much")
    if statistics.median(quiet) > QUIET_US_MAX:
        print("the machine is not quiet: no verdict")
        sys.exit(3)
    if ratio >= 2:
        sys.exit("twice the quiet figure or more")


if __name__ == "__main__":
    main()
