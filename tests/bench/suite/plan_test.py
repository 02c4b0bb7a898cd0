import io
import unittest
from pathlib import Path

import package  # noqa: F401
from suite import plan as planning
from suite.programs import CONTESTS, SERVERS, Program
from suite.progress import Progress, duration
from suite.units import Unit, Work


def program(kind=SERVERS, **more):
    return Program(f"eddy-bench-{kind}", Path(f"/bin/{kind}"), kind, **more)


def works(families, numbers, contenders=4):
    return [Work("program", family, f"{family}/{number}", contenders, ("--contest", f"{family}/{number}"))
            for family in families for number in numbers]


class Plan(unittest.TestCase):
    def test_the_full_profile_leaves_nothing_out(self):
        made = planning.plan(planning.FULL, [(program(), works("ab", (1, 2, 4)))])
        self.assertEqual(len(made.units), 6)
        self.assertEqual(made.left_out, 0)

    def test_the_estimate_is_what_the_measurements_take(self):
        of_contests = program(CONTESTS, setup_s=1, beside_s=0.5)
        made = planning.plan(planning.FULL, [(of_contests, works("a", (1,), contenders=3))])
        windows_s = planning.FULL.seconds * 0.4 * 1.15
        self.assertAlmostEqual(made.estimated_s, 1 + 3 * planning.FULL.rounds * (0.5 + windows_s))

    def test_the_quick_profile_fits_into_its_time(self):
        many = [(program(), works("abcdefghij", (1, 2, 4))), (program(CONTESTS), works("klmnopqrst", (1, 2, 4)))]
        extra = Unit("other", "counts", ("true",), 40)
        made = planning.plan(planning.QUICK, many, [extra])
        self.assertLessEqual(made.estimated_s, planning.QUICK.seconds_max * 1.001)
        self.assertGreater(made.estimated_s, planning.QUICK.seconds_max * 0.9)
        self.assertGreaterEqual(made.seconds, planning.SECONDS_MIN)
        self.assertIs(made.units[0], extra)

    def test_what_is_left_out_for_want_of_time_is_counted(self):
        made = planning.plan(planning.QUICK, [(program(), works("abcdefghij", range(40)))])
        self.assertEqual(made.left_out, 10 * 40 - len(made.units))
        self.assertEqual(len(made.units), 10)

    def test_a_small_plan_is_not_drawn_out(self):
        made = planning.plan(planning.QUICK, [(program(), works("a", (1,)))])
        self.assertEqual(made.seconds, planning.QUICK.seconds)

    def test_a_family_is_represented_by_its_middle(self):
        self.assertEqual([work.name for work in planning.representatives(works("ab", (1, 4, 16)))], ["a/4", "b/4"])

    def test_curves_keep_their_ends(self):
        chosen = planning.representatives(works(["echo, 128 B"], (1, 10, 50, 100)))
        self.assertEqual([work.name[-3:].strip("/B ") for work in chosen], ["1", "50", "100"])

    def test_a_family_may_have_longer_windows(self):
        stretching = program(stretched={"b": 3})
        short, long = planning.plan(planning.FULL, [(stretching, works("ab", (1,)))]).units
        self.assertIn(f"{planning.FULL.seconds:.3f}", short.command)
        self.assertIn(f"{3 * planning.FULL.seconds:.3f}", long.command)
        self.assertGreater(long.estimated_s, 2 * short.estimated_s)

    def test_a_program_that_is_dear_to_start_is_one_unit(self):
        made = planning.plan(planning.FULL, [(program(CONTESTS, is_one_unit=True), works("ab", (1, 2)))])
        self.assertEqual(len(made.units), 1)
        self.assertIn("a/1,a/2,b/1,b/2", made.units[0].command)


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
        self.units = [Unit(f"unit {number}", SERVERS, ("true",), 100) for number in range(3)]
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
        self.assertIn("100 %", lines[-1])
        self.assertNotIn("\r", stream.getvalue())
        self.assertNotIn("\033", stream.getvalue())

    def test_in_a_terminal_only_what_failed_stays(self):
        stream = Terminal()
        progress = Progress(self.units, stream, self.clock)
        progress.begin(self.units[0])
        progress.end("")
        progress.begin(self.units[1])
        progress.end("failed")
        progress.close()
        self.assertEqual(stream.getvalue().count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
