import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

import mutants  # noqa: E402


class Lists(unittest.TestCase):
    def setUp(self):
        self._directory = tempfile.TemporaryDirectory()
        self.addCleanup(self._directory.cleanup)
        self.root = Path(self._directory.name)
        self.write("src/sync/gate.cpp", "open();\nclose();\nclose();\n")
        self.write("tests/sync/CMakeLists.txt", "eddy_test(gate_test)\n")

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def problems(self, **changed):
        entry = {"name": "a_gate_stays_shut", "file": "src/sync/gate.cpp", "find": "open();", "replace": "",
                 "tests": ["sync.gate_test"]} | changed
        return list(mutants.problems_of([mutants.Mutant("sync", **entry)], self.root))

    def test_a_text_that_occurs_once_fits(self):
        self.assertEqual(self.problems(), [])

    def test_a_text_that_has_gone_or_occurs_twice_does_not_fit(self):
        self.assertIn("occurs 0 times", self.problems(find="lock();")[0])
        self.assertIn("occurs 2 times", self.problems(find="close();")[0])

    def test_a_file_that_has_gone_is_reported(self):
        self.assertIn("there is no src/sync/door.cpp", self.problems(file="src/sync/door.cpp")[0])

    def test_a_test_that_is_not_registered_is_reported(self):
        self.assertIn("there is no test sync.door_test", self.problems(tests=["sync.door_test"])[0])

    def test_a_mutant_that_changes_nothing_or_names_no_test_is_reported(self):
        self.assertIn("changes nothing", self.problems(replace="open();")[0])
        self.assertIn("names no test", self.problems(tests=[])[0])

    def test_a_name_is_used_once_in_a_module(self):
        twice = [mutants.Mutant("sync", "same", "src/sync/gate.cpp", "open();", "", ["sync.gate_test"])] * 2
        self.assertIn("the name is taken", list(mutants.problems_of(twice, self.root))[0])


if __name__ == "__main__":
    unittest.main()
