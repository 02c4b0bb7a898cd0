"""eddy-httpd over HTTP/2 with clients that are not ours, curl, nghttp, h2load, and with eddy-load."""

import os
import shutil
import signal
import subprocess
import tempfile
import unittest

import certificates
import clients
import program
from load_test import measure

LARGE = bytes(i * 7 % 251 for i in range(3_000_000))


def output_of(*command):
    return subprocess.run(command, capture_output=True, timeout=program.PATIENCE_S, check=True).stdout


class Clients(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = tempfile.TemporaryDirectory()
        for name, content in (("small", b"hello, world!"), ("large", LARGE)):
            with open(os.path.join(cls.site.name, name), "wb") as file:
                file.write(content)

    @classmethod
    def tearDownClass(cls):
        cls.site.cleanup()

    def served(self, *arguments):
        return program.Server("eddy-httpd", "--root", self.site.name, *arguments)

    def test_curl_speaks_it_in_clear_by_prior_knowledge_beside_http_1(self):
        with self.served("--h2c", "--access-log", "--access-log-format", "common") as server:
            base = f"http://127.0.0.1:{server.port}"
            head = output_of("curl", "-si", "--http2-prior-knowledge", base + "/small")
            self.assertTrue(head.startswith(b"HTTP/2 200"), head)
            self.assertEqual(output_of("curl", "-s", "--http2-prior-knowledge", base + "/large"), LARGE)
            self.assertEqual(output_of("curl", "-s", "--http2-prior-knowledge", "-r", "7-11", base + "/small"), b"world")
            self.assertTrue(output_of("curl", "-si", "--http1.1", base + "/small").startswith(b"HTTP/1.1 200"))
            _, lines, _ = server.end()
            self.assertIn('"GET /small HTTP/2.0" 200', lines)
            self.assertIn('"GET /small HTTP/1.1" 200', lines)

    def test_without_the_option_only_http_1_is_spoken_in_clear(self):
        with self.served() as server:
            ended = subprocess.run(["curl", "-s", "--http2-prior-knowledge", f"http://127.0.0.1:{server.port}/small"],
                                   capture_output=True, timeout=program.PATIENCE_S)
            self.assertNotEqual(ended.returncode, 0)

    def test_curl_agrees_on_it_over_tls(self):
        with certificates.self_signed() as (chain, key):
            for more, version in (((), b"2"), (("--no-http2",), b"1.1")):
                with self.subTest(more=more), self.served("--tls-cert", chain, "--tls-key", key, *more) as server:
                    where = f"https://localhost:{server.port}"
                    shown = output_of("curl", "-s", "--cacert", chain, "--http2", "-o", "/dev/null", "-w",
                                      "%{http_version}", "--resolve", f"localhost:{server.port}:127.0.0.1",
                                      where + "/small")
                    self.assertEqual(shown, version)
                    self.assertEqual(output_of("curl", "-s", "--cacert", chain, "--resolve",
                                               f"localhost:{server.port}:127.0.0.1", where + "/large"), LARGE)

    def test_the_figures_count_its_streams(self):
        with self.served("--h2c", "--metrics", "/metrics", "--live", "/live") as server:
            base = f"http://127.0.0.1:{server.port}"
            for _ in range(2):
                output_of("curl", "-s", "--http2-prior-knowledge", base + "/small")
            figures = output_of("curl", "-s", "--http1.1", base + "/metrics").decode()
            self.assertIn("\neddy_http2_connections_total 2\n", figures)
            self.assertIn("\neddy_http2_streams_total 2\n", figures)

    @unittest.skipUnless(shutil.which("nghttp"), "[nghttp2-client] is not installed")
    def test_nghttp_fetches_several_files_at_once(self):
        with self.served("--h2c") as server:
            base = f"http://127.0.0.1:{server.port}"
            self.assertEqual(output_of("nghttp", *[f"{base}/small?{n}" for n in range(5)]), b"hello, world!" * 5)

    @unittest.skipUnless(shutil.which("h2load"), "[nghttp2-client] is not installed")
    def test_h2load_gets_every_answer(self):
        with self.served("--h2c") as server:
            for clients, streams in ((1, 1), (1, 100), (20, 20)):
                shown = output_of("h2load", "-n", "2000", "-c", str(clients), "-m", str(streams),
                                  f"http://127.0.0.1:{server.port}/small").decode()
                self.assertIn("2000 succeeded, 0 failed, 0 errored", shown)

    def test_a_thousand_clients_make_twenty_requests_at_once(self):
        program.need_descriptors(1100)
        with self.served("--h2c") as server:
            with clients.Http2Clients(server.port, 1000) as many:
                many.ask_each(20, b"/small")
            self.assertEqual(server.end(), (0, "", ""))

    def test_a_server_that_ends_lets_a_download_end(self):
        with self.served("--h2c") as server:
            client = subprocess.Popen(["curl", "-s", "--http2-prior-knowledge", "--limit-rate", "2M",
                                       f"http://127.0.0.1:{server.port}/large"], stdout=subprocess.PIPE, bufsize=0)
            first = client.stdout.read(1000)
            server.process.send_signal(signal.SIGTERM)
            rest = client.communicate(timeout=program.PATIENCE_S)[0]
            status = server.process.wait(timeout=program.PATIENCE_S)
            self.assertEqual((status, client.returncode), (0, 0))
            self.assertTrue(first + rest == LARGE)


class Load(unittest.TestCase):
    """eddy-load with our own server."""

    def test_streams_share_the_connections(self):
        with program.site() as root, program.Server("eddy-httpd", "--root", root, "--h2c", "--access-log",
                                                    "--access-log-format", "common") as server:
            told = measure("--http2", "-c", "3", "--streams", "10", "-n", "600", "-w", "2",
                           f"http://127.0.0.1:{server.port}/")
            _, log, _ = server.end()
        self.assertEqual((told["answers"], told["statuses"], told["failed"]), (600, {"200": 600}, 0))
        self.assertIn(told["connections_made"], range(1, 4))
        self.assertEqual(told["received_bytes"], 600 * 11)
        self.assertEqual(log.count('"GET / HTTP/2.0" 200'), 600)

    def test_more_streams_than_the_server_allows_wait(self):
        with program.site() as root, program.Server("eddy-httpd", "--root", root, "--h2c") as server:
            told = measure("--http2", "-c", "1", "--streams", "300", "-n", "3000", f"http://127.0.0.1:{server.port}/")
        self.assertEqual((told["statuses"], told["connections_made"]), ({"200": 3000}, 1))

    def test_it_is_agreed_on_over_tls_or_the_run_fails(self):
        with program.site() as root, certificates.self_signed() as (chain, key):
            secure = ("--root", root, "--tls-cert", chain, "--tls-key", key)
            arguments = ("--http2", "-c", "1", "--streams", "5", "-n", "50", "--cacert", chain)
            with program.Server("eddy-httpd", *secure) as server:
                told = measure(*arguments, f"https://localhost:{server.port}/")
                self.assertEqual((told["statuses"], told["connections_made"]), ({"200": 50}, 1))
            with program.Server("eddy-httpd", *secure, "--no-http2") as server:
                code, out, _ = program.run("eddy-load", *arguments, f"https://localhost:{server.port}/")
                self.assertEqual(code, 1)
                self.assertIn("50: the server does not speak HTTP/2", out)

    def test_a_rate_is_kept(self):
        with program.site() as root, program.Server("eddy-httpd", "--root", root, "--h2c") as server:
            told = measure("--http2", "-c", "2", "--streams", "4", "-t", "1", "--rate", "200",
                           f"http://127.0.0.1:{server.port}/")
        self.assertLessEqual(told["answers"] + told["unanswered"], 200)
        self.assertGreaterEqual(told["answers"] + told["unanswered"], 150)  # on a machine that pauses as well

    def test_what_makes_no_sense_is_misuse(self):
        for arguments in (["--streams", "2", "http://a/"], ["--http2", "ws://127.0.0.1:1/"],
                          ["--http2", "--close", "http://a/"], ["--http2", "--streams", "0", "http://a/"]):
            with self.subTest(arguments=arguments):
                code, out, errors = program.run("eddy-load", *arguments)
                self.assertEqual((code, out), (2, ""))
                self.assertTrue(errors.startswith("eddy-load: "), errors)


if __name__ == "__main__":
    unittest.main()
