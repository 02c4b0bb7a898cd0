"""eddy-broadcast gives each line to everybody else, on all nodes, once."""

import contextlib
import re
import socket
import struct
import threading
import unittest

import program
import redis_server
import websocket_client
from websocket_client import WebSocketClient


class Broadcaster(program.Server):
    """Its log is gathered while it runs."""

    def __init__(self, *arguments, workers=1):
        super().__init__("eddy-broadcast", "--websocket-port", "0", *arguments, workers=workers)
        self.websocket_port = int(re.search(r"websocket 127\.0\.0\.1:(\d+)", self.first_line)[1])
        self.log = []
        self.changed = threading.Condition()
        self.reader = program.Watched(self._read_log)

    def _read_log(self):
        for line in self.process.stderr:
            with self.changed:
                self.log.append(line.rstrip("\n"))
                self.changed.notify_all()

    def await_log(self, pattern, count=1):
        """Waits until so many lines of the log match."""
        def is_there():
            return sum(bool(re.search(pattern, line)) for line in self.log) >= count
        with self.changed:
            if not self.changed.wait_for(is_there, program.PATIENCE_S):
                raise AssertionError(f"not in the log: {pattern}\n" + "\n".join(self.log))

    def end(self, *arguments):
        """Asks it to end; gives its exit status and its last line."""
        self.process.terminate()
        last = self.process.stdout.read()
        return self.process.wait(program.PATIENCE_S), last

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()
        self.process.stderr.close()

    def visit(self):
        return Visitor(self.port)


class Visitor:
    """A client over TCP that has surely been let in."""

    def __init__(self, port, receive_buffer=0):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(program.PATIENCE_S)
        self.socket.connect(("127.0.0.1", port))
        self.file = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()
        self.socket.close()

    def say(self, text):
        self.socket.sendall(text.encode() + b"\n")

    def hear(self):
        return self.file.readline().decode().rstrip("\n")

    def hear_several(self, count):
        return [self.hear() for _ in range(count)]


def meet(server, *visitors):
    """Returns once all are members: each says something that all others hear."""
    with server.visit() as probe:
        be_heard(probe, *visitors)


def be_heard(speaker, *visitors):
    """Returns once all have heard the speaker, so all of them are members."""
    # A line may be said before another has been let in, so the last comer's is what all hear for certain.
    for visitor in visitors:
        number = 0
        visitor.socket.settimeout(0.05)
        while True:
            number += 1
            speaker.say(f"probe {number}")
            try:
                if visitor.hear().startswith("probe"):
                    break
            except TimeoutError:
                # A file that has met a timeout reads no more.
                visitor.file = visitor.socket.makefile("rb")
        visitor.socket.settimeout(program.PATIENCE_S)
    speaker.say("met")
    for visitor in visitors:
        while visitor.hear() != "met":
            pass


def numbers(lines, prefix):
    return [int(line.split()[1]) for line in lines if line.startswith(prefix)]


