"""The example tail follows files through all that happens to them."""

import os
import select
import signal
import subprocess
import tempfile
import unittest

PROGRAM = os.path.join(os.environ["EXAMPLES"], "tail")


class Tail(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def at(self, name):
        return os.path.join(self.directory, name)

    def write(self, name, text, mode="a"):
        with open(self.at(name), mode) as file:
            file.write(text)

    def start(self, *arguments):
        process = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   bufsize=0, cwd=self.directory)

        def stop():
            process.kill()
            process.communicate()

        self.addCleanup(stop)
        return process

    def expect(self, process, *lines):
        self.assertEqual([process.stdout.readline() for _ in lines], [line + "\n" for line in lines])

    def test_the_last_lines_come_first_and_then_what_is_added(self):
        self.write("log", "".join(f"{number}\n" for number in range(100_000)))
        following = self.start("-n", "3", self.at("log"))
        self.expect(following, "99997", "99998", "99999")
        for number in range(20):
            self.write("log", f"more {number}\n")
            self.expect(following, f"more {number}")
        self.expect(self.start(self.at("log")), *[f"more {number}" for number in range(10, 20)])
        following.send_signal(signal.SIGTERM)
        self.assertEqual(following.wait(timeout=60), 0)

    def test_a_file_is_followed_by_its_name_when_it_is_rotated(self):
        self.write("log", "old\n")
        following = self.start("log")
        self.expect(following, "old")
        for turn in range(5):
            self.write("log", f"last {turn}\n")
            os.rename(self.at("log"), self.at("log.1"))
            self.write("log", f"first {turn}\n")
            self.expect(following, f"last {turn}", f"first {turn}")

    def test_a_file_that_is_cut_off_is_read_from_its_beginning(self):
        self.write("log", "a long first line\n")
        following = self.start("log")
        self.expect(following, "a long first line")
        self.write("log", "short\n", mode="w")
        self.expect(following, "short")

    def test_a_file_that_is_not_there_is_waited_for(self):
        following = self.start("log", "other")
        self.write("other", "there\n")
        self.expect(following, "==> other <==", "there")
        self.write("log", "here\n")
        self.expect(following, "", "==> log <==", "here")
        os.remove(self.at("log"))
        self.write("log", "again\n")
        self.expect(following, "again")

    def test_a_last_line_without_an_end_counts(self):
        self.write("log", "one\ntwo\nthree")
        following = self.start("-n", "2", "log")
        self.expect(following, "two")
        self.write("log", "!\n")
        self.expect(following, "three!")

    def test_no_lines_come_first_if_none_are_wanted(self):
        self.write("log", "one\ntwo\n")
        following = self.start("-n", "0", "log")
        # It is not known when it has begun.
        while not select.select([following.stdout], [], [], 0.02)[0]:
            self.write("log", "three\n")
        self.expect(following, "three")

    def test_what_is_wrong_is_said(self):
        for arguments in ([], ["-n", "x", "log"], ["-n", "1"]):
            ended = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60)
            self.assertEqual((ended.returncode, ended.stdout), (2, ""), arguments)
        ended = subprocess.run([PROGRAM, self.at("none/log")], capture_output=True, text=True, timeout=60)
        self.assertIn("No such file", ended.stderr)


if __name__ == "__main__":
    unittest.main()
