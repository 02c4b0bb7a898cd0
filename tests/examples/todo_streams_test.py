"""The example todo says which it is, and standard streams that cannot be written cost it lines only."""

import os
import re
import subprocess
import tempfile
import unittest

import ports
import program
import standard_streams_test as streams


class TodoStreams(unittest.TestCase):
    def test_it_serves_and_ends_as_ever(self):
        for how in (*streams.ERRORS, "all closed"):
            port = ports.free_port()
            with self.subTest(how=how), tempfile.TemporaryDirectory() as directory, \
                    streams.Running(how, "todo", "--port", str(port), "--db", f"sqlite:{directory}/todo.db",
                                    "--log-requests") as todo:
                for _ in range(3):
                    self.assertIn(b"HTTP/1.1 200 ", todo.ask(port, "/todos"))
                self.assertEqual(todo.end(), 0)

    def test_a_mistake_keeps_its_exit_status(self):
        for how in (*streams.ERRORS, "all closed"):
            with self.subTest(how=how), streams.Running(how, "todo", "--nonsense") as misused:
                misused.process.communicate(timeout=program.PATIENCE_S)
                self.assertEqual(misused.process.returncode, 2)

    def test_it_says_which_version_it_is(self):
        with open(os.path.join(os.path.dirname(__file__), "..", "..", "CMakeLists.txt"), encoding="utf-8") as file:
            version = re.search(r"VERSION (\d+\.\d+\.\d+)", file.read())[1]
        self.assertEqual(program.run("todo", "--version"), (0, f"todo {version}\n", ""))

    def test_what_was_asked_for_and_is_lost_is_a_failure(self):
        for option in ("--version", "--help"):
            with self.subTest(option=option), open("/dev/full", "wb") as full:
                ended = subprocess.run([program.path("todo"), option], stdout=full, stderr=subprocess.PIPE, text=True,
                                       timeout=program.PATIENCE_S)
                self.assertEqual((ended.returncode, ended.stderr), (1, "todo: standard output cannot be written\n"))


if __name__ == "__main__":
    unittest.main()
