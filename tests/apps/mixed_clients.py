"""Clients of eddy-httpd of all kinds: those that look closely at what they get, and those that break off.

Each function is one episode of one client. It raises if the server did what it must not; what comes of the client's own
rudeness is no error.
"""

import base64
import contextlib
import gzip
import hashlib
import http.client
import json
import os
import random
import socket
import ssl
import struct
import threading
import time

import mixed_site
import program

SMALL_PATHS = ("/", "/changing.txt", "/notes/", "/notes/note3.txt", "/missing")


class Target:
    """Where the clients connect to. One for each thread."""

    def __init__(self, port, is_secure, site):
        self.port, self.is_secure, self.site = port, is_secure, site
        if is_secure:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            self.context.check_hostname = False
            self.context.verify_mode = ssl.CERT_NONE

    def connect_plainly(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=program.PATIENCE_S)

    def connect(self, session=None):
        client = self.connect_plainly()
        return self.context.wrap_socket(client, session=session) if self.is_secure else client

    @contextlib.contextmanager
    def talk(self, session=None):
        """An http.client connection."""
        talking = http.client.HTTPConnection("localhost")
        talking.sock = self.connect(session)
        try:
            yield talking
        finally:
            talking.close()

    def ask(self, path, **fields):
        with self.talk() as talking:
            return ask(talking, path, **fields)


def ask(talking, path, method="GET", body=None, **fields):
    """Gives the answer's status, fields and body."""
    talking.request(method, path, body, {name.replace("_", "-"): value for name, value in fields.items()})
    answer = talking.getresponse()
    return answer.status, answer.headers, answer.read()


def expect(is_so, *what):
    if not is_so:
        raise AssertionError(" ".join(str(each)[:200] for each in what))


# Those that look.


def resume(target, chance):
    """Asks several times on one connection, and on another that resumes its session."""
    session = None
    for _ in range(2):
        with target.talk(session) as talking:
            for _ in range(chance.randrange(1, 6)):
                status, _, body = ask(talking, "/")
                expect(status == 200 and body == mixed_site.PAGE, "not the page:", status, len(body))
            session = talking.sock.session if target.is_secure else None


def ranges(target, chance):
    large = target.site.large
    with target.talk() as talking:
        _, fields, _ = ask(talking, "/large.bin", "HEAD")
        for _ in range(chance.randrange(1, 8)):
            first = chance.randrange(len(large))
            last = min(first + chance.choice((0, 10, 5000, 300_000)), len(large) - 1)
            condition = chance.choice(({}, {"If_Range": fields["ETag"]}))
            status, _, body = ask(talking, "/large.bin", Range=f"bytes={first}-{last}", **condition)
            expect(status == 206 and body == large[first:last + 1], "not the range:", status, first, last, len(body))
        status, _, body = ask(talking, "/large.bin", Range="bytes=0-9,100-109,-10")
        expect(status == 206 and all(part in body for part in (large[:10], large[100:110], large[-10:])),
               "not the ranges:", status, body)
        status, _, _ = ask(talking, "/large.bin", Range=f"bytes={len(large)}-")
        expect(status == 416, "a range behind the end:", status)


def conditions(target, chance):
    with target.talk() as talking:
        _, fields, _ = ask(talking, "/")
        for condition, wanted in (({"If_None_Match": fields["ETag"]}, 304), ({"If_Match": '"other"'}, 412),
                                  ({"If_Modified_Since": fields["Last-Modified"]}, 304),
                                  ({"If_None_Match": '"other"'}, 200)):
            status, _, _ = ask(talking, "/", **condition)
            expect(status == wanted, condition, "gave", status)


def codings(target, chance):
    """Brotli's content is not looked at: Python has no decoder for it."""
    with target.talk() as talking:
        for coding in ("gzip", "br"):
            status, fields, body = ask(talking, "/", Accept_Encoding=coding)
            expect(status == 200, "the page gave", status)
            if fields["Content-Encoding"] is None:  # it is being compressed for somebody else
                expect(body == mixed_site.PAGE, "not the page")
            elif coding == "gzip":
                expect(gzip.decompress(body) == mixed_site.PAGE, "not the page")
            else:
                expect(fields["Content-Encoding"] == "br" and len(body) < len(mixed_site.PAGE), "not compressed")


