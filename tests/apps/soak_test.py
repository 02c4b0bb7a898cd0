"""eddy-httpd keeps the rules of a long run in a short one too. The long one: bench/checks/soak.py."""

import random
import unittest

import mixed_load
import program

SECONDS = 15


class Soak(unittest.TestCase):
    def test_a_day_in_fifteen_seconds(self):
        seed = random.randrange(1 << 32)
        print("seed", seed)
        program.need_descriptors(700)
        load = mixed_load.MixedLoad(SECONDS, seed, workers=2, reload_s=4)
        load.run()
        self.assertEqual(load.broken_rules(), [])
        self.assertGreater(load.answers, 0)
        for kind in mixed_load.mixed_clients.ALL:
            self.assertGreater(load.counts.get(kind.__name__, 0), 0, kind.__name__)


if __name__ == "__main__":
    unittest.main()
