"""Servers take the sockets that they are started with, as systemd starts services (sd_listen_fds(3))."""

import contextlib
import fcntl
import os
import re
import signal
import socket
import subprocess
import unittest

import program


class Started(program.Server):
    """A server that is started with listening sockets: a list of (name, socket)."""

    def __init__(self, name, *arguments, sockets, meant_for="$$", workers=2):
        self.process = self.start(name, *arguments, "--workers", str(workers), sockets=sockets, meant_for=meant_for)
        self.first_line = self.process.stdout.readline()
        self.port = sockets[0][1].getsockname()[1]
        if not self.first_line:
            raise AssertionError(self.process.communicate()[1])

    @staticmethod
    def start(name, *arguments, sockets, meant_for="$$"):
        # The shell becomes the program, so the number of its process is the program's.
        moved = " ".join(f"{3 + at}<&{each.fileno()}" for at, (_, each) in enumerate(sockets))
        names = ":".join(name for name, _ in sockets)
        started = f"LISTEN_PID={meant_for} LISTEN_FDS={len(sockets)} LISTEN_FDNAMES={names} exec \"$@\" {moved}"
        return subprocess.Popen(["/bin/bash", "-c", started, "-", program.path(name), *arguments], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=[each.fileno() for _, each in sockets])


def moved_up(made):
    """The same socket by a number that none is moved to."""
    return socket.socket(fileno=fcntl.fcntl(made.fileno(), fcntl.F_DUPFD_CLOEXEC, 20))


def listening():
    with socket.create_server(("127.0.0.1", 0)) as made:
        return moved_up(made)


def echoes(port):
    with socket.create_connection(("127.0.0.1", port), timeout=program.PATIENCE_S) as client:
        client.sendall(b"x")
        return client.recv(1) == b"x"


class Inherited(unittest.TestCase):
    def setUp(self):
        self.socket = self.enterContext(contextlib.closing(listening()))
        self.port = self.socket.getsockname()[1]

    def test_every_worker_serves_what_was_passed_and_no_port_is_needed(self):
        for name, more in (("eddy-echo", []), ("eddy-httpd", ["--root", "."]), ("eddy-memcached", []), ("eddy-broadcast", [])):
            if not os.path.exists(program.path(name)):
                continue
            with self.subTest(name=name), Started(name, *more, sockets=[("a.socket", self.socket)]) as server:
                self.assertIn(f"127.0.0.1:{self.port}", server.first_line)
                for _ in range(20):
                    server.connect().close()
                self.assertEqual(server.end()[0], 0)

    def test_a_client_that_came_before_the_program_is_served(self):
        with socket.create_connection(("127.0.0.1", self.port), timeout=program.PATIENCE_S) as early:
            early.sendall(b"x")
            with Started("eddy-echo", sockets=[("", self.socket)]):
                self.assertEqual(early.recv(1), b"x")

    def test_it_takes_the_place_of_a_port_that_is_named(self):
        with Started("eddy-echo", "--port", "1", sockets=[("", self.socket)]) as server:
            self.assertTrue(echoes(server.port))

    def test_what_is_meant_for_another_process_is_left_alone(self):
        process = Started.start("eddy-echo", "--workers", "1", sockets=[("", self.socket)], meant_for="1")
        _, errors = process.communicate(timeout=program.PATIENCE_S)
        self.assertEqual((process.returncode, errors), (2, "eddy-echo: --port is required\n"))

    def test_a_socket_that_does_not_listen_is_a_failure(self):
        with socket.socket() as idle, moved_up(idle) as moved:
            process = Started.start("eddy-echo", sockets=[("", moved)])
            _, errors = process.communicate(timeout=program.PATIENCE_S)
        self.assertEqual(process.returncode, 1)
        self.assertRegex(errors, r"\Aeddy-echo: cannot take over a listener.*\n\Z")

    def test_httpd_keeps_it_when_it_reads_its_options_again(self):
        with program.site() as root, Started("eddy-httpd", "--root", root, sockets=[("", self.socket)]) as server:
            server.process.send_signal(signal.SIGHUP)
            self.assertIn("reloaded", server.process.stderr.readline())
            self.assertIn(b"home", server.ask())

    def test_sockets_with_a_name_of_their_own_are_for_what_the_name_says(self):
        if not os.path.exists(program.path("eddy-broadcast")):
            self.skipTest("[redis] eddy-broadcast was not built")
        with contextlib.closing(listening()) as web:
            sockets = [("websocket", web), ("lines", self.socket)]
            with Started("eddy-broadcast", sockets=sockets) as server:
                ports = re.findall(r"127\.0\.0\.1:(\d+)", server.first_line)
                self.assertEqual(ports, [str(self.port), str(web.getsockname()[1])])


if __name__ == "__main__":
    unittest.main()
