"""A redis-server of the test's own on 127.0.0.1, which keeps nothing on the disk."""

import shutil
import signal
import subprocess
import tempfile

import ports
import program


class RedisServer:
    """Runs until the end of the `with` block. May be stopped and started again, on the same port and empty."""

    def __init__(self, *arguments):
        self.arguments = arguments
        self.directory = tempfile.mkdtemp(prefix="eddy-redis-")
        self.process = None
        self.port = ports.free_port()
        if not self._launch():
            shutil.rmtree(self.directory, ignore_errors=True)
            raise AssertionError(f"redis-server does not start: {self.said}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop(signal.SIGKILL)
        shutil.rmtree(self.directory, ignore_errors=True)

    @property
    def url(self):
        return f"redis://127.0.0.1:{self.port}"

    def start(self):
        if not self._launch():
            raise AssertionError(f"redis-server does not start: {self.said}")

    def stop(self, number=signal.SIGTERM):
        """Ends it and waits for its end."""
        if self.process is None:
            return
        self.process.send_signal(number)
        self.process.communicate(timeout=program.PATIENCE_S)
        self.process = None

    def _launch(self):
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
             "--dir", self.directory, *self.arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.said = ""
        for line in self.process.stdout:
            self.said += line
            if "Ready to accept connections" in line:
                return True
        self.process.communicate()
        self.process = None
        return False
