"""eddy-httpd serves a directory, to curl and others, and ends in good order."""

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import unittest

import ports
import program


class Httpd(unittest.TestCase):
    def test_clients_can_connect_as_soon_as_it_says_that_it_serves(self):
        with program.site() as root:
            for _ in range(20):
                with program.Server("eddy-httpd", "--root", root) as server:
                    self.assertTrue(server.ask().endswith(b"<p>home</p>"))

    def test_several_workers_share_the_port(self):
        with program.site() as root, program.Server("eddy-httpd", "--root", root, workers=3) as server:
            self.assertIn("3 workers", server.first_line)
            for _ in range(50):
                self.assertTrue(server.ask().endswith(b"<p>home</p>"))
            self.assertEqual(server.end(), (0, "", ""))

    def test_signals_drain_it(self):
        content = os.urandom(30_000_000)
        for number in (signal.SIGINT, signal.SIGTERM):
            with program.site(large_bin=content) as root, \
                    program.Server("eddy-httpd", "--root", root) as server, \
                    server.connect() as idle, server.connect() as busy:
                busy.sendall(b"GET /large.bin HTTP/1.1\r\nHost: a\r\n\r\n")
                begun = busy.recv(1)
                server.process.send_signal(number)
                self.assertEqual(idle.recv(1), b"")
                received = begun + program.read_to_end(busy)
                self.assertTrue(received.endswith(content))
                self.assertEqual(server.process.wait(program.PATIENCE_S), 0)

    def test_the_drain_limit_cuts_off_the_rest(self):
        content = bytes(30_000_000)
        with program.site(large_bin=content) as root, \
                program.Server("eddy-httpd", "--root", root, "--drain-limit", "0.05") as server, \
                server.connect() as stuck:
            stuck.sendall(b"GET /large.bin HTTP/1.1\r\nHost: a\r\n\r\n")
            stuck.recv(1)
            self.assertEqual(server.end()[0], 0)

    def test_the_access_log_has_a_line_for_each_answer(self):
        with program.site() as root, program.Server("eddy-httpd", "--root", root, "--access-log") as server:
            server.ask()
            server.ask(b"GET /missing?a=b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            server.ask(b"HEAD / HTTP/1.0\r\n\r\n")
            code, out, errors = server.end()
        self.assertEqual((code, errors), (0, ""))
        stamp = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
        for line, rest in zip(out.splitlines(), ("GET / 200 11", "GET /missing?a=b 404 14", "HEAD / 200 0"),
                              strict=True):
            self.assertRegex(line, f"^{stamp} {re.escape(rest)}$")

    def test_the_access_log_is_written_while_it_serves(self):
        with program.site() as root, program.Server("eddy-httpd", "--root", root, "--access-log") as server:
            server.ask()
            guard = threading.Timer(program.PATIENCE_S, server.process.kill)
            guard.start()
            self.assertIn("GET / 200 11", server.process.stdout.readline())
            guard.cancel()

    def test_an_access_log_that_is_not_read_costs_lines_only(self):
        count = 400  # of 7,000 bytes: more than is kept, and under way
        with program.site() as root, program.Server("eddy-httpd", "--root", root, "--access-log") as server:
            with server.connect() as client:
                received = client.makefile("rb")
                for number in range(count):
                    client.sendall(f"HEAD /missing?{number}-{'x' * 7000} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
                    self.assertIn(b" 404 ", received.readline())
                    while received.readline() != b"\r\n":
                        pass
            code, out, errors = server.end()
        self.assertEqual(code, 0)
        lines = out.splitlines()
        for line in lines:
            self.assertRegex(line, r"HEAD /missing\?\d+-x{7000} 404 0$")
        lost = sum(int(found) for found in re.findall(r"lines of the access log were lost: (\d+) ", errors))
        self.assertGreater(lost, 0, errors)
        self.assertEqual(len(lines) + lost, count)

    def test_an_access_log_that_is_never_read_does_not_hold_up_the_end(self):
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        self.addCleanup(os.close, writer)
        port = ports.free_port()
        with program.site() as root:
            process = subprocess.Popen([program.path("eddy-httpd"), "--root", root, "--access-log", "--port", str(port)],
                                       stdout=writer, stderr=subprocess.PIPE, text=True)
            self.addCleanup(process.kill)
            os.read(reader, 1)  # it serves
            with socket.create_connection(("127.0.0.1", port), program.PATIENCE_S) as client:
                for _ in range(30):
                    client.sendall(f"HEAD /missing?{'x' * 7000} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
                    self.assertIn(b" 404 ", client.recv(65536))
            process.terminate()
            _, errors = process.communicate(timeout=program.PATIENCE_S)
        self.assertEqual(process.returncode, 0)
        self.assertRegex(errors, r"lines of the access log were lost: \d+ ")


@unittest.skipUnless(shutil.which("curl"), "[curl] needs curl")
class Curl(unittest.TestCase):
    def setUp(self):
        self.content = os.urandom(300_000)
        sites = program.site(large_bin=self.content, style_css=b"p {}")
        self.root = sites.__enter__()
        self.addCleanup(sites.__exit__, None, None, None)
        self.server = program.Server("eddy-httpd", "--root", self.root)
        self.addCleanup(self.server.__exit__)

    def curl(self, *arguments, path="/"):
        return subprocess.run(["curl", "--silent", "--show-error", "--max-time", "30", *arguments,
                               f"http://127.0.0.1:{self.server.port}{path}"],
                              capture_output=True, timeout=program.PATIENCE_S)

    def test_it_gets_a_file(self):
        self.assertTrue(self.curl(path="/large.bin").stdout == self.content)

    def test_it_keeps_its_connection(self):
        url = f"http://127.0.0.1:{self.server.port}/style.css"
        got = self.curl(url, url, "--write-out", "%{num_connects} ", path="/style.css")
        self.assertEqual(got.stdout, b"p {}1 p {}0 p {}0 ")

    def test_it_gets_a_range(self):
        self.assertTrue(self.curl("--range", "1000-1999", path="/large.bin").stdout == self.content[1000:2000])

    def test_it_resumes(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write(self.content[:123_456])
            file.flush()
            self.curl("--continue-at", "-", "--output", file.name, path="/large.bin")
            with open(file.name, "rb") as whole:
                self.assertTrue(whole.read() == self.content)

    def test_it_gets_a_head(self):
        head = self.curl("--head", path="/large.bin").stdout.decode()
        self.assertIn("200 OK", head)
        self.assertIn("Content-Length: 300000", head)

    def test_it_is_told_when_it_has_the_file(self):
        with tempfile.TemporaryDirectory() as directory:
            tag = os.path.join(directory, "tag")
            self.curl("--etag-save", tag, path="/style.css")
            got = self.curl("--etag-compare", tag, "--write-out", "%{http_code}", path="/style.css")
            self.assertEqual(got.stdout, b"304")

    def test_it_gets_an_answer_to_an_upload(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write(bytes(5_000_000))
            file.flush()
            got = self.curl("--upload-file", file.name, "--output", "/dev/null", "--write-out", "%{http_code}",
                            path="/style.css")
            self.assertEqual(got.stdout, b"405")
        got = self.curl("--data-binary", "x" * 100_000, "--output", "/dev/null", "--write-out", "%{http_code}")
        self.assertEqual(got.stdout, b"405")


if __name__ == "__main__":
    unittest.main()
