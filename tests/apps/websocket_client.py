"""A small WebSocket client for tests (RFC 6455), which blocks."""

import base64
import os
import socket
import struct

import program

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class WebSocketClient:
    def __init__(self, port, target="/"):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=program.PATIENCE_S)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\n"
                             f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
                             ).encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self._read_more()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        self.status = int(head.split()[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, payload, opcode=TEXT):
        payload = payload.encode() if isinstance(payload, str) else payload
        size = len(payload)
        head = bytes([0x80 | opcode])
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 65536:
            head += struct.pack(">BH", 0x80 | 126, size)
        else:
            head += struct.pack(">BQ", 0x80 | 127, size)
        mask = os.urandom(4)
        self.socket.sendall(head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload)))

    def receive(self):
        """The opcode and payload of the next frame that is no ping."""
        while True:
            head = self._take(2)
            size = head[1]
            if size == 126:
                size = struct.unpack(">H", self._take(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self._take(8))[0]
            payload = self._take(size)
            if head[0] & 15 != PING:
                return head[0] & 15, payload
            self.send(payload, PONG)

    def _take(self, count):
        while len(self.buffer) < count:
            self._read_more()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def _read_more(self):
        piece = self.socket.recv(65536)
        if not piece:
            raise EOFError("the server has ended the connection")
        self.buffer += piece
