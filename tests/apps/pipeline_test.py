"""eddy-pipeline answers right in every mode, and does not hang when its upstream service does."""

import contextlib
import json
import os
import queue
import re
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time
import unittest

import ports
import program

MODES = ("none", "blocking", "callback", "coroutine")
ASKING_MODES = MODES[1:]
DEMO = os.path.join(os.path.dirname(__file__), "..", "..", "apps", "pipeline", "demo.py")


class Part:
    """The upstream service or the server, until the end of the `with` block."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([program.path("eddy-pipeline"), *arguments],
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
        self.kill()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        out, errors = self.process.communicate(timeout=program.PATIENCE_S)
        return self.process.returncode, out, errors


def upstream(latency_us=1000, port=0):
    return Part("upstream", "--port", str(port), "--latency-us", str(latency_us))


def server(mode, upstream_port, *arguments):
    return Part("serve", "--port", "0", "--mode", mode, "--upstream-port", str(upstream_port), *arguments)


class ToldUpstream:
    """An upstream service that does what a test tells it to: gives the questions as they come, and answers when it is
    asked to."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.connections = []
        self.questions = queue.Queue()
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.break_off()

    def next_question(self):
        return self.questions.get(timeout=program.PATIENCE_S)

    def has_question_after(self, seconds):
        time.sleep(seconds)
        return not self.questions.empty()

    @staticmethod
    def answer(question):
        connection, number, value = question
        connection.sendall(struct.pack("<IQQ", 16, number, value + 1))

    def break_off(self):
        for each in (self.listener, *self.connections):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                self.connections.append(connection)
                threading.Thread(target=self._receive, args=(connection,), daemon=True).start()

    def _receive(self, connection):
        with contextlib.suppress(OSError, ValueError), connection.makefile("rb") as received:
            while question := received.read(20):
                self.questions.put((connection, *struct.unpack("<IQQ", question)[1:]))


