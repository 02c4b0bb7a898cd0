import os
import sys
import tempfile
import time
import unittest
from pathlib import Path

import package  # noqa: F401
from suite import processes

PYTHON = sys.executable
SERVER = """
import socket, subprocess, sys, time
child = subprocess.Popen(["sleep", "1000"])
while time.process_time() < 0.05:  # more than a tick
    pass
with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as listener:
    while True:
        client, _ = listener.accept()
        client.recv(100)
        print("has a client", flush=True)
        client.sendall(b"yes")
"""


def python(text, *arguments):
    return [PYTHON, "-c", text, *arguments]


class Run(unittest.TestCase):
    def assert_fails(self, reason, command, **more):
        with self.assertRaises(processes.Failed) as failed:
            processes.run(command, **more)
        self.assertIn(reason, str(failed.exception))

    def test_it_gives_what_was_printed(self):
        self.assertEqual(processes.run(python("print('said')")), "said\n")

    def test_it_runs_on_the_cores_and_with_the_environment_that_are_given(self):
        core = min(os.sched_getaffinity(0))
        said = processes.run(python("import os; print(os.sched_getaffinity(0), os.environ['A'])"), [core], env={"A": "b"})
        self.assertEqual(said, f"{{{core}}} b\n")

    def test_another_exit_status_is_a_failure_that_tells_what_was_said(self):
        self.assert_fails("the reason", python("import sys; sys.exit('the reason')"))

    def test_a_crash_is_a_failure(self):
        self.assert_fails("SIGKILL", python("import os; os.kill(os.getpid(), 9)"))

    def test_what_hangs_is_ended(self):
        self.assert_fails("has not ended", python("import time; time.sleep(1000)"), seconds_max=0)

    def test_a_program_that_is_not_there_is_a_failure(self):
        self.assert_fails("/nowhere/program is not there", ["/nowhere/program"])

    def test_an_interrupt_leaves_nothing_behind(self):
        def interrupt():
            raise KeyboardInterrupt

        with tempfile.NamedTemporaryFile() as file:
            with self.assertRaises(KeyboardInterrupt):
                processes.run(python("import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(1000)",
                                     file.name), tick=lambda: Path(file.name).read_text() and interrupt())
            self.assertFalse(Path("/proc", Path(file.name).read_text()).exists())


class Serving(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.log = Path(folder.name, "log")
        self.port = processes.free_port()

    def test_a_server_has_answered_once_and_ends_with_its_children(self):
        with processes.serving(python(SERVER, str(self.port)), self.port, b"?", self.log) as server:
            family = processes.family(server.pid)
            self.assertEqual(len(family), 2)
            self.assertGreater(processes.cpu_seconds(server.pid), 0)
            self.assertIn("has a client", self.log.read_text())
        deadline = time.monotonic() + 10
        while any(Path("/proc", str(each), "fd").exists() and os.listdir(f"/proc/{each}/fd") for each in family):
            self.assertLess(time.monotonic(), deadline)

    def test_one_that_ends_is_a_failure_that_tells_what_it_wrote(self):
        with self.assertRaises(processes.Failed) as failed:
            with processes.serving(python("print('no such option')"), self.port, b"?", self.log):
                pass
        self.assertIn("ended before it answered", str(failed.exception))
        self.assertIn("no such option", str(failed.exception))

    def test_one_that_never_answers_is_a_failure(self):
        with self.assertRaises(processes.Failed) as failed:
            with processes.serving(python("import time; time.sleep(1000)"), self.port, b"?", self.log, answers_s_max=0):
                pass
        self.assertIn("did not answer", str(failed.exception))


if __name__ == "__main__":
    unittest.main()
