"""Programs of contests that are scripts: what they find is what the report reads."""

import contextlib
import importlib.util
import io
import json
import os
import sys
import tempfile
import types
import unittest

import package
from suite import measured, programs

sys.path.insert(0, str(package.BENCH / "common"))
import scripted  # noqa: E402


def script(folder):
    """The module of a script that is called run.py."""
    found = importlib.util.spec_from_file_location(f"{folder}_run", package.BENCH / folder / "run.py")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


HEY = """
Summary:
  Total:\t10.5 secs
  Requests/sec:\t1904.7

Status code distribution:
  [200]\t20000 responses
"""
AB = """
Time taken for tests:   2.500 seconds
Complete requests:      5000
Failed requests:        0
"""


class Tools(unittest.TestCase):
    tools = script("tools")

    def test_what_they_say_is_read(self):
        self.assertEqual(self.tools.Hey.result(HEY), (20000, 10.5))
        self.assertEqual(self.tools.Ab.result(AB), (5000, 2.5))

    def test_answers_that_are_not_right_fail_the_measurement(self):
        for text in (HEY.replace("[200]", "[404]"), HEY + "  [503]\t1 responses\n", HEY + "Error distribution:\n  [1]\tno\n"):
            with self.assertRaises(RuntimeError):
                self.tools.Hey.result(text)
        for text in (AB.replace("requests:        0", "requests:        7"), AB + "Non-2xx responses:      3\n"):
            with self.assertRaises(RuntimeError):
                self.tools.Ab.result(text)

    def test_the_commands_are_those_of_the_sources(self):
        self.assertEqual(self.tools.Hey.command(self.tools.Hey.requests, 0), ["hey", "-c", "5000", "-n", "1000000"])
        self.assertEqual(self.tools.Ab.command(self.tools.Ab.requests, 0), ["ab", "-q", "-c", "25", "-k", "-n", "500000"])


class Scripted(unittest.TestCase):
    def test_the_report_can_read_it(self):
        contest = {"contest": "lto/step", "about": "a step", "item": "step", "compares": "cpu_time"}
        cpu_s = iter([1.0, 2.0, 1.0, 3.0, 1.0, 4.0])
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as said:
            asked = types.SimpleNamespace(contest=[], contender=[], exact=False, list=False, repeat=3,
                                          json=os.path.join(folder, "found.json"))
            scripted.run("eddy-bench-lto", [(contest, ["eddy_lto", "without_lto"])], asked,
                         lambda *_: {"items": 100, "seconds": 1.0, "cpu_seconds": next(cpu_s)})
            with open(asked.json, encoding="utf-8") as file:
                found = json.load(file)
        read = list(measured.configurations(found))
        self.assertEqual([each.name for each in read[0].contenders], ["eddy_lto", "without_lto"])
        self.assertEqual(len(read[0].contenders[1].rounds), 3)
        self.assertRegex(said.getvalue(), r"without_lto +100 +30,000,000\.0 +1\.00 +3\.00")

    def test_the_suite_finds_them_beside_their_programs(self):
        with tempfile.TemporaryDirectory() as root:
            for build, name in (("bench", "eddy-micro"), ("bench", "eddy-httpd"), ("bench-lto", "eddy-micro")):
                os.makedirs(os.path.join(root, build, "bin"), exist_ok=True)
                with open(os.path.join(root, build, "bin", name), "w", encoding="utf-8"):
                    pass
            found = programs.programs(os.path.join(root, "bench", "bin"), package.BENCH)
        self.assertEqual({each.name for each in found}, {"eddy-micro", "eddy-bench-lto", "eddy-bench-tools"})


if __name__ == "__main__":
    unittest.main()