class Client:
    """A connection that is kept."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), program.PATIENCE_S)
        self.received = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.received.close()
        self.socket.close()

    def send(self, target, method="GET"):
        self.socket.sendall(f"{method} {target} HTTP/1.1\r\nHost: a\r\n\r\n".encode())

    def receive(self):
        status = int(self.received.readline().split()[1])
        length = 0
        while (line := self.received.readline()) != b"\r\n":
            if line.startswith(b"Content-Length: "):
                length = int(line[16:])
        return status, self.received.read(length)

    def ask(self, target, method="GET"):
        self.send(target, method)
        return self.receive()


class Answers(unittest.TestCase):
    def test_every_mode_answers_right(self):
        with upstream() as service:
            for mode in MODES:
                more = 0 if mode == "none" else 1
                with self.subTest(mode=mode), server(mode, service.port) as serving, Client(serving.port) as client:
                    self.assertIn(f"mode {mode}", serving.first_line)
                    for number in (0, 1, 7, 2**32 - 1, 2**64 - 1):
                        self.assertEqual(client.ask(f"/compute?n={number}"),
                                         (200, b"%d\n" % ((number * number + more) % 2**64)))

    def test_many_clients_each_get_their_own_answer(self):
        with upstream() as service:
            for mode in MODES:
                more = 0 if mode == "none" else 1
                with self.subTest(mode=mode), contextlib.ExitStack() as open_ones:
                    serving = open_ones.enter_context(server(mode, service.port, "--io-workers", "2"))
                    clients = [open_ones.enter_context(Client(serving.port)) for _ in range(50)]
                    for round_ in range(5):
                        for number, client in enumerate(clients):
                            client.send(f"/compute?n={number + round_}")
                        for number, client in enumerate(clients):
                            self.assertEqual(client.receive(), (200, b"%d\n" % ((number + round_) ** 2 + more)))

    def test_answers_to_a_pipeline_come_in_order(self):
        with upstream() as service, server("coroutine", service.port) as serving, Client(serving.port) as client:
            for number in range(20):
                client.send(f"/compute?n={number}")
            for number in range(20):
                self.assertEqual(client.receive(), (200, b"%d\n" % (number * number + 1)))

    def test_only_the_blocking_pool_answers_one_after_the_other(self):
        """With a pool of one the service is asked 20 questions one by one, or all before it has answered any."""
        for mode in ASKING_MODES:
            with self.subTest(mode=mode), ToldUpstream() as service, contextlib.ExitStack() as open_ones:
                serving = open_ones.enter_context(
                    server(mode, service.port, "--pool", "1", "--upstream-timeout-us", "60000000"))
                clients = [open_ones.enter_context(Client(serving.port)) for _ in range(20)]
                for client in clients:
                    client.send("/compute?n=3")
                at_once = 1 if mode == "blocking" else 20
                for _ in range(20 // at_once):
                    questions = [service.next_question() for _ in range(at_once)]
                    self.assertFalse(service.has_question_after(0.02))
                    for question in questions:
                        service.answer(question)
                for client in clients:
                    self.assertEqual(client.receive(), (200, b"10\n"))

    def test_what_is_no_number_is_refused(self):
        with server("none", 0) as serving, Client(serving.port) as client:
            for target in ("/compute", "/compute?", "/compute?n=", "/compute?n=x", "/compute?n=-1", "/compute?n=1x",
                           f"/compute?n={2**64}", "/compute?m=1"):
                self.assertEqual(client.ask(target)[0], 400, target)
            self.assertEqual(client.ask("/elsewhere?n=1")[0], 404)
            self.assertEqual(client.ask("/compute?n=1", "DELETE")[0], 405)
            self.assertEqual(client.ask("/compute?n=3"), (200, b"9\n"))


class Upstream(unittest.TestCase):
    def test_requests_get_errors_while_it_is_away_and_answers_once_it_is_there(self):
        for mode in ASKING_MODES:
            port = ports.free_port()
            with self.subTest(mode=mode), upstream(latency_us=0, port=port) as first:
                with server(mode, port) as serving, Client(serving.port) as client:
                    self.assertEqual(client.ask("/compute?n=3"), (200, b"10\n"))
                    first.kill()
                    while (answer := client.ask("/compute?n=3"))[0] != 503:
                        self.assertIn(answer[0], (200, 502))
                    with upstream(latency_us=0, port=port):
                        give_up = time.monotonic() + program.PATIENCE_S
                        while (answer := client.ask("/compute?n=4"))[0] != 200:
                            self.assertIn(answer[0], (502, 503))
                            self.assertLess(time.monotonic(), give_up)
                        self.assertEqual(answer, (200, b"17\n"))

    def test_requests_under_way_get_errors_when_it_breaks_off(self):
        for mode in ASKING_MODES:
            with self.subTest(mode=mode), ToldUpstream() as service, server(mode, service.port) as serving, \
                    Client(serving.port) as first, Client(serving.port) as second:
                # As many as a blocking pool of two can have under way.
                first.send("/compute?n=3")
                second.send("/compute?n=4")
                self.assertEqual({service.next_question()[2], service.next_question()[2]}, {9, 16})
                service.break_off()
                for client in (first, second):
                    self.assertEqual(client.receive(), (502, b"the upstream service broke off\n"))

    def test_answers_that_come_in_another_order_find_their_requests(self):
        for mode in ("callback", "coroutine"):
            with self.subTest(mode=mode), ToldUpstream() as service, contextlib.ExitStack() as open_ones:
                serving = open_ones.enter_context(server(mode, service.port, "--pool", "1"))
                clients = [open_ones.enter_context(Client(serving.port)) for _ in range(10)]
                for number, client in enumerate(clients):
                    client.send(f"/compute?n={number}")
                for question in [service.next_question() for _ in clients][::-1]:
                    service.answer(question)
                for number, client in enumerate(clients):
                    self.assertEqual(client.receive(), (200, b"%d\n" % (number * number + 1)))

    def test_an_answer_that_comes_too_late_goes_to_nobody(self):
        for mode in ("callback", "coroutine"):
            with self.subTest(mode=mode), ToldUpstream() as service, \
                    server(mode, service.port, "--pool", "1", "--upstream-timeout-us", "1000000") as serving, \
                    Client(serving.port) as client:
                client.send("/compute?n=3")
                late = service.next_question()
                self.assertEqual(client.receive()[0], 504)
                client.send("/compute?n=4")
                question = service.next_question()
                service.answer(late)
                service.answer(question)
                self.assertEqual(client.receive(), (200, b"17\n"))

    def test_requests_get_errors_when_it_is_too_slow(self):
        for mode in ASKING_MODES:
            with self.subTest(mode=mode), upstream(latency_us=50_000_000) as service, \
                    server(mode, service.port, "--upstream-timeout-us", "1000000") as serving, \
                    contextlib.ExitStack() as open_ones:
                clients = [open_ones.enter_context(Client(serving.port)) for _ in range(60)]
                start = time.monotonic()
                for client in clients:
                    client.send("/compute?n=3")
                for client in clients:
                    self.assertEqual(client.receive(), (504, b"the upstream service did not answer in time\n"))
                # The last of them would wait for 30 s if each took the whole time-out of a pool of two.
                self.assertLess(time.monotonic() - start, 29)

    def test_calls_beyond_the_limit_are_refused(self):
        for mode in ("callback", "coroutine"):
            with self.subTest(mode=mode), ToldUpstream() as service, contextlib.ExitStack() as open_ones:
                serving = open_ones.enter_context(
                    server(mode, service.port, "--pool", "1", "--upstream-calls-max", "3",
                           "--upstream-timeout-us", "60000000"))
                clients = [open_ones.enter_context(Client(serving.port)) for _ in range(8)]
                for number, client in enumerate(clients):
                    client.send(f"/compute?n={number}")
                asked = {question[2]: question for question in [service.next_question() for _ in range(3)]}
                waiting = [client for number, client in enumerate(clients) if number * number in asked]
                for client in clients:
                    if client not in waiting:
                        self.assertEqual(client.receive()[0], 503)
                for question in asked.values():
                    service.answer(question)
                self.assertEqual([client.receive()[0] for client in waiting], [200] * 3)

    def test_nonsense_from_it_is_an_error(self):
        for mode in ASKING_MODES:
            with self.subTest(mode=mode), ToldUpstream() as service, \
                    server(mode, service.port, "--pool", "1") as serving, Client(serving.port) as client:
                client.send("/compute?n=3")
                connection, *_ = service.next_question()
                connection.sendall(b"\xff" * 40)
                self.assertEqual(client.receive(), (502, b"the upstream service broke off\n"))


class Ends(unittest.TestCase):
    def test_a_signal_lets_requests_under_way_end(self):
        for mode in ASKING_MODES:
            for number in (signal.SIGTERM, signal.SIGINT):
                with self.subTest(mode=mode, signal=number), ToldUpstream() as service, \
                        server(mode, service.port, "--upstream-timeout-us", "60000000",
                               "--drain-limit-us", "60000000") as serving, \
                        Client(serving.port) as busy, Client(serving.port) as idle:
                    self.assertEqual(idle.ask("/elsewhere")[0], 404)  # it is accepted
                    busy.send("/compute?n=3")
                    question = service.next_question()
                    serving.process.send_signal(number)
                    self.assertEqual(idle.received.read(), b"")
                    service.answer(question)
                    self.assertEqual(busy.receive(), (200, b"10\n"))
                    self.assertEqual(busy.received.read(), b"")
                    busy.close()
                    out, errors = serving.process.communicate(timeout=program.PATIENCE_S)
                    self.assertEqual((serving.process.returncode, out, errors), (0, "", ""))

    def test_the_drain_limit_cuts_off_the_rest(self):
        for mode in ("callback", "coroutine"):
            with self.subTest(mode=mode), ToldUpstream() as service, \
                    server(mode, service.port, "--upstream-timeout-us", "60000000",
                           "--drain-limit-us", "50000") as serving, Client(serving.port) as stuck:
                stuck.send("/compute?n=3")
                service.next_question()
                self.assertEqual(serving.end(), (0, "", ""))

    def test_the_upstream_service_ends_at_a_signal(self):
        for _ in range(10):  # while its workers begin
            with upstream() as service:
                self.assertEqual(service.end(), (0, "", ""))


class Load(unittest.TestCase):
    def test_it_counts_what_it_asked(self):
        for mode in MODES:
            with self.subTest(mode=mode), upstream() as service, server(mode, service.port) as serving:
                code, out, errors = program.run(
                    "eddy-pipeline", "load", "--port", str(serving.port), "--connections", "20", "--depth", "3",
                    "--warm-up-us", "50000", "--length-us", "300000", "--progress",
                    "--server-process", str(serving.process.pid))
                self.assertEqual((code, errors), (0, ""))
                told = json.loads(out.splitlines()[-1])
                self.assertEqual(told["errors"], 0)
                self.assertGreater(told["requests"], 20)
                self.assertGreaterEqual(told["seconds"], 0.3)
                self.assertGreater(told["server_cpu_us_per_request"], 0)
                if mode != "none":
                    self.assertGreaterEqual(told["p50_us"], 1000)
                self.assertLessEqual(told["p50_us"], told["p99_us"])

    def test_errors_count_as_such(self):
        with program.refusing_port() as refusing, server("coroutine", refusing) as serving:
            code, out, _ = program.run("eddy-pipeline", "load", "--port", str(serving.port),
                                       "--connections", "2", "--length-us", "100000")
        told = json.loads(out)
        self.assertEqual((code, told["requests"]), (0, 0))
        self.assertGreater(told["errors"], 0)


class Demo(unittest.TestCase):
    def test_it_tells_and_draws_all_modes(self):
        program.need_descriptors(700)
        with tempfile.TemporaryDirectory() as directory:
            ended = subprocess.run([DEMO, os.environ["PROGRAMS"], "--seconds", "0.2", "--out", directory],
                                   capture_output=True, text=True, timeout=program.PATIENCE_S)
            self.assertEqual((ended.returncode, ended.stderr), (0, ""))
            for mode in MODES:
                self.assertIn(f"\n{mode} ", ended.stdout)
            with open(os.path.join(directory, "results.json")) as file:
                self.assertEqual([result["mode"] for result in json.load(file)], list(MODES))
            with open(os.path.join(directory, "pipeline.svg")) as file:
                picture = file.read()
            self.assertEqual(picture.count('class="bar"'), len(MODES))

    def test_an_interrupt_ends_it_and_what_it_started(self):
        with tempfile.TemporaryDirectory() as directory:
            demo = subprocess.Popen([DEMO, os.environ["PROGRAMS"], "--out", directory], stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, text=True)
            guard = threading.Timer(program.PATIENCE_S, demo.kill)
            guard.start()
            started = []
            while len(started) < 3 and demo.poll() is None:
                started = children(demo.pid)
            demo.send_signal(signal.SIGINT)
            demo.communicate()
            guard.cancel()
            self.assertEqual(demo.returncode, 130)
            self.assertEqual(len(started), 3)
            for process in started:
                self.assertFalse(os.path.exists(f"/proc/{process}"))


def children(process):
    with open(f"/proc/{process}/task/{process}/children") as file:
        return file.read().split()


class Usage(unittest.TestCase):
    def test_wrong_options_are_misuse(self):
        for mentions, arguments in {
            "subcommand": [],
            "--port is required": ["serve"],
            "nonsense": ["serve", "--port", "0", "--mode", "nonsense"],
            "--upstream-port is required": ["serve", "--port", "0"],
            "--pool": ["serve", "--port", "0", "--pool", "0"],
            "--io-workers": ["serve", "--port", "0", "--io-workers", "0"],
            "--upstream-timeout-us": ["serve", "--port", "0", "--upstream-timeout-us", "0"],
            "--work-us": ["serve", "--port", "0", "--work-us", "-1"],
            "--latency-us": ["upstream", "--port", "0", "--latency-us", "-1"],
            "--depth": ["load", "--port", "1", "--depth", "0"],
            "--length-us": ["load", "--port", "1", "--length-us", "0"],
        }.items():
            with self.subTest(arguments=arguments):
                code, out, errors = program.run("eddy-pipeline", *arguments)
                self.assertEqual((code, out, errors.count("\n")), (2, "", 1), errors)
                self.assertTrue(errors.startswith("eddy-pipeline: "), errors)
                self.assertIn(mentions, errors)

    def test_what_cannot_be_done_is_a_failure(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = str(taken.getsockname()[1])
            for arguments in (["upstream", "--port", port], ["serve", "--port", port, "--mode", "none"]):
                code, out, errors = program.run("eddy-pipeline", *arguments)
                self.assertEqual((code, out, errors.count("\n")), (1, "", 1))
                self.assertIn(port, errors)


if __name__ == "__main__":
    unittest.main()
