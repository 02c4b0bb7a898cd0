"""eddy-echo sends back what it receives."""

import os
import signal
import socket
import unittest

import program


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
