"""The example of calls from a .proto: client and server, alone and behind nginx."""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import unittest

import ports
import program

HERE = os.path.dirname(os.path.abspath(__file__))
NGINX_CONF = os.path.join(HERE, "../../examples/route_guide/nginx.conf")
SEEN = ["there is Brandenburg Gate", "NOT_FOUND: nothing is to be seen there",
        "in this area: Brandenburg Gate", "in this area: Television Tower", "in this area: Reichstag",
        "2 points, 2 features, 2204 m"]
NOTES = ["a note from before: first", "a note from before: first", "a note from before: second"]


class Guide:
    """A server, until the end of the `with` block."""

    def __init__(self):
        self.process = subprocess.Popen([program.path("route_guide_server")], stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


def travel(port):
    """What the client prints."""
    ended = subprocess.run([program.path("route_guide_client"), f"http://127.0.0.1:{port}"], capture_output=True,
                           text=True, timeout=program.PATIENCE_S)
    if ended.returncode != 0:
        raise AssertionError(f"{ended.returncode}: {ended.stderr}")
    return ended.stdout.splitlines()


@contextlib.contextmanager
def nginx(servers):
    """nginx with the example's configuration, and other ports."""
    with tempfile.TemporaryDirectory(prefix="eddy-nginx-") as directory, open(NGINX_CONF) as example:
        port = ports.free_port()
        numbers = {50050: port, **dict(zip((50051, 50052, 50053), servers))}
        config = os.path.join(directory, "nginx.conf")
        with open(config, "w") as file:
            file.write(re.sub(r"127\.0\.0\.1:(\d+)", lambda match: f"127.0.0.1:{numbers[int(match[1])]}",
                              example.read()))
        process = subprocess.Popen([shutil.which("nginx"), "-p", directory, "-c", config])
        try:
            program.wait_until(lambda: accepts(port), "nginx listens")
            yield port
        finally:
            process.terminate()
            process.wait(program.PATIENCE_S)


def accepts(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False


def takes(own, port):
    """Whether a socket has taken a port. io_uring keeps that of a killed program for a moment (its rings end later)."""
    try:
        own.bind(("127.0.0.1", port))
        return True
    except OSError:
        return False


class RouteGuide(unittest.TestCase):
    def test_calls_of_all_kinds(self):
        with Guide() as guide:
            self.assertEqual(SEEN + NOTES, travel(guide.port))
            # Notes stay: the second traveller's first gets the three of the first one's, its second four, its third five.
            self.assertEqual(3 + 4 + 5, len(travel(guide.port)) - len(SEEN))

    def test_the_server_ends_when_it_is_asked_to(self):
        with Guide() as guide:
            travel(guide.port)
            guide.process.send_signal(signal.SIGTERM)
            self.assertEqual(0, guide.process.wait(program.PATIENCE_S))

    @unittest.skipUnless(shutil.which("nginx"), "[nginx] is not installed")
    def test_three_servers_behind_nginx(self):
        with Guide() as one, Guide() as two, Guide() as three, nginx([one.port, two.port, three.port]) as port:
            for _ in range(6):
                self.assertEqual(SEEN, travel(port)[:len(SEEN)])

    @unittest.skipUnless(shutil.which("nginx"), "[nginx] is not installed")
    def test_a_server_that_ends_is_passed_over(self):
        with Guide() as one, Guide() as two, Guide() as three, nginx([one.port, two.port, three.port]) as port, \
                socket.socket() as refusing:
            refusing.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # so that nobody else is there
            two.process.kill()
            two.process.wait()
            program.wait_until(lambda: takes(refusing, two.port), "the port is free")
            for _ in range(6):
                self.assertEqual(SEEN, travel(port)[:len(SEEN)])


if __name__ == "__main__":
    unittest.main()
