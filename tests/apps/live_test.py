"""The live page of eddy-httpd, and the feed that it draws."""

import base64
import json
import os
import struct
import unittest

import program


class Feed:
    """A client of the feed, as plain as a WebSocket can be."""

    def __init__(self, server, origin=None):
        self.socket = server.connect()
        key = base64.b64encode(os.urandom(16)).decode()
        more = f"Origin: {origin}\r\n" if origin else ""
        self.socket.sendall(f"GET /_eddy/feed HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\n"
                            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
                            f"Sec-WebSocket-Version: 13\r\n{more}\r\n".encode())
        self.stream = self.socket.makefile("rb")
        self.status = int(self.stream.readline().split()[1])
        while self.stream.readline() not in (b"\r\n", b""):
            pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stream.close()
        self.socket.close()

    def next(self):
        """The first byte of the next frame, and what is in it."""
        first, size = self.stream.read(2)
        if size == 126:
            size, = struct.unpack(">H", self.stream.read(2))
        elif size == 127:
            size, = struct.unpack(">Q", self.stream.read(8))
        return first, self.stream.read(size)

    def sample(self):
        first, text = self.next()
        if first != 0x81:
            raise AssertionError(f"no whole text: {first:#x}")
        return json.loads(text)


class Live(unittest.TestCase):
    def test_the_page_is_there_only_if_it_was_asked_for(self):
        with program.site() as root:
            with program.Server("eddy-httpd", "--root", root) as server:
                self.assertIn(b" 404 ", server.ask(b"GET /_eddy/ HTTP/1.0\r\n\r\n"))
            with program.Server("eddy-httpd", "--root", root, "--live", "/_eddy") as server:
                page = server.ask(b"GET /_eddy/ HTTP/1.0\r\n\r\n")
                self.assertIn(b" 200 ", page.splitlines()[0])
                self.assertIn(b"Content-Security-Policy: default-src 'none'", page)
                self.assertTrue(page.endswith(b"</html>\n"))
                self.assertIn(b" 405 ", server.ask(b"POST /_eddy/ HTTP/1.0\r\nContent-Length: 0\r\n\r\n"))
                self.assertIn(b" 426 ", server.ask(b"GET /_eddy/feed HTTP/1.0\r\n\r\n"))
                self.assertTrue(server.ask(b"GET / HTTP/1.0\r\n\r\n").endswith(b"<p>home</p>"))

    def test_the_feed_tells_what_the_server_does(self):
        with program.site() as root, \
                program.Server("eddy-httpd", "--root", root, "--live", "/_eddy", workers=2) as server, \
                Feed(server) as feed:
            self.assertEqual(feed.status, 101)
            self.assertIn("history", feed.sample())
            for _ in range(30):
                server.ask()
            server.ask(b"GET /missing HTTP/1.0\r\n\r\n")
            requests, missing, sample = 0, 0, {}
            while requests < 31 or not missing:
                sample = feed.sample()
                requests = sample["requests"]
                missing += sample["answers_per_s"]["4xx"]
            self.assertGreaterEqual(sample["connections"], 1)
            self.assertGreater(sample["memory_bytes"], 1_000_000)
            self.assertEqual(len(sample["workers"]), 2)
            with Feed(server) as second:
                self.assertGreaterEqual(len(second.sample()["history"]), 1)

    def test_pages_of_others_may_not_read_it(self):
        with program.site() as root, program.Server("eddy-httpd", "--root", root, "--live", "/_eddy") as server:
            with Feed(server, "http://elsewhere.example") as feed:
                self.assertEqual(feed.status, 403)
            with Feed(server, f"http://127.0.0.1:{server.port}") as feed:
                self.assertEqual(feed.status, 101)

    def test_feeds_end_with_the_server(self):
        with program.site() as root, \
                program.Server("eddy-httpd", "--root", root, "--live", "/_eddy", "--drain-limit", "20") as server, \
                Feed(server) as feed:
            feed.sample()
            self.assertEqual(server.end(), (0, "", ""))
            frames = []
            while not frames or frames[-1][0] != 0x88:
                frames.append(feed.next())
            self.assertEqual(frames[-1][1][:2], struct.pack(">H", 1001))
