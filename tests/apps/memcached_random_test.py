"""eddy-memcached answers random commands as a model of it does.

MEMCACHED_RANDOM_S is for how long: 120 for a thorough run. MEMCACHED_SEED repeats a run.
"""

import os
import random
import socket
import time
import unittest

import memcached_model
import memcached_test
import program

RANDOM_S = float(os.environ.get("MEMCACHED_RANDOM_S", "3"))


class Random(unittest.TestCase):
    def test_random_commands_have_the_answers_of_a_model(self):
        seed = int(os.environ.get("MEMCACHED_SEED", random.randrange(2**32)))
        print(f"seed {seed}")
        end = time.monotonic() + RANDOM_S
        model = memcached_model.Model(seed)
        # One thread, or several, so that each key has the same history.
        with memcached_test.server("--memory", "256", workers=2) as served, served.connect() as client:
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            commands = 0
            while time.monotonic() < end:
                batch = [model.command() for _ in range(model.random.randrange(1, 200))]
                commands += len(batch)
                self.check(client, batch, model.random)
        print(f"{commands} commands")

    def check(self, client, batch, chance):
        sent = b"".join(request for request, _ in batch) + b"mn\r\n"
        wanted = b"".join(answer for _, answer in batch) + b"MN\r\n"
        sender = program.Watched(self.send_in_pieces, client, sent, chance.random())
        answer = bytearray()
        while len(answer) < len(wanted):
            try:
                piece = client.recv(1 << 20)
            except TimeoutError:
                break
            self.assertTrue(piece, "the connection has ended")
            answer += piece
        if bytes(answer) != wanted:
            self.explain(batch, bytes(answer))
        sender.join()

    @staticmethod
    def send_in_pieces(client, sent, fineness):
        if fineness < 0.5:
            return client.sendall(sent)
        step = 1 + int(len(sent) * (1 - fineness) ** 2)
        for begin in range(0, len(sent), step):
            client.sendall(sent[begin:begin + step])

    def explain(self, batch, answer):
        for request, wanted in batch:
            self.assertEqual(answer[:len(wanted)], wanted, f"after {request[:300]!r}")
            answer = answer[len(wanted):]
        self.assertEqual(answer, b"MN\r\n")


if __name__ == "__main__":
    unittest.main()
