"""Runs the built programs and talks to them over loopback."""

import contextlib
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

PATIENCE_S = 60
IS_SANITIZED = bool(os.environ.get("SANITIZE"))
# As test::runs_in_order() has it.
RUNS_IN_ORDER = os.environ.get("EDDY_SHUFFLE", "") in ("", "0")


def _has_ipv6():
    with contextlib.suppress(OSError), socket.create_server(("::1", 0), family=socket.AF_INET6):
        return True
    return False


HAS_IPV6 = _has_ipv6()


def path(name):
    return os.path.join(os.environ["PROGRAMS"], name)


def run(name, *arguments, env=None):
    """Runs a program to its end; gives its exit status, standard output and standard error."""
    ended = subprocess.run([path(name), *arguments], capture_output=True, text=True, timeout=PATIENCE_S,
                           env={**os.environ, **(env or {})}, stdin=subprocess.DEVNULL)
    return ended.returncode, ended.stdout, ended.stderr


class Server:
    """A program that serves on a port of its own choice, or on `port`, until the end of the `with` block."""

    def __init__(self, name, *arguments, workers=1, port=0):
        self.process = subprocess.Popen([path(name), "--port", str(port), "--workers", str(workers), *arguments],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.first_line = self.process.stdout.readline()
        found = re.search(r"127\.0\.0\.1:(\d+)", self.first_line)
        if not found:
            self.process.kill()
            raise AssertionError(f"no port in {self.first_line!r}: {self.process.communicate()[1]}")
        self.port = int(found[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def end(self, number=signal.SIGTERM):
        """Asks it to end; gives its exit status and what else it wrote to its standard output and error."""
        self.process.send_signal(number)
        out, errors = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, out, errors

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def open_names(self):
        """What its descriptors stand for, without those that it closes meanwhile."""
        directory = f"/proc/{self.process.pid}/fd"
        names = []
        for number in os.listdir(directory):
            with contextlib.suppress(FileNotFoundError):
                names.append(os.readlink(os.path.join(directory, number)))
        return names

    def address_space_bytes(self):
        return self._memory_bytes(0)

    def resident_bytes(self):
        return self._memory_bytes(1)

    def _memory_bytes(self, field):  # of /proc/pid/statm, proc(5)
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[field]) * os.sysconf("SC_PAGESIZE")

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_S)

    def ask(self, request=b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"):
        """Sends a request that closes its connection; gives all that comes back."""
        with self.connect() as client:
            client.sendall(request)
            return read_to_end(client)


def wait_until(holds, what, limit_s=PATIENCE_S, pause_s=0.01):
    """For what no event tells of: looks again and again, for a bounded time."""
    deadline = time.monotonic() + limit_s
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {limit_s} s: {what() if callable(what) else what}")
        time.sleep(pause_s)


def read_to_end(client):
    pieces = []
    while piece := client.recv(65536):
        pieces.append(piece)
    return b"".join(pieces)


def reset(client):
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    client.close()


@contextlib.contextmanager
def refusing_port():
    """A port at which nobody listens, meanwhile."""
    with socket.socket() as kept:
        kept.bind(("127.0.0.1", 0))
        yield kept.getsockname()[1]


@contextlib.contextmanager
def site(**files):
    """A directory with an index.html, and other files by their names with _ for the dot."""
    root = tempfile.mkdtemp(prefix="eddy-site-")
    try:
        contents = {"index_html": b"<p>home</p>", **files}
        for name, content in contents.items():
            with open(os.path.join(root, name.replace("_", ".")), "wb") as file:
                file.write(content)
            os.utime(os.path.join(root, name.replace("_", ".")), (1_600_000_000, 1_600_000_000))
        yield root
    finally:
        shutil.rmtree(root, ignore_errors=True)


def raise_descriptor_limit():
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most


def need_descriptors(count):
    """Raises the limit. Skips the test if that is less than it needs."""
    if raise_descriptor_limit() < count:
        raise unittest.SkipTest("[descriptors] this process may not have enough descriptors")


class Watched(threading.Thread):
    """A thread whose exception is raised by join()."""

    def __init__(self, function, *arguments):
        super().__init__(daemon=True)
        self.function, self.arguments, self.error = function, arguments, None
        self.start()

    def run(self):
        try:
            self.function(*self.arguments)
        except BaseException as error:
            self.error = error

    def join(self, timeout=PATIENCE_S):
        super().join(timeout)
        if self.is_alive():
            raise AssertionError("a thread does not end")
        if self.error:
            raise self.error
