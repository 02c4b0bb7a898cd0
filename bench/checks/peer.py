"""Runs eddy-bench-http-eddy on a core of its own."""

import os
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests/apps"))
import ports  # noqa: E402

SERVER_CORE, CLIENT_CORE = 0, 1
PATIENCE_S = 10


class Peer:
    """The server, until the end of the `with` block."""

    def __init__(self, programs, *arguments):
        self.port = ports.free_port()
        self.process = subprocess.Popen(
            ["taskset", "-c", str(SERVER_CORE), os.path.join(programs, "eddy-bench-http-eddy"), "--port", str(self.port),
             *arguments])
        wait_for(self.port)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def wait_for(port):
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
