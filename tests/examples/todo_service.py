"""The example todo as its tests use it, and the servers that it uses."""

import collections
import copy
import glob
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import unittest
import uuid

from program import PATIENCE_S

Answer = collections.namedtuple("Answer", "status headers body")


class Service:
    """The program, on a port of its own choice. Its log gathers in `log`."""

    def __init__(self, test, *arguments, port=0):
        self.process = subprocess.Popen([os.environ["TODO_PROGRAM"], "--port", str(port), *arguments],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        test.addCleanup(self.close)
        self.log = []
        self.has_logged = threading.Condition()
        first_line = self.process.stdout.readline()
        found = re.search(r"127\.0\.0\.1:(\d+)/ \((\w+), (\w+)\)", first_line)
        if not found:
            raise AssertionError(f"no port in {first_line!r}: {self.process.communicate()[1]}")
        self.port, self.kind = int(found[1]), found[2]
        self.reader = threading.Thread(target=self.read_log)
        self.reader.start()
        self.connection = None

    def read_log(self):
        for line in self.process.stderr:
            with self.has_logged:
                self.log.append(line.rstrip())
                self.has_logged.notify_all()

    def wait_for_log(self, text):
        with self.has_logged:
            if not self.has_logged.wait_for(lambda: any(text in line for line in self.log), PATIENCE_S):
                raise AssertionError(f"{text!r} is not in {self.log}")

    def close(self):
        self.hang_up()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if hasattr(self, "reader"):
            self.reader.join()
        self.process.stdout.close()
        self.process.stderr.close()

    def hang_up(self):
        if getattr(self, "connection", None):
            self.connection.close()
            self.connection = None

    def end(self):
        """Drains it; gives the exit status."""
        self.hang_up()
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE_S)

    def ask(self, method, path, body=None, text=None, **headers):
        """One request on a connection that is kept. `body` goes as JSON, `text` as it is."""
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            text = json.dumps(body)
        if text is not None:
            fields.setdefault("Content-Type", "application/json")
        try:
            self.connection.request(method, path, text, fields)
            answer = self.connection.getresponse()
            told = answer.read()
        except Exception:
            self.hang_up()
            raise
        if "json" in answer.headers.get("Content-Type", ""):
            told = json.loads(told)
        return Answer(answer.status, answer.headers, told)

    def add(self, title, done=False):
        answer = self.ask("POST", "/todos", {"title": title, "done": done})
        if answer.status != 201:
            raise AssertionError(answer)
        return answer.body

    def titles(self, target="/todos?limit=200"):
        return [each["title"] for each in self.ask("GET", target).body["items"]]

    def metric(self, name):
        """The value of a series, labels in its name and all."""
        for line in self.ask("GET", "/metrics").body.decode().splitlines():
            if line.startswith(name + " "):
                return float(line.split()[-1])
        return None

    @property
    def feed(self):
        return f"ws://127.0.0.1:{self.port}/feed"


def start_and_wait(arguments, ready, name, user=None):
    """A child whose output is read until it says that it is ready, and to its end from then on."""
    process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, errors="replace", user=user, group=user, extra_groups=[] if user else None)
    said = []
    for line in process.stdout:
        said.append(line)
        if ready in line:
            threading.Thread(target=read_to_end, args=(process.stdout,)).start()
            return process
    process.wait()
    raise AssertionError(f"{name} does not start: {''.join(said)}")


def read_to_end(output):
    with output:
        output.read()


class Postgres:
    """A server in a temporary directory, on a Unix socket. As root it is run by the user postgres."""

    def __init__(self):
        self.user = "postgres" if os.geteuid() == 0 else None
        self.directory = tempfile.mkdtemp(prefix="eddy-pg-")
        if self.user:
            shutil.chown(self.directory, self.user, self.user)
        bin_directory = subprocess.run(["pg_config", "--bindir"], capture_output=True, text=True, check=True).stdout.strip()
        if not os.path.exists(f"{bin_directory}/initdb"):  # the client's alone: the server's are elsewhere
            bin_directory = os.path.dirname(max(glob.glob("/usr/lib/postgresql/*/bin/initdb")))
        self.programs = bin_directory
        self.data = os.path.join(self.directory, "data")
        subprocess.run([f"{self.programs}/initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8",
                        "--no-locale", "--no-sync"], check=True, user=self.user, group=self.user,
                       extra_groups=[] if self.user else None, stdout=subprocess.DEVNULL)
        self.start()

    def start(self):
        self.process = start_and_wait(
            [f"{self.programs}/postgres", "-D", self.data, "-c", "listen_addresses=", "-c", "fsync=off", "-c",
             f"unix_socket_directories={self.directory}"], "ready to accept connections", "PostgreSQL", self.user)

    def stop(self, number=signal.SIGINT):
        self.process.send_signal(number)
        self.process.wait(PATIENCE_S)

    def close(self):
        if self.process.poll() is None:
            self.stop(signal.SIGQUIT)
        shutil.rmtree(self.directory, ignore_errors=True)

    def make_database(self):
        """The URL of a database that nobody else uses."""
        name = "todo_" + uuid.uuid4().hex[:12]
        self.query("postgres", f"CREATE DATABASE {name}")
        return f"postgresql://postgres@{self.directory.replace('/', '%2F')}/{name}"

    def query(self, database, text):
        return subprocess.run(["psql", "-h", self.directory, "-U", "postgres", "-d", database, "-Atc", text], check=True,
                              capture_output=True, text=True, timeout=PATIENCE_S).stdout.strip()


class Redis:
    """A server in a temporary directory, on a Unix socket. It forgets everything when it stops."""

    def __init__(self):
        self.directory = tempfile.mkdtemp(prefix="eddy-redis-")
        self.socket = os.path.join(self.directory, "socket")
        self.url = "unix://" + self.socket
        self.start()

    def start(self):
        self.process = start_and_wait(
            ["redis-server", "--port", "0", "--unixsocket", self.socket, "--dir", self.directory, "--save", "",
             "--appendonly", "no"], "ready to accept connections", "Redis")

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.process.wait(PATIENCE_S)

    def close(self):
        if self.process.poll() is None:
            self.stop(signal.SIGKILL)
        shutil.rmtree(self.directory, ignore_errors=True)

    def query(self, *words):
        return subprocess.run(["redis-cli", "-s", self.socket, *words], check=True, capture_output=True, text=True,
                              timeout=PATIENCE_S).stdout.strip()


class Todo(unittest.TestCase):
    def make_directory(self):
        directory = tempfile.TemporaryDirectory(prefix="eddy-todo-")
        self.addCleanup(directory.cleanup)
        return directory.name

    def another_client(self, todo):
        """The same service, asked on a connection of its own."""
        other = copy.copy(todo)
        other.connection = None
        return other
