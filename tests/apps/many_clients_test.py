"""eddy-httpd serves many clients at a time without an error."""

import unittest

import clients
import program


class ManyClients(unittest.TestCase):
    def test_a_thousand_clients_ask_twenty_times_each(self):
        program.need_descriptors(1100)
        with program.site() as root, program.Server("eddy-httpd", "--root", root) as server:
            before = server.descriptors()
            with clients.Clients(server.port, 1000) as many:
                self.assertEqual(len(many.ask_each(20)), 20_000)
                self.assertGreaterEqual(server.descriptors(), before + 1000)
            self.assertEqual(server.end(), (0, "", ""))


if __name__ == "__main__":
    unittest.main()
