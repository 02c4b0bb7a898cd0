"""The interoperability cases with libgrpc++ at the other end."""

import os
import subprocess
import unittest

import certificates
import interop

PEER = os.environ["GRPCPP_PEER"]


class Grpcpp(interop.OursMeet):
    cases = (*interop.CASES, *interop.COMPRESSED_CASES)

    def peer_server(self, chain=None, key=None):
        return interop.Serving(PEER, "serve", "0", *([chain, key] if chain else []))

    def run_peer_client(self, case, port, authority=None):
        interop.run([PEER, case, port, *([authority] if authority else [])])

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

    def test_our_server_reads_all_requests_before_it_responds_to_half_duplex_calls(self):
        with interop.our_server() as server:
            self.run_peer_client("half_duplex", server.port)


if __name__ == "__main__":
    unittest.main()
