"""The interoperability cases with Python's grpcio at the other end."""

import os
import sys
import unittest

import certificates
import grpcio_client
import interop

HERE = os.path.dirname(os.path.abspath(__file__))


class Grpcio(interop.OursMeet):
    def peer_server(self, chain=None, key=None):
        return interop.Serving(sys.executable, os.path.join(HERE, "grpcio_server.py"), *([chain, key] if chain else []))

    def run_peer_client(self, case, port, authority=None):
        grpcio_client.run_case(case, port, authority)

    def test_our_server_serves_it(self):
        self.serve_peer()

    def test_our_server_serves_it_over_tls(self):
        with certificates.self_signed() as (chain, key):
            self.serve_peer(chain, key)

    def test_our_client_calls_it(self):
        self.call_peer()

    def test_our_client_calls_it_over_tls(self):
        with certificates.self_signed() as (chain, key):
            self.call_peer(chain, key)


if __name__ == "__main__":
    unittest.main()
