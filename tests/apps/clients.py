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
