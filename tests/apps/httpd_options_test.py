"""eddy-httpd with its options: configuration files, codings, listings, logs, TLS, redirection, reloads."""

import contextlib
import gzip
import http.client
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import unittest

import certificates
import program

PAGE = b"".join(b"<p>line %d</p>\n" % (i * 7919 % 1009) for i in range(1000))


@contextlib.contextmanager
def config(text):
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "httpd.toml")
        with open(path, "w") as file:
            file.write(text)
        yield path


def ask(server, path="/", headers=None, method="GET"):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=program.PATIENCE_S)
    connection.request(method, path, headers=headers or {})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


def wait_for_line(stream, wanted):
    """Reads lines of a program until one holds this; the program is ended by the test if none comes."""
    for line in stream:
        if wanted in line:
            return line
    raise AssertionError(f"no line with {wanted!r}")


class Files(unittest.TestCase):
    def test_it_compresses(self):
        with program.site(index_html=PAGE) as root, \
                program.Server("eddy-httpd", "--root", root, "--compress") as server:
            answer, body = ask(server, headers={"Accept-Encoding": "gzip"})
            self.assertEqual(answer.getheader("Content-Encoding"), "gzip")
            self.assertEqual(gzip.decompress(body), PAGE)
            answer, body = ask(server)
            self.assertEqual((answer.getheader("Content-Encoding"), body), (None, PAGE))
            self.assertEqual(answer.getheader("Vary"), "Accept-Encoding")

    @unittest.skipUnless(shutil.which("curl"), "[curl] needs curl")
    def test_curl_decodes_what_it_gets(self):
        with program.site(index_html=PAGE, large_txt=PAGE * 50) as root, \
                program.Server("eddy-httpd", "--root", root, "--compress") as server:
            for path, content in (("/", PAGE), ("/large.txt", PAGE * 50)):
                got = subprocess.run(["curl", "--silent", "--compressed", "--max-time", "30",
                                      "--write-out", "%{size_download}", "--output", os.path.join(root, "got"),
                                      f"http://127.0.0.1:{server.port}{path}"], capture_output=True)
                with open(os.path.join(root, "got"), "rb") as file:
                    self.assertTrue(file.read() == content)
                self.assertLess(int(got.stdout) * 3, len(content))

    def test_it_lists_directories_if_told_to(self):
        with program.site() as root:
            os.mkdir(os.path.join(root, "bare"))
            with open(os.path.join(root, "bare", "<b>.txt"), "w"):
                pass
            with program.Server("eddy-httpd", "--root", root) as server:
                self.assertEqual(ask(server, "/bare/")[0].status, 404)
            with program.Server("eddy-httpd", "--root", root, "--listing") as server:
                answer, page = ask(server, "/bare/")
                self.assertEqual(answer.status, 200)
                self.assertIn(b'href="./%3Cb%3E.txt">&lt;b&gt;.txt<', page)

    def test_it_takes_fields_types_and_names_from_its_options(self):
        with program.site(start_html=b"start", own_xyz=b"own") as root, \
                program.Server("eddy-httpd", "--root", root, "--index", "start.html",
                               "--cache-control", "*.html=no-cache", "--cache-control", "*=max-age=60",
                               "--header", "X-Own: a: b", "--media-type", "xyz=text/x-own") as server:
            answer, body = ask(server)
            self.assertEqual(body, b"start")
            self.assertEqual(answer.getheader("Cache-Control"), "no-cache")
            self.assertEqual(answer.getheader("X-Own"), "a: b")
            answer, _ = ask(server, "/own.xyz")
            self.assertEqual(answer.getheader("Content-Type"), "text/x-own")
            self.assertEqual(answer.getheader("Cache-Control"), "max-age=60")

    def test_several_ranges(self):
        content = bytes(range(256)) * 8
        with program.site(data_bin=content) as root, program.Server("eddy-httpd", "--root", root) as server:
            answer, body = ask(server, "/data.bin", {"Range": "bytes=0-9,1000-1004,-1"})
            self.assertEqual(answer.status, 206)
            boundary = re.fullmatch(r"multipart/byteranges; boundary=(\w+)", answer.getheader("Content-Type"))[1]
            parts = body.split(b"--" + boundary.encode())
            self.assertEqual(parts[-1], b"--\r\n")
            contents = [part.split(b"\r\n\r\n", 1)[1][:-2] for part in parts[1:-1]]
            self.assertEqual(contents, [content[:10], content[1000:1005], content[-1:]])


