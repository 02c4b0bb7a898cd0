"""Starts PostgreSQL servers for tests of programs: of their own, on free ports, in temporary directories."""

import os
import shutil
import signal
import subprocess
import tempfile

import ports

_SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support", "postgres.sh")
# Where an initialised cluster is kept for the next server: beside the programs, in the build tree.
_TEMPLATE = os.path.join(os.environ.get("PROGRAMS", tempfile.gettempdir()), "..", "tests", "postgres_template")


class PostgresServer:
    """Runs until the end of the `with` block. The user is postgres, without a password; so is the database."""

    def __init__(self, *settings):
        self.directory = tempfile.mkdtemp(prefix="eddy-postgres-")
        self.port = ports.free_port()
        self.settings = settings
        self.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.directory, ignore_errors=True)

    @property
    def url(self):
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    def start(self):
        """Also after stop(): on the same port, with what it had stored."""
        self.log = open(os.path.join(self.directory, "log"), "w+b")
        self.process = subprocess.Popen(
            ["sh", _SCRIPT, self.directory, str(self.port), os.path.abspath(_TEMPLATE), *self.settings],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for line in self.process.stdout:
            self.log.write(line)
            if b"ready to accept connections" in line:
                break
        else:
            self.log.seek(0)
            raise AssertionError(f"PostgreSQL did not start: {self.log.read().decode()}")
        # What it says later is not read, so the pipe must not fill.
        self.drain = subprocess.Popen(["cat"], stdin=self.process.stdout, stdout=self.log)

    def stop(self):
        """Ends it at once, connections included."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)
        self.process.wait()
        self.drain.wait()
        self.process.stdout.close()
        self.log.close()

    def ask(self, sql):
        """What psql prints for a command."""
        return subprocess.run(["psql", "-XAtq", "-c", sql, self.url], check=True, capture_output=True, text=True).stdout
