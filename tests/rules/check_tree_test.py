import subprocess
import sys
from pathlib import Path

from sample import RuleTest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "check_tree.py"


class CheckTree(RuleTest):
    """The script as the test suite calls it."""

    def run_on(self, files):
        directory = self.tree({"CMakeLists.txt": ""} | files).root
        return subprocess.run([sys.executable, SCRIPT, directory], capture_output=True, text=True)

    def test_a_good_tree_passes(self):
        result = self.run_on({"include/eddy/io/detail/read.hpp": "#pragma once\n"})
        self.assertEqual(result.returncode, 0, msg=result.stdout + result.stderr)

    def test_each_kind_of_rule_is_asked_and_fails_the_run(self):
        result = self.run_on({
            "include/eddy/io/detail/read.hpp": "#pragma once\n#include <eddy/net/tcp.hpp>\n#if 0\n#endif\n",
            "src/io/CMakeLists.txt": "",
            "src/io/read.cpp": "",
            "README.md": "`docs/gone.md`\n",
        })
        self.assertEqual(result.returncode, 1)
        for words in ("may not use 'net'", "#if 0", "no CMakeLists.txt names it", "does not exist", "4 findings"):
            self.assertIn(words, result.stdout)

    def test_a_directory_that_is_no_tree_is_an_error(self):
        result = subprocess.run([sys.executable, SCRIPT, "/nonexistent"], capture_output=True, text=True)
        self.assertNotEqual(result.returncode, 0)