class Configuration(unittest.TestCase):
    def check(self, text, *arguments):
        with config(text) as path:
            return program.run("eddy-httpd", "--check", "--config", path, *arguments)

    def test_a_file_says_what_options_say(self):
        with program.site(index_html=PAGE, start_htm=b"start") as root, config(f"""
            port = 0
            workers = 1
            root = "{root}"
            compress = true
            listing = false
            index = ["start.htm", "index.html"]
            revalidate = 0.5
            [cache-control]
            "*.htm" = "max-age=7"
            [header]
            X-Own = "from the file"
            """) as path:
            self.assertEqual(program.run("eddy-httpd", "--check", "--config", path)[0], 0)
            with program.Server("eddy-httpd", "--config", path) as server:
                answer, body = ask(server)
                self.assertEqual(body, b"start")
                self.assertEqual(answer.getheader("Cache-Control"), "max-age=7")
                self.assertEqual(answer.getheader("X-Own"), "from the file")

    def test_the_command_line_counts_before_the_file(self):
        with program.site(a_txt=b"a", b_txt=b"b") as root, \
                config(f'root = "{root}"\nindex = ["a.txt"]\n') as path, \
                program.Server("eddy-httpd", "--config", path, "--index", "b.txt") as server:
            self.assertEqual(ask(server)[1], b"b")

    def test_every_option_can_stand_in_a_file(self):
        help_text = program.run("eddy-httpd", "--help")[1]
        names = set(re.findall(r"^  (?:-h,)?--([a-z0-9-]+)", help_text, re.M)) - {"help", "version", "config", "check"}
        names -= {"tls-groups"}  # which needs a certificate
        self.assertGreater(len(names), 25)
        flags = {"listing", "compress", "dot-files", "access-log", "http2", "h2c"}
        numbers = {"port": 0, "workers": 1, "cache-control": ["*=x"], "header": ["A: b"], "media-type": ["a=b/c"],
                   "root": ".", "address": "127.0.0.1", "backend": "auto", "access-log-format": "json",
                   "access-log-file": os.devnull, "metrics": "/m", "health": "/h", "live": "/l", "index": ["i.html"],
                   "tls-cert": [], "tls-key": [], "redirect-port": 0}
        for name in sorted(names):
            value = True if name in flags else numbers.get(name, 3)
            lines = [f"{name} = {json.dumps(value)}"]
            lines += [f"{other} = {json.dumps(numbers[other])}" for other in ("port", "root") if other != name]
            with self.subTest(name=name):
                code, _, errors = self.check("\n".join(lines))
                self.assertEqual((code, errors), (0, ""))

    def test_mistakes_name_their_line(self):
        for line, mentions, text in (
                (2, "colour", 'port = 0\ncolour = "red"\n'),
                (3, "head-timeout", 'port = 0\nroot = "."\nhead-timeout = -1\n'),
                (1, "compress", 'compress = "yes"\n'),
                (2, "port", 'root = "."\nport = 70000\n'),
                (1, "port", "port = [1, 2]\n"),
                (2, "", "port = 0\nroot = \n"),
                (1, "check", "check = true\n"),
                (2, "table", "port = 0\n[table]\na = 1\n"),
                (1, "access-log-format", 'access-log-format = "long"\n')):
            with self.subTest(text=text):
                code, _, errors = self.check(text, "--port", "0", "--root", ".")
                self.assertEqual(code, 2)
                self.assertIn(f"line {line}", errors)
                self.assertIn(mentions, errors)
                self.assertEqual(errors.count("\n"), 1)

    def test_a_check_finds_what_would_stand_in_the_way(self):
        for arguments in (["--root", "/nowhere/at/all"], ["--root", ".", "--tls-cert", "/nowhere.pem"],
                          ["--root", ".", "--tls-cert", __file__, "--tls-key", __file__],
                          ["--root", ".", "--tls-groups", "X25519"], ["--root", ".", "--redirect-port", "8081"], ["--root", ".", "--header", "no colon"],
                          ["--root", ".", "--header", "a b: c"], ["--root", ".", "--cache-control", "x"],
                          ["--root", ".", "--index", "a/b"], ["--root", ".", "--metrics", "no-slash"],
                          ["--root", ".", "--access-log-file", "/nowhere/at/all"],
                          ["--root", ".", "--config", "/nowhere.toml"]):
            with self.subTest(arguments=arguments):
                code, _, errors = program.run("eddy-httpd", "--check", "--port", "0", *arguments)
                self.assertEqual(code, 2, errors)
                self.assertEqual(errors.count("\n"), 1, errors)
        self.assertEqual(program.run("eddy-httpd", "--check", "--port", "0", "--root", ".")[0], 0)


