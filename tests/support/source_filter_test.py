"""A program of tests runs those of the source that it is given, or says why it cannot. TEST_PROGRAM is test_core."""

import os
import subprocess
import unittest

SOURCE = "frame_cache_test"
SUITE = "frame_cache."
OTHER = "a_unique_function"


def run(*arguments):
    return subprocess.run([os.environ["TEST_PROGRAM"], *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=60)


class SourceFilterTest(unittest.TestCase):
    def names(self, *arguments):
        listed = run(*arguments, "--gtest_list_tests")
        self.assertEqual(listed.returncode, 0, listed.stdout)
        found, suite = set(), ""
        for line in listed.stdout.splitlines():
            if line.startswith("  "):
                found.add(suite + line.split()[0])
            else:
                suite = line.split()[0]
        return found

    def assert_refused(self, reason, *arguments):
        done = run(*arguments)
        self.assertNotIn(done.returncode, (0, 77), done.stdout)
        self.assertIn(reason, done.stdout)

    def test_a_source_leaves_out_the_tests_of_others(self):
        chosen = self.names(f"--source={SOURCE}")
        self.assertEqual(chosen, {name for name in self.names() if name.startswith(SUITE)})
        self.assertTrue(chosen)
        self.assertGreater(self.names(), chosen)

    def test_a_filter_of_the_users_works_beside_it(self):
        chosen = sorted(self.names(f"--source={SOURCE}"))
        self.assertEqual(self.names(f"--source={SOURCE}", f"--gtest_filter={chosen[0]}:{OTHER}*"), {chosen[0]})
        self.assertEqual(self.names(f"--source={SOURCE}", f"--gtest_filter=-{chosen[0]}"), set(chosen[1:]))

    def test_what_is_left_out_is_not_printed(self):
        done = run(f"--source={SOURCE}")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertNotIn(OTHER, done.stdout)

    def test_a_source_without_tests_is_refused(self):
        self.assert_refused("no test is in missing_test.cpp", "--source=missing_test")

    def test_an_unknown_argument_is_refused(self):
        self.assert_refused("unknown argument", f"--sauce={SOURCE}")
        self.assert_refused("unknown argument", "--source=")

    def test_a_filter_that_leaves_no_test_is_refused(self):
        self.assert_refused("no test to run", f"--source={SOURCE}", f"--gtest_filter={OTHER}*")


if __name__ == "__main__":
    unittest.main()
