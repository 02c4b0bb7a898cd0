"""Requests for parsers to differ about: seeds, and mutations of them."""

import pathlib
import random

SEEDS = [
    b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET /a?b=c%20d HTTP/1.1\r\nHost: example.com:8080\r\nAccept: */*\r\nUser-Agent: x/1.0 (y; z)\r\n\r\n",
    b"HEAD /x HTTP/1.0\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
    b"CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n",
    b"GET http://b/c HTTP/1.1\r\nHost: b\r\n\r\n",
    b"POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\n",
    b"POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\nGET / HTTP/1.1\r\n",
    b"PUT /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n5;n=v;q=\"w\"\r\nhello\r\n00\r\nX: y\r\n\r\n",
    b"POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
    b"POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\nabc",
    b"POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 3, 3\r\n\r\nabc",
    b"POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    b"POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    b"POST /p HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost : a\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nX: y\r\n z\r\n\r\n",
    b"GET / HTTP/1.1\nHost: a\n\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nX: a\x00b\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    b"\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
    b"POST /p HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx",
]

PIECES = [b"\r\n", b"\n", b"\r", b" ", b"\t", b"\0", b":", b",", b";", b"\"", b"\xff", b"0", b"-", b"+", b"_", b"\x7f",
          b"Content-Length: 5\r\n", b"Content-Length: 0\r\n", b"Transfer-Encoding: chunked\r\n", b"Host: b\r\n",
          b"Transfer-Encoding:\tchunked \r\n", b"Transfer_Encoding: chunked\r\n", b"X:\r\n", b"X: y\r\n", b"HTTP/1.1",
          b"HTTP/1.0", b"HTTP/2.0", b"http/1.1", b"#f", b"%00", b"/../", b"ffffffffffffffff", b"0x3", b"3 \r\nabc\r\n",
          b"Connection: close\r\n", b"Connection: Content-Length\r\n"]


def _mutated(seed, chance):
    data = bytearray(seed)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 5))):
        at = chance.randrange(len(data) + 1)
        kind = chance.randrange(6)
        if kind == 0:
            data[at:at] = chance.choice(PIECES)
        elif kind == 1 and at < len(data):
            del data[at:at + chance.choice((1, 1, 2, 8))]
        elif kind == 2 and at < len(data):
            data[at] = chance.randrange(256)
        elif kind == 3:
            lines = bytes(data).split(b"\r\n")
            line = chance.randrange(len(lines))
            lines.insert(chance.randrange(len(lines) + 1), lines[line])
            data = bytearray(b"\r\n".join(lines))
        elif kind == 4:
            data[at:at + 1] = chance.choice(PIECES)
        else:
            lines = bytes(data).split(b"\r\n")
            chance.shuffle(lines)
            if chance.random() < 0.3:
                data = bytearray(b"\r\n".join(lines))
        if not data:
            data = bytearray(b"\r\n")
    return bytes(data)


def all_requests(count, seed, corpora=()):
    """The seeds, the files of directories, and mutations of both: `count` in all."""
    found = list(SEEDS)
    for corpus in corpora:
        found += [path.read_bytes()[1:] for path in sorted(pathlib.Path(corpus).iterdir()) if path.stat().st_size < 4096]
    chance = random.Random(seed)
    known = list(found)
    while len(found) < count:
        found.append(_mutated(chance.choice(known), chance))
    return found
