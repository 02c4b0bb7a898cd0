"""Ports for servers that cannot be told to find one: as tests/support/free_port.hpp."""

import itertools
import os
import socket

_FIRST, _COUNT, _STRIDE = 10_000, 12_000, 6_007
_asked = itertools.count()


def free_port(kind=socket.SOCK_STREAM):
    """A port of 127.0.0.1 that nobody has, and that nobody takes before the server does."""
    for _ in range(_COUNT):
        port = _FIRST + (os.getpid() + _STRIDE * next(_asked)) % _COUNT
        with socket.socket(socket.AF_INET, kind) as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("there is no free port")
