"""eddy-httpd under slow, broken and hostile clients."""

import random
import socket
import unittest

import program

HOME = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"


class Attack(unittest.TestCase):
    def test_slow_clients_are_cut_off_while_others_are_served(self):
        program.need_descriptors(500)
        with program.site() as root, \
                program.Server("eddy-httpd", "--root", root, "--head-timeout", "1") as server:
            server.ask()
            before = server.descriptors()
            slow = [server.connect() for _ in range(300)]
            for client in slow:
                client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ")
            for _ in range(100):
                self.assertTrue(server.ask().endswith(b"<p>home</p>"))
            for client in slow:
                answer = program.read_to_end(client)
                self.assertTrue(answer.startswith(b"HTTP/1.1 408 "), answer)
                client.close()
            self.assert_settled(server, before)

    def test_a_storm_leaves_nothing_behind(self):
        seed = random.randrange(1 << 32)
        print("seed", seed)
        chance = random.Random(seed)
        with program.site(large_bin=bytes(3_000_000)) as root, \
                program.Server("eddy-httpd", "--root", root, "--head-timeout", "1", "--write-timeout", "1") as server:
            for path in (b"/", b"/large.bin"):  # so that files are open already
                server.ask(b"GET " + path + b" HTTP/1.0\r\n\r\n")
            before = server.descriptors()
            self.storm(server, chance, 3000)  # until buffers are as many as such a storm needs
            self.assert_settled(server, before)
            memory = server.resident_bytes()
            self.storm(server, chance, 3000)
            self.assertTrue(server.ask().endswith(b"<p>home</p>"))
            self.assert_settled(server, before)
            if not program.IS_SANITIZED:  # sanitizers keep what was freed
                self.assertLess(server.resident_bytes() - memory, 32 << 20)
            self.assertEqual(server.end()[0], 0)

    def storm(self, server, chance, clients):
        sent = (b"", HOME[:9], HOME, HOME * 20, b"\r\n\r\n\r\n", b"GET / HTTP/7.0\r\n\r\n",
                b"GET /large.bin HTTP/1.1\r\nHost: a\r\n\r\n", b"GET /../../etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n",
                b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999\r\n\r\n", b"\x16\x03\x01\x00\xff" * 30,
                b"GET /" + b"a" * 9000, b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 200)
        kept = []
        for _ in range(clients):
            client = server.connect()
            try:
                client.sendall(chance.choice(sent))
                end = chance.randrange(4)
                if end == 0:
                    client.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # refused already
            if end == 1:
                program.reset(client)
            elif end == 2:
                client.close()
            else:
                kept.append(client)
            if len(kept) == 100:
                for client in kept:
                    program.reset(client)
                kept.clear()
        for client in kept:
            client.close()

    def assert_settled(self, server, descriptors):
        """Waits until the connections have ended; an answer now and then shows that the server has had a turn. A reset
        that overtakes the data before it is ignored by the system (RFC 5961): such a client is gone unheard, and its
        connection ends when the server's limits on time say so."""
        def has_settled():
            self.assertTrue(server.ask().endswith(b"<p>home</p>"))
            return any(server.descriptors() <= descriptors for _ in range(100))
        program.wait_until(has_settled, lambda: f"only {descriptors} are open, of {server.open_names()}", pause_s=0)


if __name__ == "__main__":
    unittest.main()
