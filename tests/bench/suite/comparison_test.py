import random
import unittest

import package  # noqa: F401
from suite.comparison import Ratio, median, ratio, spread


class Comparison(unittest.TestCase):
    def test_the_median_of_an_even_number_lies_between_the_middle_two(self):
        self.assertEqual(median([4, 1, 3, 2]), 2.5)
        self.assertEqual(median([3, 1, 2]), 2)

    def test_the_spread_is_relative_to_the_median(self):
        self.assertAlmostEqual(spread([9, 10, 12]), 0.3)

    def test_ratios_are_taken_within_rounds(self):
        # The machine was half as fast in the second round.
        found = ratio([11, 5.5, 11], [10, 5, 10], "seed")
        self.assertAlmostEqual(found.value, 1.1)
        self.assertAlmostEqual(found.low, 1.1)
        self.assertAlmostEqual(found.high, 1.1)

    def test_rounds_without_a_figure_count_for_nothing(self):
        self.assertIsNone(ratio([1, 0], [0, 1], "seed"))
        self.assertEqual(ratio([2, 0], [1, 1], "seed").value, 2)

    def test_the_interval_holds_the_median_and_is_the_same_for_the_same_seed(self):
        ours, theirs = [10, 11, 12, 9, 10.5, 11.5, 8], [10] * 7
        found = ratio(ours, theirs, "seed")
        self.assertLess(found.low, found.value)
        self.assertGreater(found.high, found.value)
        self.assertEqual(found, ratio(ours, theirs, "seed"))

    def test_the_interval_holds_the_true_median_about_as_often_as_it_says(self):
        draw = random.Random(1)
        trials = 200
        held = 0
        for trial in range(trials):
            found = ratio([draw.gauss(1, 0.1) for _ in range(15)], [1] * 15, trial)
            held += found.low <= 1 <= found.high
        self.assertGreater(held / trials, 0.9)

    def test_what_is_behind_with_its_whole_interval_is_slower(self):
        self.assertEqual(Ratio(0.96, 0.95, 0.99).verdict, "slower")
        self.assertEqual(Ratio(0.5, 0.4, 0.6).verdict, "slower")

    def test_what_may_be_equal_is_even(self):
        self.assertEqual(Ratio(0.96, 0.9, 1.01).verdict, "even")
        self.assertEqual(Ratio(0.98, 0.97, 0.99).verdict, "even")
        self.assertEqual(Ratio(1.02, 1.01, 1.03).verdict, "even")
        self.assertEqual(Ratio(1.2, 0.9, 1.4).verdict, "even")

    def test_what_is_ahead_with_its_whole_interval_is_faster(self):
        self.assertEqual(Ratio(1.04, 1.01, 1.1).verdict, "faster")


if __name__ == "__main__":
    unittest.main()
