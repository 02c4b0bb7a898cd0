#!/usr/bin/env python3
"""eddy-broadcast under its full load: prints what arrived, how fast, the memory and the CPU time.

    bench/checks/broadcast_fan_out.py build/release/bin [--receivers 1000] [--rate 10] [--seconds 10] [--stalled 50]

1. A speaker says `rate` lines a second to all receivers, which all must get each once and in order, while stalled
   receivers read nothing. 2. The same receivers, half on each of two nodes that a redis-server joins, with a speaker
   on each.
"""

import argparse
import os
import select
import socket
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests/apps"))
import program  # noqa: E402
import redis_server  # noqa: E402

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from suite.processes import cpu_seconds  # noqa: E402


class Receivers:
    """Many receivers in one thread. Each must hear every speaker's numbers in order, none twice, none missing."""

    def __init__(self, ports, count):
        self.poll = select.epoll()
        self.sockets, self.rests, self.heard = {}, {}, {}
        for number in range(count):
            client = socket.create_connection(("127.0.0.1", ports[number % len(ports)]), program.PATIENCE_S)
            client.setblocking(False)
            self.sockets[client.fileno()] = client
            self.rests[client.fileno()] = b""
            self.heard[client.fileno()] = {}
            self.poll.register(client.fileno(), select.EPOLLIN)
        self.delays = []
        self.lines = 0

    def close(self):
        for client in self.sockets.values():
            client.close()

    def receive(self, seconds):
        for number, _ in self.poll.poll(seconds):
            piece = self.sockets[number].recv(1 << 20)
            if not piece:
                sys.exit("a receiver was cut off")
            lines = (self.rests[number] + piece).split(b"\n")
            self.rests[number] = lines.pop()
            now = time.monotonic()
            for line in lines:
                speaker, index, said = line.split(b" ", 3)[:3]
                if speaker == b"probe":
                    continue
                before = self.heard[number].get(speaker, -1)
                if int(index) != before + 1:
                    sys.exit(f"line {int(index)} of {speaker} came behind line {before}")
                self.heard[number][speaker] = int(index)
                self.delays.append(now - float(said))
                self.lines += 1


def say(speakers, receivers, rate, seconds, size):
    """All speakers together say `rate` lines a second."""
    begun = time.monotonic()
    for index in range(int(rate * seconds)):
        due = begun + index / rate
        while (rest := due - time.monotonic()) > 0:
            receivers.receive(rest)
        place = index % len(speakers)
        text = f"speaker{place} {index // len(speakers)} {time.monotonic():.6f} ".ljust(size, "x")
        speakers[place].sendall(text.encode() + b"\n")
        receivers.receive(0)
    expected = int(rate * seconds) * len(receivers.sockets)
    end = time.monotonic() + program.PATIENCE_S
    while receivers.lines < expected and time.monotonic() < end:
        receivers.receive(0.1)
    took = time.monotonic() - begun
    if receivers.lines != expected:
        sys.exit(f"{receivers.lines} lines arrived of {expected}")
    delays = sorted(receivers.delays)
    print(f"  {receivers.lines} deliveries, none lost, none twice, in order: {receivers.lines / took:.0f}/s; delay p50 "
          f"{delays[len(delays) // 2] * 1000:.1f} ms, p99 {delays[len(delays) * 99 // 100] * 1000:.1f} ms")


def stalled_clients(port, count):
    clients = []
    for _ in range(count):
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", port))
        clients.append(client)
    return clients


def one_node(asked):
    print(f"one node, {asked.receivers} receivers, {asked.stalled} stalled, {asked.rate} lines of {asked.size} bytes/s:")
    with program.Server("eddy-broadcast", "--backend", asked.backend, workers=asked.workers) as server:
        print(" ", server.first_line.strip())
        receivers = Receivers([server.port], asked.receivers)
        stalled = stalled_clients(server.port, asked.stalled)
        before, cpu = server.resident_bytes(), cpu_seconds(server.process.pid)
        with server.connect() as speaker:
            say([speaker], receivers, asked.rate, asked.seconds, asked.size)
            print(f"  CPU {cpu_seconds(server.process.pid) - cpu:.2f} s; RSS {before / 1e6:.1f} MB before, "
                  f"{server.resident_bytes() / 1e6:.1f} MB after")
            # What stalled receivers can hold at the most: their queues, of lines that all share.
            receivers.close()
            flood = ("x" * 4000 + "\n").encode() * 50
            for megabytes in (20, 40, 80):
                begun = time.monotonic()
                for _ in range(int(megabytes * 1e6 / len(flood))):
                    speaker.sendall(flood)
                print(f"  {megabytes} MB more said to the stalled ones in {time.monotonic() - begun:.1f} s: "
                      f"RSS {server.resident_bytes() / 1e6:.1f} MB")
        for client in stalled:
            client.close()
        print(" ", server.end()[1].strip())


def two_nodes(asked):
    print(f"two nodes and redis-server, {asked.receivers} receivers:")
    with redis_server.RedisServer() as redis, \
            program.Server("eddy-broadcast", "--backend", asked.backend, "--redis", redis.url) as left, \
            program.Server("eddy-broadcast", "--backend", asked.backend, "--redis", redis.url) as right:
        for server in (left, right):
            print(" ", server.process.stderr.readline().strip())
        receivers = Receivers([left.port, right.port], asked.receivers)
        cpu = cpu_seconds(left.process.pid) + cpu_seconds(right.process.pid)
        with left.connect() as a, right.connect() as b:
            say([a, b], receivers, asked.rate, asked.seconds, asked.size)
        print(f"  CPU of both {cpu_seconds(left.process.pid) + cpu_seconds(right.process.pid) - cpu:.2f} s; RSS {left.resident_bytes() / 1e6:.1f} and "
              f"{right.resident_bytes() / 1e6:.1f} MB")
        receivers.close()


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("programs", help="the directory of the built programs")
    options.add_argument("--receivers", type=int, default=1000)
    options.add_argument("--rate", type=float, default=10)
    options.add_argument("--seconds", type=float, default=10)
    options.add_argument("--stalled", type=int, default=50)
    options.add_argument("--size", type=int, default=100)
    options.add_argument("--workers", type=int, default=1)
    options.add_argument("--backend", default="auto")
    asked = options.parse_args()
    os.environ["PROGRAMS"] = asked.programs
    program.raise_descriptor_limit()
    one_node(asked)
    two_nodes(asked)


if __name__ == "__main__":
    main()
