"""Children end with the test that started them, crashed or not. TEST_PROGRAM is test_support_crash_with_a_child."""

import os
import subprocess
import sys
import unittest

SUPPORT = os.path.dirname(os.path.abspath(__file__))
LEAVES_A_CHILD = """
import os, subprocess, sys
sys.path.append(sys.argv[1])
import orphans
orphans.end_children_with_this()
subprocess.Popen(["sleep", "300"])
os.abort()
"""


class OrphansTest(unittest.TestCase):
    def assert_ends_with_its_children(self, *command):
        # The child holds its output, so that it ends only with it.
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               timeout=60)
        self.assertLess(ended.returncode, 0, ended.stdout)

    def test_those_of_a_test_in_cpp(self):
        self.assert_ends_with_its_children(os.environ["TEST_PROGRAM"])

    def test_those_of_a_test_in_python(self):
        self.assert_ends_with_its_children(sys.executable, "-c", LEAVES_A_CHILD, SUPPORT)


if __name__ == "__main__":
    unittest.main()
