"""eddy-load makes the load that it was told to make, and tells of it what was."""

import json
import os
import socket
import tempfile
import threading
import time
import unittest

import program


def measure(*arguments):
    """Runs it; gives what it wrote as JSON."""
    code, out, errors = program.run("eddy-load", *arguments, "--json", "-")
    if code != 0:
        raise AssertionError(errors or out)
    return json.loads(out)


class Stalling:
    """Answers requests at once, but stands still for `stall_s` once it has answered `before` of them."""

    def __init__(self, before, stall_s):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.before, self.stall_s, self.answered = before, stall_s, 0
        self.thread = threading.Thread(target=self.serve, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.listener.close()

    def serve(self):
        client, _ = self.listener.accept()
        waiting = b""
        with client:
            while received := client.recv(65536):
                waiting += received
                while b"\r\n\r\n" in waiting:
                    _, _, waiting = waiting.partition(b"\r\n\r\n")
                    if self.answered == self.before:
                        time.sleep(self.stall_s)
                    self.answered += 1
                    client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")


class Load(unittest.TestCase):
    def test_so_many_requests_are_made_and_all_answers_counted(self):
        with program.site() as root, \
                program.Server("eddy-httpd", "--root", root, "--access-log") as server:
            told = measure("-c", "7", "-n", "500", "-w", "2", f"http://127.0.0.1:{server.port}/")
            missing = measure("-c", "1", "-n", "3", f"http://127.0.0.1:{server.port}/missing")
            _, log, _ = server.end()
        self.assertEqual((told["answers"], told["statuses"], told["failed"]), (500, {"200": 500}, 0))
        # Those that connect first may have made them all.
        self.assertIn(told["connections_made"], range(1, 8))
        self.assertEqual(told["received_bytes"], 500 * 11)
        self.assertEqual(sum(bar["count"] for bar in told["latency_us"]["histogram"]), 500)
        self.assertLessEqual(told["latency_us"]["min"], told["latency_us"]["p50"])
        self.assertLessEqual(told["latency_us"]["p99.9"], told["latency_us"]["max"])
        self.assertEqual(missing["statuses"], {"404": 3})
        self.assertEqual(len(log.splitlines()), 503)

    def test_as_many_connections_are_made_as_were_told(self):
        listener = socket.create_server(("127.0.0.1", 0))

        def answer_when_all_have_come():
            clients = [listener.accept()[0] for _ in range(7)]
            for client in clients:
                client.recv(65536)
                client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            for client in clients:
                client.close()

        with listener:
            answering = program.Watched(answer_when_all_have_come)
            told = measure("-c", "7", "-n", "7", f"http://127.0.0.1:{listener.getsockname()[1]}/")
            answering.join()
        self.assertEqual((told["connections_made"], told["answers"], told["failed"]), (7, 7, 0))

    def test_the_time_ends_a_run(self):
        with program.site() as root, program.Server("eddy-httpd", "--root", root) as server:
            told = measure("-c", "3", "-t", "0.3", f"http://127.0.0.1:{server.port}/")
        self.assertGreater(told["answers"], 0)
        self.assertGreaterEqual(told["seconds"], 0.3)

    def test_a_connection_for_each_request(self):
        with program.site() as root, program.Server("eddy-httpd", "--root", root) as server:
            told = measure("-c", "2", "-n", "20", "--close", f"http://127.0.0.1:{server.port}/")
        self.assertEqual((told["answers"], told["connections_made"]), (20, 20))

    def test_a_rate_is_kept(self):
        with program.site() as root, program.Server("eddy-httpd", "--root", root) as server:
            told = measure("-c", "4", "-t", "1", "--rate", "200", f"http://127.0.0.1:{server.port}/")
        self.assertLessEqual(told["answers"] + told["unanswered"], 200)
        self.assertGreaterEqual(told["answers"] + told["unanswered"], 150)  # on a machine that pauses as well

    def test_requests_that_a_stall_held_up_count_with_their_wait(self):
        with Stalling(before=20, stall_s=0.6) as server:
            told = measure("-c", "1", "-t", "1.5", "--rate", "100", f"http://127.0.0.1:{server.port}/")
        # Of the 150 requests 60 were due while it stood still: one of them was sent then, but all have waited.
        self.assertGreater(told["latency_us"]["p75"], 100_000)
        self.assertLess(told["service_time_us"]["p75"], 100_000)
        self.assertGreater(told["latency_us"]["max"], 500_000)

    def test_a_body_and_fields_are_sent(self):
        received = []
        with socket.create_server(("127.0.0.1", 0)) as listener:
            def serve():
                client, _ = listener.accept()
                with client:
                    while b"hello" not in b"".join(received):
                        received.append(client.recv(65536))
                    client.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
                    client.recv(1)
            thread = program.Watched(serve)
            told = measure("-c", "1", "-n", "1", "-d", "hello", "-H", "X-Other: a", "-H", "X-Name: value",
                           f"http://127.0.0.1:{listener.getsockname()[1]}/a?b")
            thread.join()
        request = b"".join(received)
        self.assertTrue(request.startswith(b"POST /a?b HTTP/1.1\r\n"), request)
        self.assertIn(b"X-Name: value\r\n", request)
        self.assertIn(b"X-Other: a\r\n", request)
        self.assertIn(b"Content-Length: 5\r\n", request)
        self.assertEqual(told["statuses"], {"204": 1})

    def test_bytes_are_counted_alike_over_http_1_and_http_2(self):
        with program.site() as root, program.Server("eddy-httpd", "--root", root, "--h2c") as server:
            for sent in ((), ("-m", "PUT", "-d", "x" * 1000, "-H", "X-Other: a")):
                told = [measure(*how, "-c", "2", "-n", "40", *sent, f"http://127.0.0.1:{server.port}/")
                        for how in ((), ("--http2",))]
                with self.subTest(sent=sent):
                    self.assertEqual(*(each["statuses"] for each in told))
                    self.assertEqual(*(each["received_bytes"] for each in told))
                    self.assertEqual(*(each["sent_bytes"] for each in told))
                    self.assertGreater(told[0]["sent_bytes"], 40 * (len(sent) and 1000))

    def test_failures_are_counted_by_what_they_are(self):
        with program.refusing_port() as port:
            code, out, _ = program.run("eddy-load", "-c", "1", "-n", "3", f"http://127.0.0.1:{port}/")
        self.assertEqual(code, 1)
        self.assertIn("3: Connection refused", out)

    def test_two_runs_are_compared(self):
        with program.site() as root, program.Server("eddy-httpd", "--root", root) as server, \
                tempfile.TemporaryDirectory() as directory:
            files = [os.path.join(directory, name) for name in ("first.json", "second.json")]
            for file in files:
                code, out, errors = program.run("eddy-load", "-c", "1", "-n", "50", "--json", file,
                                                f"http://127.0.0.1:{server.port}/")
                self.assertEqual((code, errors), (0, ""))
                self.assertIn("50 in ", out)
            code, out, errors = program.run("eddy-load", "--compare", *files)
            self.assertEqual((code, errors), (0, ""))
            self.assertRegex(out, r"answers +50 +50 +\+0\.0 %")
            self.assertIn("latency p99", out)
            code, _, errors = program.run("eddy-load", "--compare", files[0], __file__)
            self.assertEqual(code, 2)
            self.assertIn("is no result of eddy-load", errors)

    def test_what_makes_no_sense_is_misuse(self):
        for arguments in ([], ["ftp://a/"], ["http://"], ["-c", "0", "http://a/"], ["-t", "1", "-n", "1", "http://a/"],
                          ["-H", "no colon", "http://127.0.0.1:1/"], ["--rate", "-1", "http://a/"]):
            with self.subTest(arguments=arguments):
                code, out, errors = program.run("eddy-load", *arguments)
                self.assertEqual((code, out), (2, ""))
                self.assertTrue(errors.startswith("eddy-load: "), errors)
