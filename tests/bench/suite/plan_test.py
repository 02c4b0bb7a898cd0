import io
import unittest

import package  # noqa: F401
from suite import benchmark, plan as planning
from suite.plan import Unit
from suite.progress import Progress, duration


def made(family, number, subjects=4, **more):
    return benchmark.Benchmark("eddy-bench-any", family, f"{family}/{number}", "", "item", ("cpu",), ("eddy",) * subjects,
                               lambda *_: {}, **more)


def families(names, numbers, **more):
    return [made(family, number, **more) for family in names for number in numbers]


def unit(name, estimated_s):
    return Unit(name, "counts", estimated_s, {}, lambda _: {})


class Plan(unittest.TestCase):
    def test_the_full_profile_leaves_nothing_out(self):
        whole = planning.plan(planning.FULL, families("ab", (1, 2, 4)))
        self.assertEqual(len(whole.units), 6)
        self.assertEqual(whole.left_out, 0)

    def test_the_estimate_is_what_the_measurements_take(self):
        whole = planning.plan(planning.FULL, families("a", (1,), subjects=3, beside_s=0.5))
        windows_s = planning.FULL.seconds * 0.4 * 1.15
        self.assertAlmostEqual(whole.estimated_s, 3 * planning.FULL.rounds * (0.5 + windows_s))

    def test_the_quick_profile_fits_into_its_time(self):
        many = families("abcdefghij", (1, 2, 4), window_part=1) + families("klmnopqrst", (1, 2, 4))
        extra = unit("other", 40)
        quick = planning.plan(planning.QUICK, many, [extra])
        self.assertLessEqual(quick.estimated_s, planning.QUICK.seconds_max * 1.001)
        self.assertGreater(quick.estimated_s, planning.QUICK.seconds_max * 0.7)
        self.assertGreaterEqual(quick.seconds, planning.SECONDS_MIN)
        self.assertIs(quick.units[0], extra)

    def test_what_is_left_out_for_want_of_time_is_counted(self):
        quick = planning.plan(planning.QUICK, families("abcdefghij", range(100)))
        self.assertEqual(quick.left_out, 10 * 100 - len(quick.units))
        self.assertEqual(len(quick.units), 10)

    def test_a_small_plan_is_not_drawn_out(self):
        self.assertEqual(planning.plan(planning.QUICK, families("a", (1,))).seconds, planning.QUICK.seconds)

    def test_a_family_is_represented_by_its_middle(self):
        self.assertEqual([each.name for each in planning.representatives(families("ab", (1, 4, 16)))], ["a/4", "b/4"])

    def test_curves_keep_their_ends(self):
        chosen = planning.representatives(families(["echo, 128 B"], (1, 10, 50, 100)))
        self.assertEqual([each.name.partition("/")[2] for each in chosen], ["1", "50", "100"])

    def test_steps_stand_for_themselves(self):
        self.assertEqual(len(planning.representatives(families(["steps"], (1, 2, 3)))), 3)

    def test_a_benchmark_may_have_longer_windows(self):
        short, long = planning.plan(planning.FULL, [made("a", 1, window_part=1), made("b", 1, window_part=3)]).units
        self.assertEqual(long.how["seconds"], 3 * short.how["seconds"])
        self.assertGreater(long.estimated_s, 2 * short.estimated_s)


class Duration(unittest.TestCase):
    def test_hours_are_shown_when_there_are_some(self):
        self.assertEqual(duration(59.6), "1:00")
        self.assertEqual(duration(3723), "1:02:03")


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


class Terminal(io.StringIO):
    def isatty(self):
        return True


class ProgressBar(unittest.TestCase):
    def setUp(self):
        self.units = [unit(f"unit {number}", 100) for number in range(3)]
        self.clock = Clock()

    def test_what_is_left_is_corrected_by_what_was_taken(self):
        progress = Progress(self.units, io.StringIO(), self.clock)
        self.assertEqual(progress.seconds_left(), 300)
        progress.begin(self.units[0])
        self.clock.now = 230
        progress.end("")
        self.assertAlmostEqual(progress.seconds_left(), 200 * 260 / 130)

    def test_what_was_measured_before_takes_no_time(self):
        progress = Progress(self.units, io.StringIO(), self.clock)
        progress.skip(self.units[0])
        self.assertEqual(progress.seconds_left(), 200)

    def test_elsewhere_than_in_a_terminal_there_is_a_line_for_each_unit(self):
        stream = io.StringIO()
        progress = Progress(self.units, stream, self.clock)
        for unit in self.units:
            progress.begin(unit)
            progress.tick()
            progress.end("")
        progress.close()
        lines = stream.getvalue().splitlines()
        self.assertEqual(len(lines), 3)
        self.assertIn("3/3  0:00 left  unit 2", lines[-1])
        self.assertNotIn("\r", stream.getvalue())
        self.assertNotIn("\033", stream.getvalue())

    def test_in_a_terminal_the_unit_under_way_is_shown_until_its_end(self):
        stream = Terminal()
        progress = Progress(self.units, stream, self.clock)
        progress.begin(self.units[0])
        self.assertEqual(stream.getvalue(), "\r\033[K1/3  5:00 left  unit 0")
        self.clock.now = 100
        progress.end("failed")
        self.assertTrue(stream.getvalue().endswith("\r\033[K1/3  3:20 left  unit 0: failed\n"))


if __name__ == "__main__":
    unittest.main()
