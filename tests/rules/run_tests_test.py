"""What scripts/run_tests.py makes of a report of ctest's."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

import run_tests  # noqa: E402

REPORT = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="Linux" tests="4" failures="0" disabled="0" skipped="3">
  <testcase name="net.tcp.io_uring" classname="net.tcp.io_uring" time="0.1" status="notrun">
    <skipped message="SKIP_RETURN_CODE=77"/>
    <system-out>skipped: all: [io_uring] the system refuses it: Operation not permitted
</system-out>
  </testcase>
  <testcase name="net.tcp.epoll" classname="net.tcp.epoll" time="0.1" status="notrun">
    <skipped message="SKIP_RETURN_CODE=77"/>
    <system-out>much else
skipped: tcp.binds: [ipv6] no loopback address
skipped: tcp.copies: some reason
</system-out>
  </testcase>
  <testcase name="net.udp.epoll" classname="net.udp.epoll" time="0.1" status="notrun">
    <skipped message="SKIP_RETURN_CODE=77"/>
    <system-out></system-out>
  </testcase>
  <testcase name="net.names" classname="net.names" time="0.1" status="run">
    <system-out>skipped: all: [ipv6] it was not</system-out>
  </testcase>
</testsuite>
"""


class RunTestsTest(unittest.TestCase):
    def summary(self, allowed):
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "report.xml"
            path.write_text(REPORT, encoding="utf-8")
            return run_tests.summary(run_tests.skipped_tests(path), allowed)

    def test_each_feature_is_counted_with_a_reason(self):
        lines, is_bad = self.summary(None)
        self.assertFalse(is_bad)
        self.assertEqual([line.partition(":")[0] for line in lines], [
            "skipped for want of io_uring", "skipped for want of ipv6", "skipped for want of no reason given"])
        self.assertIn("1 of the tests above, e.g. all: [io_uring] the system refuses it", lines[0])
        self.assertIn("2 of the tests above", lines[2])

    def test_what_is_not_expected_is_bad_and_named(self):
        lines, is_bad = self.summary(["io_uring", "ipv6"])
        self.assertTrue(is_bad)
        self.assertIn("    net.tcp.epoll: tcp.copies: some reason", lines)
        self.assertNotIn("NOT EXPECTED", lines[0])

    def test_a_skip_without_a_reason_is_never_expected(self):
        self.assertTrue(self.summary(["io_uring", "ipv6", "no", "reason", "given"])[1])

    def test_nothing_is_expected_by_default_in_the_matrix(self):
        lines, is_bad = self.summary([])
        self.assertTrue(is_bad)
        self.assertEqual(sum("NOT EXPECTED HERE" in line for line in lines), 3)


if __name__ == "__main__":
    unittest.main()