def changes(target, chance):
    """What is read while the file is replaced is one file or the other."""
    status, _, body = target.ask("/changing.txt")
    expect(status == 200 and body == body[:8] * (len(body) // 8), "a mixture:", status, body[:8])


def mistakes(target, chance):
    for path, method, wanted in (("/missing", "GET", 404), ("/notes/", "GET", 200), ("/", "POST", 405),
                                 ("/notes", "GET", 301), ("/..%2f..%2fetc/passwd", "GET", 400)):
        status, _, _ = target.ask(path, method=method, body=b"a" * 20_000 if method == "POST" else None)
        expect(status == wanted or 400 <= status < 500 and wanted >= 300, method, path, "gave", status)


# Those that break off.


@contextlib.contextmanager
def rudely(client, chance):
    """The client is rude: what comes of that is its own fault. It ends the connection in one way or another."""
    try:
        yield
    except (EOFError, OSError, http.client.HTTPException):
        pass
    end = chance.randrange(3)
    with contextlib.suppress(OSError):
        if end == 0:
            client.shutdown(socket.SHUT_WR)
    if end == 1:
        client.close()
    else:
        program.reset(client)


def head(path, **fields):
    lines = [f"GET {path} HTTP/1.1", "Host: localhost"] + [f"{name.replace('_', '-')}: {value}"
                                                          for name, value in fields.items()]
    return "\r\n".join(lines + ["", ""]).encode()


def reset_anywhere(target, chance):
    client = target.connect()
    with rudely(client, chance):
        sent = head(chance.choice(SMALL_PATHS), Accept_Encoding=chance.choice(("gzip", "br", "identity"))) * 5
        client.sendall(sent[:chance.randrange(len(sent))])
        time.sleep(chance.random() * 0.05)


def cancel(target, chance):
    """Leaves in the middle of a large answer."""
    client = target.connect()
    with rudely(client, chance):
        if chance.randrange(2):
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.sendall(head("/large.bin") * chance.randrange(1, 4))
        for _ in range(chance.randrange(40)):
            client.recv(65536)


def linger(target, chance):
    """Sends a part of a head. Some wait until they are told that it takes too long."""
    client = target.connect()
    waits = chance.randrange(4) == 0
    with rudely(client, chance):
        client.sendall(head("/", X_Long="a" * 3000)[:chance.randrange(1, 3000)])
        answer = client.recv(4096) if waits else b"HTTP/1.1 408 "
    if waits:
        expect(answer.startswith(b"HTTP/1.1 408 "), "not 408:", answer)


def send_bodies(target, chance):
    """Where nobody wants them, and not to their end."""
    client = target.connect()
    with rudely(client, chance):
        client.sendall(chance.choice((
            b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" + bytes(chance.randrange(99_999)),
            b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1000\r\n" + bytes(chance.randrange(4096)),
            b"POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n")))
        client.recv(4096)


def send_nonsense(target, chance):
    client = target.connect()
    with rudely(client, chance):
        client.sendall(chance.choice((b"GET / HTTP/x\r\n\r\n", b"\x16\x03\x01\x00\xff" * 30, b"GET /" + b"a" * 9000,
                                      b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a\r\nX : y\r\n\r\n",
                                      b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n"
                                      b"Transfer-Encoding: chunked\r\n\r\n")))
        answer = client.recv(4096)
        expect(not answer or answer.startswith(b"HTTP/1.1 4"), "nonsense was answered", answer)


def break_handshakes(target, chance):
    """To a server without TLS this is nonsense too."""
    client = target.connect_plainly()
    with rudely(client, chance):
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        made.check_hostname = False
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        engine = made.wrap_bio(incoming, outgoing, server_hostname="localhost")
        with contextlib.suppress(ssl.SSLError):
            engine.do_handshake()
        hello = outgoing.read()
        client.sendall(chance.choice((hello[:chance.randrange(len(hello))], hello, os.urandom(300), hello[:100] * 3)))
        if chance.randrange(2):
            client.settimeout(0.2)
            client.recv(100)


# WebSockets on the live page's feed.


def shake_hands(client):
    key = base64.b64encode(os.urandom(16)).decode()
    client.sendall(head("/live/feed", Upgrade="websocket", Connection="Upgrade", Sec_WebSocket_Version="13",
                        Sec_WebSocket_Key=key))
    reader = client.makefile("rb")
    expect(reader.readline().startswith(b"HTTP/1.1 101 "), "no WebSocket")
    fields = http.client.parse_headers(reader)
    accepted = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest())
    expect(fields["Sec-WebSocket-Accept"] == accepted.decode(), "not the key's answer")
    return reader


def read_frame(reader):
    """Gives the opcode and the content."""
    head_bytes = reader.read(2)
    if len(head_bytes) < 2:
        raise EOFError("a WebSocket was cut")
    first, size = head_bytes
    if size == 126:
        size, = struct.unpack("!H", reader.read(2))
    elif size == 127:
        size, = struct.unpack("!Q", reader.read(8))
    return first & 15, reader.read(size)


def frame(opcode, content=b""):
    """Short, and masked with zeros."""
    return bytes((128 | opcode, 128 | len(content), 0, 0, 0, 0)) + content


def watch(target, chance):
    """Listens for a while, and leaves politely."""
    with target.connect() as client, shake_hands(client) as reader:
        for _ in range(chance.randrange(1, 5)):
            opcode, content = read_frame(reader)
            expect(opcode == 1, "not text:", opcode)
            json.loads(content)
        client.sendall(frame(9, b"are you there?") + frame(8, struct.pack("!H", 1000)))
        seen = {}
        while 8 not in seen:
            opcode, content = read_frame(reader)
            seen[opcode] = content
        expect(10 in seen, "no pong")


def watch_rudely(target, chance):
    client = target.connect()
    with rudely(client, chance), shake_hands(client) as reader:
        for _ in range(chance.randrange(2)):
            read_frame(reader)
        client.sendall(chance.choice((b"", b"\x81\x05hello", b"\xff\xff\xff\xff", frame(1, b"\xff\xfe"), frame(9)[:3],
                                      frame(9, b"p") * 500, frame(8, b"\0"))))
        time.sleep(chance.random() * 0.1)


ALL = (resume, ranges, conditions, codings, changes, mistakes, reset_anywhere, cancel, linger, send_bodies,
       send_nonsense, break_handshakes, watch, watch_rudely)


class Clients:
    """A thread for each kind of client, which goes through one episode after the other. Runs in a process of its own."""

    def __init__(self, targets, seed, calm):
        """They pause while `calm` is set."""
        self.over, self.calm = threading.Event(), calm
        self.counts, self.faults = {}, []
        self.threads = [program.Watched(self.go_on, episode, target, f"{seed} {number} {episode.__name__}")
                        for number, target in enumerate(targets) for episode in ALL]

    def go_on(self, episode, target, seed):
        chance = random.Random(seed)
        scheme = "https" if target.is_secure else "http"
        while not self.over.is_set():
            try:
                episode(target, chance)
            except (AssertionError, EOFError, OSError, http.client.HTTPException, ValueError) as error:
                self.faults.append(f"{scheme}, {episode.__name__}: {type(error).__name__} {error}"[:300])
            name = episode.__name__
            self.counts[name] = self.counts.get(name, 0) + 1
            self.over.wait(chance.random() * 0.1)
            while self.calm.is_set() and not self.over.is_set():
                time.sleep(0.1)

    def end(self):
        self.over.set()
        for thread in self.threads:
            thread.join()
