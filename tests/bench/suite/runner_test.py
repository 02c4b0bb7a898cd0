import io
import json
import tempfile
import unittest

import package  # noqa: F401
from suite import runner
from suite.plan import Unit
from suite.processes import Failed
from suite.progress import Progress
from suite.store import Store

KEY = {"commit": "abc", "machine": {"processor": "any"}}


def unit(name, measure, **how):
    return Unit(name, "benchmark", 0.1, how, measure)


def finds(figure):
    return lambda _: {"figure": figure}


def fails(_):
    raise Failed("what was said before\nthe reason")


class Runner(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.store = Store(folder.name)
        self.said = io.StringIO()

    def measure(self, units, key=KEY, **more):
        return runner.measure_all(units, self.store, key, Progress(units, self.said), None, **more)

    def result_of(self, name):
        return self.store.read(name)["result"]

    def test_results_are_kept(self):
        self.assertEqual(self.measure([unit("first/1", finds(1))]), [])
        record = self.store.read("first/1")
        self.assertEqual((record["status"], record["result"]), ("done", {"figure": 1}))

    def test_what_was_measured_is_not_measured_again(self):
        figures = iter((1, 2))
        one = unit("one", lambda _: {"figure": next(figures)})
        self.measure([one])
        self.measure([one])
        self.assertEqual(self.result_of("one"), {"figure": 1})
        self.measure([one], is_fresh=True)
        self.assertEqual(self.result_of("one"), {"figure": 2})

    def test_another_commit_or_machine_or_way_is_measured_again(self):
        one = unit("one", finds(1), seconds=1)
        self.measure([one])
        for key in ({**KEY, "commit": "abd"}, {**KEY, "machine": {"processor": "other"}}):
            self.assertFalse(self.store.has("one", {**key, "how": one.how}))
        self.measure([unit("one", finds(2), seconds=2)])
        self.assertEqual(self.result_of("one"), {"figure": 2})

    def test_a_unit_that_fails_is_named_with_its_reason_and_the_others_go_on(self):
        failed = self.measure([unit("bad", fails), unit("good", finds(1))])
        self.assertEqual(failed, ["bad"])
        self.assertIn("the reason", self.store.read("bad")["error"])
        self.assertEqual(self.result_of("good"), {"figure": 1})
        self.assertIn("the reason", self.said.getvalue())

    def test_a_unit_that_failed_is_tried_again(self):
        self.measure([unit("one", fails)])
        self.assertEqual(self.measure([unit("one", fails)]), ["one"])

    def test_an_interrupt_ends_the_run_and_keeps_what_was_measured(self):
        def interrupted(_):
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            self.measure([unit("short", finds(1)), unit("long", interrupted)])
        self.assertEqual(self.result_of("short"), {"figure": 1})
        self.assertIsNone(self.store.read("long"))

    def test_a_broken_file_counts_as_none(self):
        self.store.folder.mkdir(exist_ok=True)
        self.store.path_of("one").write_text(json.dumps({"unit": "one"})[:5])
        self.assertIsNone(self.store.read("one"))


if __name__ == "__main__":
    unittest.main()
