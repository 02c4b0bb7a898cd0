#!/usr/bin/env python3
"""A cluster on this machine: three nodes of etcd and some of cluster_node, of which some are ended while the others go on.

    examples/cluster/cluster.py [PROGRAM] [--nodes N] [--short]

PROGRAM is cluster_node, build/release/examples/cluster/cluster_node by default. What happens is printed; it ends with 0 if
no work was lost or done twice."""

import argparse
import base64
import json
import os
import queue
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

SHARES = 6
PATIENCE_S = 60


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Process:
    """A program whose lines are put into a queue that all share."""

    def __init__(self, name, words, lines, log=None):
        self.name = name
        self.child = subprocess.Popen(words, stdout=subprocess.PIPE if lines else log, stderr=log, text=True)
        if lines:
            threading.Thread(target=self._pass_on, args=(lines,), daemon=True).start()

    def _pass_on(self, lines):
        for line in self.child.stdout:
            lines.put(line.rstrip())

    def kill(self):
        print(f"- {self.name} is killed", flush=True)
        self.end()

    def stop(self):
        print(f"- {self.name} is stopped", flush=True)
        self.child.send_signal(signal.SIGSTOP)

    def go_on(self):
        print(f"- {self.name} goes on", flush=True)
        self.child.send_signal(signal.SIGCONT)

    def end(self):
        self.child.kill()
        self.child.wait()


class Cluster:
    """Three nodes of etcd and `count` members, until the end of the `with` block."""

    def __init__(self, program, count, port=free_port):
        self.program = program
        self.directory = tempfile.mkdtemp(prefix="eddy-cluster-")
        self.lines = queue.Queue()
        self.client_ports = [port() for _ in range(3)]
        self.peer_ports = [port() for _ in range(3)]
        self.etcds = [None] * 3
        self.members = {}
        self.leader = ""
        self.working = {}
        for index in range(3):
            self.start_etcd(index)
        for index in range(count):
            self.start_member("abcdefgh"[index])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in [*self.members.values(), *self.etcds]:
            process.end()
        shutil.rmtree(self.directory, ignore_errors=True)

    def start_etcd(self, index):
        def url(port):
            return f"http://127.0.0.1:{port}"
        everyone = ",".join(f"etcd{each}={url(port)}" for each, port in enumerate(self.peer_ports))
        with open(f"{self.directory}/etcd{index}.log", "a", encoding="utf-8") as log:
            self.etcds[index] = Process(f"etcd{index}", [
                "etcd", "--name", f"etcd{index}", "--data-dir", f"{self.directory}/etcd{index}",
                "--listen-client-urls", url(self.client_ports[index]),
                "--advertise-client-urls", url(self.client_ports[index]),
                "--listen-peer-urls", url(self.peer_ports[index]),
                "--initial-advertise-peer-urls", url(self.peer_ports[index]),
                "--initial-cluster", everyone, "--heartbeat-interval", "50", "--election-timeout", "500"], None, log)

    def start_member(self, name):
        endpoints = [f"http://127.0.0.1:{port}" for port in self.client_ports]
        with open(f"{self.directory}/{name}.log", "a", encoding="utf-8") as log:
            self.members[name] = Process(name, [self.program, name, *endpoints], self.lines, log)

    def read(self, prefix):
        """What stands below a prefix in etcd, as a list of (last part of the key, value, version)."""
        key = base64.b64encode(prefix.encode()).decode()
        end = base64.b64encode((prefix[:-1] + chr(ord(prefix[-1]) + 1)).encode()).decode()
        body = json.dumps({"key": key, "range_end": end}).encode()
        for index in range(PATIENCE_S * 10):
            port = self.client_ports[index % 3]
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/v3/kv/range", body, timeout=2) as response:
                    found = json.load(response).get("kvs", [])
            except OSError:
                time.sleep(0.1)
                continue
            return [(base64.b64decode(each["key"]).decode().rpartition("/")[2],
                     base64.b64decode(each.get("value", "")).decode(), int(each["version"])) for each in found]
        raise AssertionError("etcd does not respond")

    def wait_until(self, what, holds):
        """Prints what the members say until something holds."""
        end = time.monotonic() + PATIENCE_S
        while not holds():
            if time.monotonic() > end:
                raise AssertionError(f"{what} did not come about")
            try:
                line = self.lines.get(timeout=0.2)
            except queue.Empty:
                continue
            print(f"  {line}", flush=True)
            if told := re.fullmatch(r"(\w) leads", line):
                self.leader = told[1]
            elif told := re.fullmatch(r"(\w) works on((?: \d)*)", line):
                self.working[told[1]] = told[2].split()

    def wait_for_work(self, members):
        """Waits until these members lead and share all the work, and each share goes on."""
        members = set(members)

        def is_shared():
            assigned = {}
            for share, member, _ in self.read("shares/"):
                assigned.setdefault(member, []).append(share)
            return self.leader in members and set(assigned) == members and \
                all(self.working.get(member) == assigned[member] for member in members)
        self.wait_until("a leader, and shares for all", is_shared)
        before = {share: int(count) for share, count, _ in self.read("counts/")}
        self.wait_until("work on each share", lambda: len(after := self.read("counts/")) == SHARES and all(
            int(count) > before.get(share, 0) for share, count, _ in after))

    def check_counts(self):
        """Each step has put the next number: one that was done twice, or lost, would leave another one than that of puts."""
        done = 0
        for share, count, version in self.read("counts/"):
            assert int(count) == version, f"share {share}: {count} steps, and {version} puts"
            done += version
        print(f"{done} steps of work, none lost and none done twice", flush=True)


def survive(cluster, is_short):
    everyone = sorted(cluster.members)
    cluster.wait_for_work(everyone)
    leader = cluster.leader
    cluster.members[leader].kill()
    cluster.working.pop(leader)
    cluster.wait_for_work([each for each in everyone if each != leader])
    cluster.etcds[0].kill()
    cluster.start_member(leader)
    cluster.wait_for_work(everyone)
    if not is_short:
        cluster.start_etcd(0)
        for index in (1, 2):
            cluster.etcds[index].stop()
            cluster.wait_for_work(everyone)
            cluster.etcds[index].go_on()
            cluster.wait_for_work(everyone)
        stopped = cluster.leader
        cluster.members[stopped].stop()
        cluster.working.pop(stopped)
        cluster.wait_for_work([each for each in everyone if each != stopped])
        cluster.members[stopped].go_on()
        cluster.wait_for_work(everyone)
        for each in everyone[1:]:
            cluster.members[each].kill()
            cluster.working.pop(each)
        cluster.wait_for_work(everyone[:1])
    cluster.check_counts()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default="build/release/examples/cluster/cluster_node")
    parser.add_argument("--nodes", type=int, default=3, choices=range(2, 7))
    parser.add_argument("--short", action="store_true", help="kills one process and one node of etcd only")
    asked = parser.parse_args()
    with Cluster(os.path.abspath(asked.program), asked.nodes) as cluster:
        survive(cluster, asked.short)
    return 0


if __name__ == "__main__":
    sys.exit(main())
