"""eddy-echo sends back what it receives."""

import contextlib
import os
import resource
import signal
import socket
import unittest

import program


def is_served(client):
    """Whether a byte comes back; otherwise the client was hung up on."""
    with contextlib.suppress(ConnectionError):
        client.sendall(b"x")
        return client.recv(1) == b"x"
    return False


class Echo(unittest.TestCase):
    def test_it_sends_back_every_byte(self):
        with program.Server("eddy-echo") as server, server.connect() as client:
            sent = os.urandom(5_000_000)
            sender = program.Watched(lambda: (client.sendall(sent), client.shutdown(socket.SHUT_WR)))
            self.assertTrue(program.read_to_end(client) == sent)
            sender.join()

    def test_clients_can_connect_as_soon_as_it_says_that_it_serves(self):
        for _ in range(20):
            with program.Server("eddy-echo") as server, server.connect() as client:
                client.sendall(b"x")
                self.assertEqual(client.recv(1), b"x")

    @unittest.skipIf(program.IS_SANITIZED, "[sanitizer] sanitizers need room of their own")
    def test_clients_for_whom_there_is_no_memory_are_hung_up_on_and_the_others_served(self):
        program.need_descriptors(700)
        with program.Server("eddy-echo") as server, contextlib.ExitStack() as crowd:
            self.assertTrue(is_served(crowd.enter_context(server.connect())))
            used = server.address_space_bytes()
            resource.prlimit(server.process.pid, resource.RLIMIT_AS, (used, used))
            served = 0
            while served < 10_000 and is_served(crowd.enter_context(server.connect())):
                served += 1
            self.assertLess(served, 10_000)
            crowd.close()
            self.assertTrue(any(self.is_one_served(server) for _ in range(100)))
            self.assertEqual(server.end(), (0, "", ""))

    @staticmethod
    def is_one_served(server):
        with server.connect() as client:
            return is_served(client)

    def test_signals_end_it(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with program.Server("eddy-echo") as server, server.connect() as client:
                client.sendall(b"x")
                self.assertEqual(client.recv(1), b"x")
                self.assertEqual(server.end(number), (0, "", ""))

    def test_a_signal_that_comes_while_its_workers_begin_ends_it(self):
        for _ in range(20):
            with program.Server("eddy-echo", workers=4) as server:
                self.assertEqual(server.end(), (0, "", ""))


if __name__ == "__main__":
    unittest.main()
