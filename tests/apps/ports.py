"""Ports for servers that cannot be told to find one: as tests/support/free_port.hpp."""

import itertools
import os
import socket

_FIRST, _COUNT = 10_000, 12_000
_asked = itertools.count()
_keepers = []


def _keep(port):
    """Whether this process has the port for itself until it ends, among all that ask in this way."""
    keeper = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        keeper.bind(f"\0eddy-test-port-{port}")
    except OSError:
        keeper.close()
        return False
    _keepers.append(keeper)
    return True


def free_port(kind=socket.SOCK_STREAM):
    """A port of 127.0.0.1 that nobody has, and that no other test gets while this process lasts."""
    for _ in range(_COUNT):
        port = _FIRST + (os.getpid() + next(_asked)) % _COUNT
        if not _keep(port):
            continue
        with socket.socket(socket.AF_INET, kind) as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("there is no free port")
