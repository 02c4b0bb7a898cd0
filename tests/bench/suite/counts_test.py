import unittest

import package  # noqa: F401
from suite import counts

PERF = "# started on Sun Nov 22 10:00:00 2026\n\n2014,,raw_syscalls:sys_enter,4005810,100.00,,\n"
STRACE = """% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 60.00    0.000012           1        12         1 read
 40.00    0.000008           1         8           write
------ ----------- ----------- --------- --------- ----------------
100.00    0.000020           1        20         1 total
"""


class Counts(unittest.TestCase):
    def test_perfs_count_is_read(self):
        self.assertEqual(counts.calls_in_perf(PERF), 2014)

    def test_straces_total_is_read(self):
        self.assertEqual(counts.calls_in_strace(STRACE), 20)

    def test_what_was_not_counted_is_an_error(self):
        for read, text in ((counts.calls_in_perf, ""), (counts.calls_in_perf, "<not counted>,,raw_syscalls:sys_enter,0"),
                           (counts.calls_in_strace, "strace: no permission")):
            with self.assertRaises(ValueError):
                read(text)


if __name__ == "__main__":
    unittest.main()
