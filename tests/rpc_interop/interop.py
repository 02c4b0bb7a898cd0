"""What the interoperability tests have in common: our programs, and each case with and without TLS."""

import contextlib
import os
import subprocess
import unittest

import certificates
import program

# "compressed" ones are last: not every peer shows whether a message was.
CASES = ("empty_unary", "cacheable_unary", "large_unary", "client_streaming", "server_streaming", "ping_pong",
         "empty_stream", "custom_metadata", "status_code_and_message", "special_status_message",
         "unimplemented_method", "unimplemented_service", "cancel_after_begin", "cancel_after_first_response",
         "timeout_on_sleeping_server")
COMPRESSED_CASES = ("client_compressed_unary", "server_compressed_unary", "client_compressed_streaming",
                    "server_compressed_streaming")


class Serving:
    """A server, of any implementation, that prints "listening on ADDRESS:PORT", until the end of the `with` block."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            self.process.kill()
            raise AssertionError(f"not the line of a server: {line!r}")
        self.port = line.rsplit(":", 1)[1].strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


def our_server(chain=None, key=None):
    tls = ["--tls-cert", chain, "--tls-key", key] if chain else []
    return Serving(program.path("eddy-grpc-interop"), "--port", "0", *tls)


class OursMeet(unittest.TestCase):
    """The cases in both directions; a subclass has the peer."""

    cases = CASES

    def peer_server(self, chain=None, key=None):
        """A server of the peer's."""
        raise NotImplementedError

    def run_peer_client(self, case, port, authority=None):
        """Runs the peer's client, which raises an error when the case fails."""
        raise NotImplementedError

    def serve_peer(self, chain=None, key=None):
        with our_server(chain, key) as server:
            for case in self.cases:
                with self.subTest(case=case):
                    self.run_peer_client(case, server.port, chain)

    def call_peer(self, chain=None, key=None):
        tls = ["--tls", "--ca-file", chain] if chain else []
        with self.peer_server(chain, key) as server:
            for case in self.cases:
                with self.subTest(case=case):
                    command = [program.path("eddy-grpc-interop-client"), "--host", "localhost", "--port", server.port,
                               "--case", case, *tls]
                    run(command)


def run(command):
    """Runs a program that ends with 0."""
    ended = subprocess.run(command, capture_output=True, text=True, timeout=program.PATIENCE_S)
    if ended.returncode != 0:
        raise AssertionError(f"{ended.returncode}: {ended.stderr}")
