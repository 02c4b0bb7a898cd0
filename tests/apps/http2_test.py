"""eddy-httpd over HTTP/2 with clients that are not ours: curl, nghttp, h2load."""

import os
import shutil
import signal
import subprocess
import tempfile
import unittest

import program
from httpd_options_test import certificate

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
        with tempfile.TemporaryDirectory() as directory:
            chain, key = certificate(directory, "localhost")
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


if __name__ == "__main__":
    unittest.main()
