"""Runs eddy-bench-http-eddy on a core of its own."""

import contextlib
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from suite import processes  # noqa: E402

SERVER_CORE, CLIENT_CORE = 0, 1


@contextlib.contextmanager
def peer(programs, *arguments):
    """The port of the server, until the end of the `with` block."""
    port = processes.free_port()
    command = [os.path.join(programs, "eddy-bench-http-eddy"), "--port", port, *arguments]
    with processes.serving(command, port, b"GET /hello HTTP/1.1\r\nHost: a\r\n\r\n", os.devnull, [SERVER_CORE]):
        yield port
