#!/usr/bin/env python3
"""Gives the same sequences of commands to eddy-memcached and to memcached, and compares their replies.

    compare_memcached.py build/release/apps/memcached/eddy-memcached [--count N] [--seed N]

Exit status 1 if they differ. Cas ids are compared by which of them are the same, seconds with one second of slack; the
size of an item in memory, and its class, are each server's own.
"""

import argparse
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import time

from memcached_commands import CAS, sequences

PATIENCE_S = 60


class Server:
    def __init__(self, *command):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.process = subprocess.Popen([*command, "-p", str(port)], stdout=subprocess.DEVNULL)
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                self.client = socket.create_connection(("127.0.0.1", port), PATIENCE_S)
                break
            except ConnectionRefusedError:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise
                time.sleep(0.01)
        self.client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.close()
        self.process.kill()
        self.process.wait()

    def ask(self, commands):
        """The reply to commands, which ends before that to a no-op with a word that stands nowhere else."""
        self.client.sendall(b"".join(commands) + b"mg " + b"e" * 200 + b" k\r\n")
        end = b"EN k" + b"e" * 200 + b"\r\n"
        reply = bytearray()
        while not reply.endswith(end):
            piece = self.client.recv(1 << 16)
            if not piece:
                raise AssertionError(f"the connection has ended after {commands} by {bytes(reply)}")
            reply += piece
        return bytes(reply[:-len(end)])

    def cas_ids(self, keys):
        reply = self.ask([b"mg %s c u\r\n" % key for key in keys])
        told = [re.search(rb" c(\d+)", line) for line in reply.split(b"\r\n")]
        return {key: found[1] if found else b"999999999" for key, found in zip(keys, told)}


def in_batches(commands):
    """Ends a batch before each command that counts: while a value is being sent memcached changes no number in place,
    so that the commands in front of it would decide how long it becomes."""
    batch = []
    for command in commands:
        if command.startswith((b"incr", b"decr", b"ma")):
            yield batch
            batch = []
        batch.append(command)
    yield batch


def with_cas(command, ids):
    return re.sub(CAS + b"(.*?)" + CAS, lambda found: ids.get(found[1], b"1"), command)


def pieces(reply):
    """Lines, and the values behind those that have one."""
    while reply:
        line, _, reply = reply.partition(b"\r\n")
        found = re.match(rb"VALUE \S+ \d+ (\d+)|VA (\d+)", line)
        size = int(found[1] or found[2]) if found else None
        yield line, None if size is None else reply[:size]
        if size is not None:
            reply = reply[size + 2:]


class Normal:
    """Replies as they are compared. Cas ids are numbered in the order in which they are met."""

    def __init__(self):
        self.known = {}

    def cas(self, digits):
        return b"cas#%d" % self.known.setdefault(digits, len(self.known))

    def line(self, line):
        if line.startswith(b"VERSION "):
            return [b"VERSION"]
        if found := re.fullmatch(rb"(VALUE \S+ \d+ \d+) (\d+)", line):
            return [found[1], self.cas(found[2])]
        if line.startswith(b"ME "):
            words = line.split(b" ")
            return [*words[:2], *(self.debug(word) for word in words[2:])]
        if re.match(rb"(HD|VA|EN|NF|NS|EX)( |$)", line):
            return [self.flag(word) for word in line.split(b" ")]
        return [line]

    def debug(self, word):
        name, _, value = word.partition(b"=")
        if name == b"cas":
            return self.cas(value)
        if name in (b"exp", b"la"):
            return (name, abs(int(value)))  # memcached 1.6.18 shows the seconds left as a negative number
        return name if name in (b"cls", b"size") else word

    def flag(self, word):
        if re.fullmatch(rb"c\d+", word):
            return self.cas(word[1:])
        if re.fullmatch(rb"[tl]-?\d+", word):
            seconds = int(word[1:])
            return (word[:1], seconds if seconds < 2**31 else 0)  # memcached counts below 0 of what is over
        return word

    def all(self, reply):
        return [(self.line(line), value) for line, value in pieces(reply)]


def are_alike(one, other):
    if isinstance(one, tuple) and isinstance(other, tuple) and isinstance(one[1], int) and isinstance(other[1], int):
        return one[0] == other[0] and abs(one[1] - other[1]) <= 1
    return one == other


def differ(ours, theirs):
    if len(ours) != len(theirs):
        return True
    return any(our_value != their_value or len(our_line) != len(their_line) or
               not all(map(are_alike, our_line, their_line))
               for (our_line, our_value), (their_line, their_value) in zip(ours, theirs))


def explain(sequence, number, ours, theirs):
    print(f"sequence {number} differs")
    for half, mine, other in zip((sequence.first, sequence.second), ours, theirs):
        for command in half:
            print(f"    {command[:120]!r}")
        if mine != other:
            print(f"  ours    {mine[:1500]!r}\n  theirs  {other[:1500]!r}")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("program")
    options.add_argument("--count", type=int, default=int(os.environ.get("MEMCACHED_SEQUENCES", "2000")))
    options.add_argument("--seed", type=int, default=None)
    options.add_argument("--show", type=int, default=3, help="how many differences to show")
    given = options.parse_args()
    memcached = shutil.which("memcached")
    if memcached is None:
        print("memcached is not installed")
        return 77
    seed = random.randrange(2**32) if given.seed is None else given.seed
    print(f"{given.count} sequences, seed {seed}")
    differences = 0
    with Server(given.program, "-t", "1") as eddy, \
            Server(memcached, "-t", "1", "-l", "127.0.0.1", "-U", "0", "-u", "root", "-o",
                   "no_lru_maintainer,no_lru_crawler") as peer:
        for number, sequence in enumerate(sequences(given.count, seed)):
            replies = []
            for server in (eddy, peer):
                first = b"".join(map(server.ask, in_batches(sequence.first)))
                ids = server.cas_ids(sequence.keys)
                second = [with_cas(each, ids) for each in sequence.second]
                replies.append((first, b"".join(map(server.ask, in_batches(second)))))
            normal = [[each for half in reply for each in made.all(half)]
                      for reply, made in zip(replies, (Normal(), Normal()))]
            if differ(*normal):
                differences += 1
                if differences <= given.show:
                    explain(sequence, number, *replies)
    print(f"{differences} sequences differ")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