class Operation(unittest.TestCase):
    def test_sighup_takes_a_new_configuration_over(self):
        with program.site() as one, program.site(index_html=b"other") as other, \
                config(f'root = "{one}"\n') as path, \
                program.Server("eddy-httpd", "--config", path, workers=2) as server:
            kept = http.client.HTTPConnection("127.0.0.1", server.port, timeout=program.PATIENCE_S)
            kept.request("GET", "/")
            self.assertEqual(kept.getresponse().read(), b"<p>home</p>")
            with open(path, "w") as file:
                file.write(f'root = "{other}"\nheader = ["X-Own: new"]\n')
            server.process.send_signal(signal.SIGHUP)
            wait_for_line(server.process.stderr, "reloaded")
            kept.request("GET", "/")
            answer = kept.getresponse()
            self.assertEqual(answer.read(), b"other")
            self.assertEqual(answer.getheader("X-Own"), "new")
            kept.close()
            with open(path, "w") as file:
                file.write("nonsense = 1\n")
            server.process.send_signal(signal.SIGHUP)
            self.assertIn("nonsense", wait_for_line(server.process.stderr, "not reloaded"))
            self.assertEqual(ask(server)[1], b"other")

    def test_a_request_that_has_begun_survives_a_reload(self):
        content = os.urandom(30_000_000)
        with program.site(large_bin=content) as root, \
                program.Server("eddy-httpd", "--root", root) as server, server.connect() as busy:
            busy.sendall(b"GET /large.bin HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            begun = busy.recv(1)
            for _ in range(3):
                server.process.send_signal(signal.SIGHUP)
                wait_for_line(server.process.stderr, "reloaded")
            self.assertTrue((begun + program.read_to_end(busy)).endswith(content))

    def test_logs_of_every_form(self):
        headers = {"User-Agent": 'a "quoted"\tagent', "Referer": "http://from/"}
        with program.site() as root:
            with program.Server("eddy-httpd", "--root", root, "--access-log",
                                "--access-log-format", "combined") as server:
                ask(server, "/?a=b", headers)
                out = server.end()[1]
            self.assertRegex(out, r'^127\.0\.0\.1 - - \[\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d \+0000\] '
                                  r'"GET /\?a=b HTTP/1\.1" 200 11 "http://from/" "a \\x22quoted\\x22\\x09agent"\n$')
            with program.Server("eddy-httpd", "--root", root, "--access-log",
                                "--access-log-format", "json") as server:
                ask(server, "/?a=b", headers)
                line = json.loads(server.end()[1])
            self.assertEqual(line["user_agent"], headers["User-Agent"])
            self.assertEqual((line["peer"], line["method"], line["target"], line["status"], line["bytes"]),
                             ("127.0.0.1", "GET", "/?a=b", 200, 11))
            self.assertGreaterEqual(line["ms"], 0)

    def test_a_log_file_is_opened_anew(self):
        with program.site() as root, tempfile.TemporaryDirectory() as directory:
            log = os.path.join(directory, "log")
            with program.Server("eddy-httpd", "--root", root, "--access-log-file", log) as server:
                ask(server, "/?first")
                os.rename(log, log + ".1") if os.path.exists(log) else None
                server.process.send_signal(signal.SIGHUP)
                wait_for_line(server.process.stderr, "reloaded")
                ask(server, "/?second")
                self.assertEqual(server.end()[0], 0)
            with open(log + ".1") as file:
                self.assertIn("/?first", file.read())
            with open(log) as file:
                text = file.read()
            self.assertIn("/?second", text)
            self.assertNotIn("/?first", text)

    def test_figures_and_health(self):
        with program.site() as root, \
                program.Server("eddy-httpd", "--root", root, "--metrics", "/metrics", "--health", "/health",
                               "--drain-delay", "0.3", workers=2) as server:
            for _ in range(5):
                ask(server, "/")
            ask(server, "/missing")
            answer, body = ask(server, "/metrics")
            self.assertTrue(answer.getheader("Content-Type").startswith("text/plain; version=0.0.4"))
            text = body.decode()
            figures = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
            self.assertGreaterEqual(int(figures["eddy_http_requests_total"]), 7)
            self.assertEqual(int(figures['eddy_http_responses_total{status="4xx"}']), 1)
            self.assertEqual(ask(server, "/health")[0].status, 200)
            self.assertEqual(ask(server, "/healthy")[0].status, 404)
            kept = http.client.HTTPConnection("127.0.0.1", server.port, timeout=program.PATIENCE_S)
            server.process.send_signal(signal.SIGTERM)
            states = set()
            with contextlib.suppress(OSError, http.client.HTTPException):
                while True:
                    kept.request("GET", "/health")
                    answer = kept.getresponse()
                    answer.read()
                    states.add(answer.status)
            self.assertIn(503, states)
            self.assertEqual(server.process.wait(program.PATIENCE_S), 0)


@unittest.skipUnless(shutil.which("openssl"), "[openssl] needs openssl")
class Tls(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name
        self.one = certificates.make(self.directory, "one.test")
        self.two = certificates.make(self.directory, "two.test")

    def shown(self, server, name):
        """The certificate that the server shows for a name, in DER."""
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        with server.connect() as plain, context.wrap_socket(plain, server_hostname=name) as secured:
            return secured.getpeercert(binary_form=True)

    @staticmethod
    def der(path):
        with open(path) as file:
            return ssl.PEM_cert_to_DER_cert(file.read())

    def serve(self, root, *arguments):
        return program.Server("eddy-httpd", "--root", root, "--tls-cert", self.one[0], "--tls-key", self.one[1],
                              "--tls-cert", self.two[0], "--tls-key", self.two[1], *arguments)

    def test_python_gets_a_file_from_each_name(self):
        with program.site(large_bin=bytes(1_000_000)) as root, self.serve(root) as server:
            self.assertIn("https://", server.first_line)
            for name, (chain, _) in (("one.test", self.one), ("two.test", self.two)):
                context = ssl.create_default_context(cafile=chain)
                with server.connect() as plain, context.wrap_socket(plain, server_hostname=name) as secured:
                    self.assertIn(("DNS", name), secured.getpeercert()["subjectAltName"])
                    secured.sendall(b"GET /large.bin HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                    self.assertTrue(program.read_to_end(secured).endswith(bytes(1_000_000)))

    def test_every_form_of_target_is_redirected_or_answered(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        with program.site() as root, self.serve(root, "--redirect-port", str(port)) as server:
            place = f"Location: https://one.test:{server.port}"
            for line, status, wanted in (("GET http://one.test/a?b=c", 308, f"{place}/a?b=c\r\n"),
                                         ("GET http://one.test", 308, f"{place}/\r\n"),
                                         ("GET /a?b", 308, f"{place}/a?b\r\n"),
                                         ("OPTIONS *", 204, "Allow: GET, HEAD, OPTIONS\r\n"),
                                         ("CONNECT one.test:443", 400, ""), ("GET /\\evil.com/", 400, "")):
                with socket.create_connection(("127.0.0.1", port), timeout=program.PATIENCE_S) as plain:
                    plain.sendall(f"{line} HTTP/1.1\r\nHost: one.test\r\nConnection: close\r\n\r\n".encode())
                    answer = program.read_to_end(plain).decode()
                self.assertTrue(answer.startswith(f"HTTP/1.1 {status} "), (line, answer))
                self.assertIn(wanted, answer, line)

    @unittest.skipUnless(shutil.which("curl"), "[curl] needs curl")
    def test_curl_gets_a_file_and_a_redirection(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        with program.site() as root, self.serve(root, "--redirect-port", str(port)) as server:
            resolve = ["--resolve", f"one.test:{server.port}:127.0.0.1", "--resolve", f"one.test:{port}:127.0.0.1"]
            got = subprocess.run(["curl", "--silent", "--show-error", "--max-time", "30", "--cacert", self.one[0],
                                  *resolve, "--location", "--write-out", " %{url_effective}",
                                  f"http://one.test:{port}/index.html?a=b"], capture_output=True)
            self.assertEqual(got.stdout.decode(), f"<p>home</p> https://one.test:{server.port}/index.html?a=b")
            self.assertEqual(server.end()[0], 0)

    def exchange(self, server, group):
        """Whether a client that knows one group only comes to terms with the server, and in which group."""
        said = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", "-tls1_3", "-groups", group],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=program.PATIENCE_S)
        found = re.search(r"Server Temp Key: ([\w-]+)", said.stdout)
        return found and found[1]

    def test_keys_are_exchanged_in_groups_that_cost_little_and_in_those_that_are_named(self):
        with program.site() as root:
            with self.serve(root) as server:
                self.assertEqual([self.exchange(server, group) for group in ("X25519", "P-256", "P-384")],
                                 ["X25519", "ECDH", "ECDH"])
                self.assertEqual([self.exchange(server, group) for group in ("ffdhe2048", "ffdhe8192", "P-521")],
                                 [None, None, None])
            with self.serve(root, "--tls-groups", "P-256:ffdhe2048") as server:
                self.assertEqual([self.exchange(server, group) for group in ("P-256", "ffdhe2048", "X25519")],
                                 ["ECDH", "DH", None])

    def test_new_certificates_are_taken_over_without_dropping_connections(self):
        with program.site() as root, self.serve(root) as server:
            self.assertEqual(self.shown(server, "one.test"), self.der(self.one[0]))
            context = ssl.create_default_context(cafile=self.one[0])
            with server.connect() as plain, context.wrap_socket(plain, server_hostname="one.test") as kept:
                certificates.make(self.directory, "one.test")
                server.process.send_signal(signal.SIGHUP)
                wait_for_line(server.process.stderr, "reloaded")
                self.assertEqual(self.shown(server, "one.test"), self.der(self.one[0]))
                kept.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                self.assertTrue(program.read_to_end(kept).endswith(b"<p>home</p>"))

    def test_changed_files_are_noticed(self):
        with program.site() as root, self.serve(root) as server:
            before = self.shown(server, "two.test")
            certificates.make(self.directory, "two.test")
            program.wait_until(lambda: self.shown(server, "two.test") != before, "another certificate is shown")
            self.assertEqual(self.shown(server, "two.test"), self.der(self.two[0]))


if __name__ == "__main__":
    unittest.main()
