"""Many clients in one thread, each with a connection of its own that it keeps."""

import select
import socket
import ssl
import time

import program

REQUEST = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"


class Clients:
    """Connections to a server, from as many addresses of the loopback network as their number needs."""

    PER_ADDRESS = 20_000  # fewer than there are ports to connect from

    def __init__(self, port, count, wrap=lambda client: client):
        """`wrap` makes what a client speaks through of its socket: a TLS socket, say."""
        self.sockets = {}
        for number in range(count):
            source = (f"127.0.0.{2 + number // self.PER_ADDRESS}", 0)
            client = wrap(socket.create_connection(("127.0.0.1", port), program.PATIENCE_S, source))
            client.setblocking(False)
            self.sockets[client.fileno()] = client

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for client in self.sockets.values():
            client.close()

    def ask_each(self, times):
        """Each client asks so many times, one request after the other's answer. Gives the latencies in seconds, and
        raises if an answer is not as the first."""
        poll = select.epoll()
        left = dict.fromkeys(self.sockets, times)
        sent = {}
        received = dict.fromkeys(self.sockets, b"")
        latencies = []
        size = None
        for number, client in self.sockets.items():
            poll.register(number, select.EPOLLIN)
            sent[number] = time.monotonic()
            client.send(REQUEST)
        while left:
            ready = poll.poll(program.PATIENCE_S)
            if not ready:
                raise AssertionError(f"nothing comes any more, and {len(left)} clients wait")
            for number, _ in ready:
                client = self.sockets[number]
                answer = received[number] + self.receive(client)
                size = size or self.size_of(answer)
                if size is None or len(answer) < size:
                    received[number] = answer
                    continue
                received[number] = b""
                if len(answer) != size or not answer.startswith(b"HTTP/1.1 200 OK\r\n"):
                    raise AssertionError(f"not the answer: {answer!r}")
                now = time.monotonic()
                latencies.append(now - sent[number])
                left[number] -= 1
                if left[number] == 0:
                    del left[number]
                    continue
                sent[number] = now
                client.send(REQUEST)
        return sorted(latencies)

    @staticmethod
    def receive(client):
        """What has come. Nothing, if that was of TLS only."""
        try:
            piece = client.recv(65536)
            while piece and isinstance(client, ssl.SSLSocket) and client.pending():
                piece += client.recv(65536)
        except ssl.SSLWantReadError:
            return b""
        if not piece:
            raise AssertionError("the server has closed a connection")
        return piece

    @staticmethod
    def size_of(answer):
        head, separator, _ = answer.partition(b"\r\n\r\n")
        if not separator:
            return None
        length = next(line for line in head.split(b"\r\n") if line.startswith(b"Content-Length: "))
        return len(head) + 4 + int(length[16:])


def _frame(kind, flags, stream, payload=b""):
    """RFC 9113 section 4.1."""
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def _added(index, value):
    """A field whose name is known, and which later heads refer to (RFC 7541 section 6.2.1)."""
    return bytes([0x40 | index, len(value)]) + value


class Http2Clients(Clients):
    """The same over HTTP/2 in clear. Requests have the fields that curl sends."""

    _DATA, _HEADERS, _SETTINGS, _WINDOW_UPDATE = 0, 1, 4, 8
    _END_STREAM, _END_HEADERS, _ACK = 1, 4, 1
    _OPENING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + _frame(_SETTINGS, 0, 0)
    _FIRST = _added(1, b"127.0.0.1") + _added(58, b"curl/7.88.1") + _added(19, b"*/*")
    _LATER = b"\xc0\xbf\xbe"  # the same fields
    _STATUS_200 = 0x88

    def ask_each(self, times, path=b"/"):
        """Each client, which has not asked before, makes so many requests at once. Raises if an answer is none."""
        poll = select.epoll()
        left = dict.fromkeys(self.sockets, times)
        received = {number: b"" for number in self.sockets}
        target = b"\x82\x86\x04" + bytes([len(path)]) + path  # GET, http and the path
        said = self._OPENING + b"".join(
            _frame(self._HEADERS, self._END_STREAM | self._END_HEADERS, 2 * each + 1,
                   target + (self._LATER if each else self._FIRST)) for each in range(times))
        for number, client in self.sockets.items():
            poll.register(number, select.EPOLLIN)
            client.send(said)
        while left:
            ready = poll.poll(program.PATIENCE_S)
            if not ready:
                raise AssertionError(f"nothing comes any more, and {len(left)} clients wait")
            for number, _ in ready:
                client = self.sockets[number]
                waiting = received[number] + self.receive(client)
                while len(waiting) >= 9 and len(waiting) >= (size := 9 + int.from_bytes(waiting[:3], "big")):
                    left[number] -= self._take(client, waiting[3], waiting[4], waiting[9:size])
                    waiting = waiting[size:]
                received[number] = waiting
                if left[number] == 0:
                    del left[number]
                    poll.unregister(number)

    def _take(self, client, kind, flags, payload):
        """A frame. True if it is the last of an answer."""
        if kind == self._SETTINGS and not flags & self._ACK:
            client.send(_frame(self._SETTINGS, self._ACK, 0))
        elif kind == self._HEADERS and payload[0] != self._STATUS_200:
            raise AssertionError(f"not the answer: {payload!r}")
        elif kind not in (self._DATA, self._HEADERS, self._SETTINGS, self._WINDOW_UPDATE):
            raise AssertionError(f"a frame of type {kind}: {payload!r}")
        return kind == self._DATA and bool(flags & self._END_STREAM)