class OneNode(unittest.TestCase):
    def test_a_line_goes_to_everybody_but_the_one_who_has_said_it(self):
        for workers in (1, 3):
            with self.subTest(workers=workers), Broadcaster(workers=workers) as server, \
                    server.visit() as a, server.visit() as b, server.visit() as c:
                meet(server, a, b, c)
                for number in range(200):
                    a.say(f"line {number}")
                expected = [f"line {number}" for number in range(200)]
                self.assertEqual(b.hear_several(200), expected)
                self.assertEqual(c.hear_several(200), expected)
                b.say("answer")
                self.assertEqual(a.hear(), "answer")

    def test_who_wants_to_receives_what_it_has_said(self):
        with Broadcaster("--echo") as server, server.visit() as a:
            a.say("hello")
            self.assertEqual(a.hear(), "hello")

    def test_tcp_and_websocket_see_each_others_lines(self):
        with Broadcaster(workers=2) as server, server.visit() as plain, \
                WebSocketClient(server.websocket_port) as framed:
            meet(server, plain)
            framed.send("from the web\nin two lines")
            self.assertEqual(plain.hear_several(2), ["from the web", "in two lines"])
            while True:
                plain.say("from tcp")
                kind, text = framed.receive()
                if text == b"from tcp":
                    break
            self.assertEqual(kind, websocket_client.TEXT)
            plain.socket.sendall(b"\xff\xfe\n")
            while text == b"from tcp":
                kind, text = framed.receive()
            self.assertEqual((kind, text), (websocket_client.BINARY, b"\xff\xfe"))

    def test_a_line_that_is_too_long_is_refused_and_the_next_is_taken(self):
        with Broadcaster("--line-bytes", "100") as server, server.visit() as a, server.visit() as b:
            meet(server, a, b)
            a.say("x" * 100)
            a.say("y" * 50_000)
            a.say("z")
            self.assertEqual(a.hear(), "error: a line has 100 bytes at the most")
            self.assertEqual(b.hear_several(2), ["x" * 100, "z"])

    def test_a_websockets_message_may_be_longer_than_a_line_and_has_a_limit_of_its_own(self):
        with Broadcaster("--line-bytes", "100", "--message-bytes", "1000") as server, server.visit() as a:
            meet(server, a)
            with WebSocketClient(server.websocket_port) as framed:
                framed.send("\n".join(["x" * 100, "y" * 101, "z" * 100]))
                self.assertEqual(a.hear_several(2), ["x" * 100, "z" * 100])
                self.assertEqual(framed.receive(), (websocket_client.TEXT, b"error: a line has 100 bytes at the most"))
                framed.send("y" * 1001)
                kind, payload = framed.receive()
                self.assertEqual((kind, struct.unpack(">H", payload[:2])[0]), (websocket_client.CLOSE, 1009))

    def test_a_request_of_http_at_the_line_port_is_not_relayed(self):
        with Broadcaster() as server, server.visit() as a, server.visit() as b:
            meet(server, a, b)
            a.say("hello")
            self.assertEqual(b.hear(), "hello")
            with socket.create_connection(("127.0.0.1", server.port), program.PATIENCE_S) as browser:
                browser.sendall(b"POST / HTTP/1.1\r\nHost: a\r\n\r\nspoken by a page\r\n")
                with contextlib.suppress(ConnectionResetError):
                    program.read_to_end(browser)
            a.say("POST / HTTP/1.1")  # a line like others, since it is not the first
            self.assertEqual(b.hear(), "POST / HTTP/1.1")

    def test_connections_beyond_the_limit_are_told_so(self):
        with Broadcaster("--connections", "2") as server, server.visit() as a, server.visit() as b:
            be_heard(a, b)
            with server.visit() as late:
                self.assertEqual(late.hear(), "error: there are too many connections")
                self.assertEqual(late.hear(), "")
            with WebSocketClient(server.websocket_port) as framed:
                self.assertEqual(framed.status, 503)
            status, last = server.end()
            self.assertEqual(status, 0)
            self.assertIn("2 connections refused", last)

    def test_a_receiver_that_is_too_slow_misses_the_oldest_lines_and_nobody_else_does(self):
        with Broadcaster("--queue", "100") as server, Visitor(server.port, 4096) as slow, \
                server.visit() as fast, server.visit() as speaker:
            meet(server, slow, fast, speaker)
            heard = self.flood(speaker, fast, 40)
            self.assertEqual(heard, list(range(len(heard))))
            slow_heard = []
            while not slow_heard or slow_heard[-1] != heard[-1]:
                slow_heard += numbers([slow.hear()], "line")
            self.assertEqual(slow_heard, sorted(set(slow_heard)))
            self.assertLess(len(slow_heard), len(heard))
            _, last = server.end()
            self.assertIn(f" {len(heard) - len(slow_heard)} dropped", last)

    @unittest.skipUnless(program.RUNS_IN_ORDER, "[order] how soon receivers are served is shuffled")
    def test_a_burst_longer_than_the_queues_reaches_receivers_that_are_fast_enough(self):
        for workers in (1, 2):
            with self.subTest(workers=workers), Broadcaster("--queue", "100", workers=workers) as server, \
                    server.visit() as a, server.visit() as b, server.visit() as c, server.visit() as speaker:
                meet(server, a, b, c, speaker)
                for first in range(0, 20_000, 2000):
                    said = [f"line {number}" for number in range(first, first + 2000)]
                    speaker.say("\n".join(said))
                    for receiver in (a, b, c):
                        self.assertEqual(receiver.hear_several(2000), said)

    def test_a_receiver_that_is_too_slow_is_shown_out_if_that_is_the_policy(self):
        with Broadcaster("--queue", "100", "--slow", "disconnect") as server, Visitor(server.port, 4096) as slow, \
                server.visit() as fast, server.visit() as speaker:
            meet(server, slow, fast, speaker)
            heard = self.flood(speaker, fast, 40)
            self.assertEqual(heard, list(range(len(heard))))
            with self.assertRaises(ConnectionResetError):
                while slow.hear():
                    pass
            _, last = server.end()
            self.assertIn("1 receivers shown out", last)

    def flood(self, speaker, fast, batches):
        """Says many large lines, as fast as one receiver takes them; gives what that one has heard."""
        heard = []
        for batch in range(batches):
            for number in range(batch * 50, batch * 50 + 50):
                speaker.say(f"line {number} " + "x" * 4000)
            heard += numbers(fast.hear_several(50), "line")
        return heard

    def test_it_sends_what_waits_before_it_ends(self):
        with Broadcaster() as server, server.visit() as a, server.visit() as b, \
                WebSocketClient(server.websocket_port) as framed:
            meet(server, a, b)
            for number in range(500):
                a.say(f"line {number}")
            self.assertEqual(b.hear(), "line 0")
            status, _ = server.end()
            self.assertEqual(status, 0)
            rest = b.file.read().decode().splitlines()
            self.assertEqual(rest, [f"line {number}" for number in range(1, len(rest) + 1)])
            kind, payload = websocket_client.TEXT, b""
            while kind != websocket_client.CLOSE:
                kind, payload = framed.receive()
            self.assertEqual(struct.unpack(">H", payload[:2])[0], 1001)

    def test_an_address_that_is_taken_and_a_wrong_option_are_told(self):
        with Broadcaster() as server:
            status, _, errors = program.run("eddy-broadcast", "--port", str(server.port))
            self.assertEqual(status, 1)
            self.assertIn("in use", errors)
        status, _, errors = program.run("eddy-broadcast", "--port", "0", "--slow", "never")
        self.assertEqual(status, 2)
        status, said, errors = program.run("eddy-broadcast", "--port", "0", "--redis", "http://x")
        self.assertEqual((status, said), (2, ""))
        self.assertIn("redis://", errors)


