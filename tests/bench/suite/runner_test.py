import io
import json
import sys
import tempfile
import unittest

import package  # noqa: F401
from suite import runner
from suite.progress import Progress
from suite.store import Store
from suite.units import Unit

KEY = {"commit": "abc", "machine": {"processor": "any"}}
WRITES = "import sys; open(sys.argv[1], 'w').write('{\"figure\": %s}')"
FAILS = "import sys; print('the reason', file=sys.stderr); sys.exit(3)"


def unit(name, program):
    return Unit(name, "contests", (sys.executable, "-c", program, "{json}"), 0.1)


class Runner(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.store = Store(folder.name)
        self.said = io.StringIO()

    def measure(self, units, key=KEY, **more):
        return runner.measure_all(units, self.store, key, Progress(units, self.said), **more)

    def result_of(self, name):
        return self.store.read(name)["result"]

    def test_results_are_kept(self):
        self.assertEqual(self.measure([unit("first/1", WRITES % 1)]), [])
        record = self.store.read("first/1")
        self.assertEqual((record["status"], record["result"]), ("done", {"figure": 1}))

    def test_what_was_measured_is_not_measured_again(self):
        one = unit("one", WRITES % 1)
        self.measure([one])
        before = self.store.read("one")
        self.measure([one])
        self.assertEqual(self.store.read("one"), before)
        self.measure([one], is_fresh=True)
        self.assertEqual(self.result_of("one"), {"figure": 1})

    def test_another_commit_or_machine_or_way_is_measured_again(self):
        one = unit("one", WRITES % 1)
        self.measure([one])
        for key in ({**KEY, "commit": "abd"}, {**KEY, "machine": {"processor": "other"}}):
            self.assertFalse(self.store.has("one", {**key, "command": list(one.command)}))
        self.measure([unit("one", WRITES % 2)])
        self.assertEqual(self.result_of("one"), {"figure": 2})

    def test_a_unit_that_fails_is_named_with_its_reason_and_the_others_go_on(self):
        failed = self.measure([unit("bad", FAILS), unit("good", WRITES % 1)])
        self.assertEqual(failed, ["bad"])
        self.assertIn("the reason", self.store.read("bad")["error"])
        self.assertEqual(self.result_of("good"), {"figure": 1})
        self.assertIn("the reason", self.said.getvalue())

    def test_a_unit_that_failed_is_tried_again(self):
        self.measure([unit("one", FAILS)])
        self.assertEqual(self.measure([unit("one", FAILS)]), ["one"])

    def test_a_unit_that_writes_no_json_has_failed(self):
        self.assertEqual(self.measure([unit("silent", "pass")]), ["silent"])
        self.assertEqual(self.measure([unit("nonsense", "import sys; open(sys.argv[1], 'w').write('no')")]), ["nonsense"])

    def test_a_program_that_is_not_there_has_failed(self):
        self.assertEqual(self.measure([Unit("none", "contests", ("/nowhere/program",), 0.1)]), ["none"])

    def test_an_interrupt_ends_the_program_and_keeps_what_was_measured(self):
        class Interrupting(Progress):
            def tick(self):
                if self._unit.name == "long":
                    raise KeyboardInterrupt

        units = [unit("short", WRITES % 1), unit("long", "import time; time.sleep(60)")]
        with self.assertRaises(KeyboardInterrupt):
            runner.measure_all(units, self.store, KEY, Interrupting(units, self.said))
        self.assertEqual(self.result_of("short"), {"figure": 1})
        self.assertIsNone(self.store.read("long"))

    def test_a_broken_file_counts_as_none(self):
        self.store.folder.mkdir(exist_ok=True)
        self.store.path_of("one").write_text(json.dumps({"unit": "one"})[:5])
        self.assertIsNone(self.store.read("one"))


if __name__ == "__main__":
    unittest.main()
