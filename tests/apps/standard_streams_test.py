"""A standard error that cannot be written costs lines, and nothing else: every program serves, reloads and ends as
ever. The same with all three standard descriptors closed at the start."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import time
import unittest

import ports
import program
import redis_server

ERRORS = ("full", "closed", "without a reader", "with a reader that does not read")


@contextlib.contextmanager
def unwritable(how):
    """Arguments of Popen that make such a standard error."""
    if how == "closed":
        yield {"preexec_fn": lambda: os.close(2)}
    elif how == "full":
        with open("/dev/full", "wb") as full:
            yield {"stderr": full}
    else:
        reader, writer = os.pipe()
        if how == "without a reader":
            os.close(reader)
        else:
            os.set_blocking(writer, False)
            with contextlib.suppress(BlockingIOError):
                while True:
                    os.write(writer, b"x" * 4096)
            os.set_blocking(writer, True)
        try:
            yield {"stderr": writer}
        finally:
            os.close(writer)
            if how != "without a reader":
                os.close(reader)


def close_all():
    os.closerange(0, 3)  # those that are open


class Running:
    """A program whose standard error is as `how` says, or whose standard descriptors are all closed."""

    def __init__(self, how, name, *arguments):
        with contextlib.ExitStack() as kept:
            if how == "all closed":
                given = {"preexec_fn": close_all}
            else:
                given = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **kept.enter_context(unwritable(how))}
            self.kept = kept.pop_all()
            self.process = subprocess.Popen([program.path(name), *arguments], **given)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        self.kept.close()

    def connect(self, port):
        """Connects, as soon as it listens."""
        end = time.monotonic() + program.PATIENCE_S
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port), timeout=program.PATIENCE_S)
            except ConnectionRefusedError:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise
            time.sleep(0.01)

    def ask(self, port, path):
        with self.connect(port) as client:
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
            return program.read_to_end(client)

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.process.communicate(timeout=program.PATIENCE_S)
        return self.process.returncode

    def opened_below_three(self):
        return [os.readlink(f"/proc/{self.process.pid}/fd/{number}") for number in range(3)]


class StandardStreams(unittest.TestCase):
    def each_way(self):
        for how in (*ERRORS, "all closed"):
            with self.subTest(how=how):
                yield how

    def assert_standard_descriptors(self, how, running):
        """None of them is a socket."""
        if how == "all closed":
            self.assertEqual(running.opened_below_three(), ["/dev/null"] * 3)
        elif how == "closed":
            self.assertEqual(running.opened_below_three()[2], "/dev/null")

    def test_echo(self):
        for how in self.each_way():
            port = ports.free_port()
            with Running(how, "eddy-echo", "--port", str(port), "--workers", "1") as server, \
                    server.connect(port) as client:
                client.sendall(b"x")
                self.assertEqual(client.recv(1), b"x")
                self.assert_standard_descriptors(how, server)
                self.assertEqual(server.end(), 0)

    def test_httpd_reloads(self):
        for how in self.each_way():
            port = ports.free_port()
            with tempfile.NamedTemporaryFile("w+", suffix=".toml") as config, program.site() as root:
                def configure(text, config=config):
                    config.seek(0)
                    config.truncate()
                    config.write(text)
                    config.flush()
                configure('header = ["X-Round: 1"]\n')
                with Running(how, "eddy-httpd", "--port", str(port), "--workers", "1", "--root", root, "--access-log",
                             "--config", config.name) as server:
                    self.assertIn(b"X-Round: 1", server.ask(port, "/"))
                    self.assert_standard_descriptors(how, server)
                    configure("nonsense = 1\n")
                    server.process.send_signal(signal.SIGHUP)
                    self.assertIn(b"X-Round: 1", server.ask(port, "/"))
                    configure('header = ["X-Round: 2"]\n')
                    server.process.send_signal(signal.SIGHUP)
                    end = time.monotonic() + program.PATIENCE_S
                    while b"X-Round: 2" not in server.ask(port, "/"):
                        self.assertLess(time.monotonic(), end, "not reloaded")
                    self.assertEqual(server.end(), 0)

    def test_memcached_whose_client_asks_for_a_log(self):
        for how in self.each_way():
            port = ports.free_port()
            with Running(how, "eddy-memcached", "--port", str(port), "--workers", "1", "-vv") as server, \
                    server.connect(port) as client:
                lines = client.makefile("rb")
                client.sendall(b"verbosity 2\r\n")
                self.assertEqual(lines.readline(), b"OK\r\n")
                for _ in range(100):
                    server.connect(port).close()
                    client.sendall(b"set a 0 0 1\r\n1\r\n")
                    self.assertEqual(lines.readline(), b"STORED\r\n")
                self.assert_standard_descriptors(how, server)
                self.assertEqual(server.end(), 0)

    def test_broadcast_joins_its_nodes(self):
        with redis_server.RedisServer() as redis:
            for how in self.each_way():
                first, second = ports.free_port(), ports.free_port()
                joined = ["--workers", "1", "--redis", redis.url, "--redis-channel", how]
                with Running(how, "eddy-broadcast", "--port", str(first), *joined) as one, \
                        Running(how, "eddy-broadcast", "--port", str(second), *joined) as other, \
                        one.connect(first) as speaker, other.connect(second) as listener:
                    listener.settimeout(0.2)
                    heard = b""
                    end = time.monotonic() + program.PATIENCE_S
                    while not heard:
                        self.assertLess(time.monotonic(), end, "the nodes are not joined")
                        speaker.sendall(b"hello\n")
                        with contextlib.suppress(TimeoutError):
                            heard = listener.recv(6)
                    self.assertEqual(heard, b"hello\n")
                    self.assertEqual((one.end(), other.end()), (0, 0))

    def test_pipeline(self):
        for how in self.each_way():
            first, second = ports.free_port(), ports.free_port()
            with Running(how, "eddy-pipeline", "upstream", "--port", str(first)) as upstream:
                upstream.connect(first).close()
                with Running(how, "eddy-pipeline", "serve", "--port", str(second), "--upstream-port",
                             str(first)) as server:
                    self.assertTrue(server.ask(second, "/compute?n=7").endswith(b"50\n"))
                    self.assertEqual(server.end(), 0)
                self.assertEqual(upstream.end(), 0)

    def test_multicast(self):
        for how in self.each_way():
            port = ports.free_port(socket.SOCK_DGRAM)
            with Running(how, "eddy-multicast", "receive", "239.7.7.9", "--interface", "lo", "--port", str(port),
                         "--count", "1") as receiver, socket.socket(type=socket.SOCK_DGRAM) as sender:
                sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))

                def has_heard():
                    sender.sendto(b"hello", ("239.7.7.9", port))
                    return receiver.process.poll() is not None
                program.wait_until(has_heard, "it hears something")
                self.assertEqual(receiver.process.returncode, 0)

    def test_load(self):
        with program.site() as root, program.Server("eddy-httpd", "--root", root) as server:
            url = f"http://127.0.0.1:{server.port}/"
            for how in self.each_way():
                with Running(how, "eddy-load", "-c", "1", "-n", "5", "--json", "-", url) as load:
                    out, _ = load.process.communicate(timeout=program.PATIENCE_S)
                    self.assertEqual(load.process.returncode, 0)
                    if out is not None:
                        self.assertEqual(json.loads(out)["answers"], 5)

    def test_a_mistake_keeps_its_exit_status(self):
        for how in self.each_way():
            for name in ("eddy-echo", "eddy-httpd", "eddy-load", "eddy-memcached", "eddy-multicast", "eddy-pipeline",
                         "eddy-broadcast"):
                with Running(how, name, "--nonsense") as misused:
                    misused.process.communicate(timeout=program.PATIENCE_S)
                    self.assertEqual(misused.process.returncode, 2, name)


class LostOutput(unittest.TestCase):
    """The exit status of what is run for its output tells that it was lost."""

    def run_into(self, how, name, *arguments):
        """Gives exit status and standard error."""
        with contextlib.ExitStack() as kept:
            if how == "full":
                out = kept.enter_context(open("/dev/full", "wb"))
            else:
                reader, out = os.pipe()
                os.close(reader)
                kept.callback(os.close, out)
            ended = subprocess.run([program.path(name), *arguments], stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=subprocess.PIPE, text=True, timeout=program.PATIENCE_S)
        return ended.returncode, ended.stderr

    def assert_told(self, name, *arguments):
        for how in ("full", "without a reader"):
            with self.subTest(name=name, how=how, arguments=arguments):
                status, errors = self.run_into(how, name, *arguments)
                self.assertEqual(status, 1)
                self.assertRegex(errors, rf"^{name}: standard output: .+\n$")

    def test_help_and_version(self):
        for name in ("eddy-echo", "eddy-httpd", "eddy-load", "eddy-memcached", "eddy-multicast", "eddy-pipeline",
                     "eddy-broadcast"):
            self.assert_told(name, "--help")
            self.assert_told(name, "--version")

    def test_results(self):
        self.assert_told("eddy-multicast", "interfaces")
        with program.site() as root, program.Server("eddy-httpd", "--root", root) as server:
            self.assert_told("eddy-httpd", "--port", "0", "--root", root, "--check")
            url = f"http://127.0.0.1:{server.port}/"
            self.assert_told("eddy-load", "-c", "1", "-n", "5", url)
            self.assert_told("eddy-load", "-c", "1", "-n", "5", url, "--json", "-")
            with tempfile.TemporaryDirectory() as directory:
                results = os.path.join(directory, "run.json")
                self.assert_told("eddy-load", "-c", "1", "-n", "5", url, "--json", results)
                self.assert_told("eddy-load", "--compare", results, results)

    def test_a_server_serves_all_the_same(self):
        for how in ("full", "without a reader"):
            with self.subTest(how=how), contextlib.ExitStack() as kept:
                port = ports.free_port()
                if how == "full":
                    out = kept.enter_context(open("/dev/full", "wb"))
                else:
                    reader, out = os.pipe()
                    os.close(reader)
                    kept.callback(os.close, out)
                process = subprocess.Popen([program.path("eddy-httpd"), "--root", ".", "--access-log", "--port",
                                            str(port)], stdout=out, stderr=subprocess.PIPE)
                kept.callback(process.communicate)
                kept.callback(process.kill)
                kept.callback(process.wait)
                asker = Running.__new__(Running)
                asker.process = process
                for _ in range(3):
                    self.assertIn(b"HTTP/1.1 ", asker.ask(port, "/"))
                process.terminate()
                self.assertEqual(process.wait(program.PATIENCE_S), 0)


class Version(unittest.TestCase):
    def test_every_program_says_which_it_is(self):
        with open(os.path.join(os.path.dirname(__file__), "..", "..", "CMakeLists.txt"), encoding="utf-8") as file:
            version = re.search(r"VERSION (\d+\.\d+\.\d+)", file.read())[1]
        for name in ("eddy-echo", "eddy-httpd", "eddy-load", "eddy-memcached", "eddy-multicast", "eddy-pipeline",
                     "eddy-broadcast"):
            self.assertEqual(program.run(name, "--version"), (0, f"{name} {version}\n", ""))


if __name__ == "__main__":
    unittest.main()