class TwoNodes(unittest.TestCase):
    def test_each_line_is_given_once_on_each_node(self):
        with redis_server.RedisServer() as redis, Broadcaster("--redis", redis.url, workers=2) as left, \
                Broadcaster("--redis", redis.url) as right, left.visit() as a, left.visit() as b, \
                right.visit() as c, WebSocketClient(right.websocket_port) as d:
            for node in (left, right):
                node.await_log("connected, node")
            meet(left, a, b)
            meet(right, c)
            for number in range(500):
                a.say(f"a {number}")
                c.say(f"c {number}")
            a.say("end")
            c.say("end")
            self.assertEqual(numbers(self.until(a.hear, 1), "c"), list(range(500)))
            heard = self.until(b.hear, 2)
            self.assertEqual(numbers(heard, "a"), list(range(500)))
            self.assertEqual(numbers(heard, "c"), list(range(500)))
            self.assertEqual(numbers(self.until(c.hear, 1), "a"), list(range(500)))
            heard = self.until(lambda: d.receive()[1].decode(), 2)
            self.assertEqual(numbers(heard, "a"), list(range(500)))
            self.assertEqual(numbers(heard, "c"), list(range(500)))

    @staticmethod
    def until(hear, ends):
        lines = []
        while lines.count("end") < ends:
            lines.append(hear())
        return lines

    def test_lines_that_were_said_while_redis_was_away_come_once_it_is_back(self):
        with redis_server.RedisServer() as redis, Broadcaster("--redis", redis.url) as left, \
                Broadcaster("--redis", redis.url) as right, left.visit() as a, left.visit() as b, \
                right.visit() as c:
            for node in (left, right):
                node.await_log("connected, node")
            meet(left, a, b)
            meet(right, c)
            a.say("a 0")
            self.assertEqual(numbers(self.until_number(c.hear, 0), "a"), [0])
            for back in range(1, 4):
                redis.stop()
                for node in (left, right):
                    node.await_log("the connection is lost", back)
                first = back * 100
                for number in range(first, first + 100):
                    a.say(f"a {number}")
                # Those of the same node do not wait for Redis.
                self.assertEqual(numbers(self.until_number(b.hear, first + 99), "a")[-100:],
                                 list(range(first, first + 100)))
                redis.start()
                for node in (left, right):
                    node.await_log("connected, node", back + 1)
                # Late ones may come in another order, but each comes once.
                heard = []
                while len(heard) < 100:
                    heard += numbers([c.hear()], "a")
                self.assertEqual(sorted(heard), list(range(first, first + 100)))
            a.say("a 1000")
            self.assertEqual(numbers(self.until_number(c.hear, 1000), "a"), [1000])

    @staticmethod
    def until_number(hear, last):
        lines = []
        while not lines or lines[-1] != f"a {last}":
            lines.append(hear())
        return lines

    def test_lines_beyond_the_queue_are_dropped_and_that_is_told(self):
        with redis_server.RedisServer() as redis, Broadcaster("--redis", redis.url, "--redis-queue", "10") as left, \
                left.visit() as a, left.visit() as b:
            left.await_log("connected, node")
            meet(left, a, b)
            redis.stop()
            left.await_log("the connection is lost")
            for number in range(30):
                a.say(f"a {number}")
            self.until_number(b.hear, 29)
            redis.start()
            left.await_log("connected, node", 2)
            left.await_log("20 lines were dropped before they could be sent")

    def test_a_password_that_is_wrong_ends_it(self):
        with redis_server.RedisServer("--requirepass", "secret") as redis:
            url = redis.url.replace("redis://", "redis://:guess@")
            status, _, errors = program.run("eddy-broadcast", "--port", "0", "--redis", url)
            self.assertEqual(status, 1)
            self.assertIn("WRONGPASS", errors)
            self.assertNotIn("guess", errors)


if __name__ == "__main__":
    unittest.main()
