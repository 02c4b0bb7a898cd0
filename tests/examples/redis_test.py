"""examples/redis shows what its guide says, with a real server."""

import os
import subprocess
import unittest

import ports
import program
import redis_server


class Redis(unittest.TestCase):
    def test_it_prints_what_it_asks_for(self):
        with redis_server.RedisServer() as server:
            ended = subprocess.run([os.environ["REDIS_EXAMPLE"], server.url], capture_output=True, text=True,
                                   timeout=program.PATIENCE_S)
            self.assertEqual((ended.returncode, ended.stderr), (0, ""))
            lines = ended.stdout.splitlines()
            self.assertEqual(lines[:9], ["hello", "there is nothing", "apples: 3", "pears: 5", "refused, WRONGTYPE",
                                         "in time", "2", "2", "5"])
            self.assertEqual(sorted(lines[9:11]), ["stock", "sum"])
            self.assertEqual(lines[11:], ["weather: rain", "sport.chess: e4"])

    def test_it_says_so_when_there_is_no_server(self):
        ended = subprocess.run([os.environ["REDIS_EXAMPLE"], f"redis://127.0.0.1:{ports.free_port()}"],
                               capture_output=True, text=True, timeout=program.PATIENCE_S)
        self.assertEqual(ended.returncode, 1)
        self.assertIn("refused", ended.stderr)


if __name__ == "__main__":
    unittest.main()
