"""The example todo with PostgreSQL, a real one, started here in a temporary directory or by the program itself.

TODO_PROGRAM is the program.
"""

import contextlib
import os
import signal
import socket
import subprocess
import threading
import unittest

import todo_requests
from program import wait_until
from todo_service import PATIENCE_S, Postgres, Redis, Service, Todo


class WithPostgres(Todo):
    """One server for all tests of a class; a database for each."""

    @classmethod
    def setUpClass(cls):
        cls.postgres = Postgres()
        cls.addClassCleanup(cls.postgres.close)

    def start(self, *arguments):
        self.url = self.postgres.make_database()
        return self.start_node(*arguments)

    def start_node(self, *arguments):
        return Service(self, "--db", self.url, *arguments)


class OnPostgres(WithPostgres, todo_requests.Requests):
    def test_nodes_share_a_database(self):
        one = self.start()
        other = self.start_node()
        item = one.add("milk")
        place = f"/todos/{item['id']}"
        self.assertEqual(other.ask("GET", place).body, item)
        self.assertEqual(other.ask("PATCH", place, {"done": True}, If_Match='"1"').status, 200)
        self.assertEqual(one.ask("PATCH", place, {"title": "bread"}, If_Match='"1"').status, 412)
        self.assertEqual(one.end(), 0)
        self.assertEqual(other.ask("GET", place).body["version"], 2)

    def test_nodes_that_start_at_once_make_one_table(self):
        self.url = self.postgres.make_database()
        nodes = []
        starting = [threading.Thread(target=lambda: nodes.append(self.start_node())) for _ in range(4)]
        for each in starting:
            each.start()
        for each in starting:
            each.join(PATIENCE_S)
        self.assertEqual([each.ask("GET", "/todos").body for each in nodes], [{"items": []}] * 4)

    def test_a_database_that_restarts_is_gone_for_a_while_and_nothing_else(self):
        todo = self.start()
        item = todo.add("milk")
        place = f"/todos/{item['id']}"
        self.postgres.stop()
        refused = todo.ask("PATCH", place, {"done": True})
        self.assertEqual((refused.status, refused.headers["Retry-After"]), (503, "1"))
        self.assertIn("PostgreSQL", refused.body["detail"])
        health = todo.ask("GET", "/health")
        self.assertEqual((health.status, health.body["store"]), (503, "down"))
        self.assertGreater(todo.metric('todo_store_failures_total{store="postgresql"}'), 0)
        self.postgres.start()
        wait_until(lambda: todo.ask("GET", "/health").status == 200, "the database is back")
        self.assertEqual(todo.ask("GET", place).body, item)
        self.assertEqual(todo.ask("PATCH", place, {"done": True}).body["version"], 2)

    def test_a_database_that_is_killed_under_load_recovers(self):
        todo = self.start()
        place = f"/todos/{todo.add('0')['id']}"
        outcomes, is_over = [], threading.Event()

        def ask_on():
            mine = self.another_client(todo)
            while not is_over.is_set():
                outcomes.append(mine.ask("PATCH", place, {"done": len(outcomes) % 2 == 0}).status)
            mine.hang_up()

        asking = [threading.Thread(target=ask_on) for _ in range(4)]
        for each in asking:
            each.start()
        wait_until(lambda: outcomes.count(200) > 50, "requests are answered")
        self.postgres.stop(signal.SIGQUIT)
        wait_until(lambda: 503 in outcomes, "requests are refused")
        self.postgres.start()
        known = len(outcomes)
        wait_until(lambda: outcomes[known:].count(200) > 50, "requests are answered again")
        is_over.set()
        for each in asking:
            each.join(PATIENCE_S)
        self.assertEqual(set(outcomes), {200, 503})


class Everything(WithPostgres, todo_requests.Requests):
    """PostgreSQL and the cache."""

    def start(self):
        self.redis = Redis()
        self.addCleanup(self.redis.close)
        return super().start("--redis", self.redis.url)


class OwnServers(Todo):
    def children(self, todo):
        """The numbers of the processes that it has started, and of those that they have."""
        found = set()
        for process in os.listdir("/proc"):
            with contextlib.suppress(OSError, ValueError):
                parent = int(self.read(f"/proc/{int(process)}/stat").rpartition(")")[2].split()[1])
                if parent in found | {todo.process.pid}:
                    found.add(int(process))
        return found

    def read(self, file):
        with open(file) as opened:
            return opened.read()

    def test_they_are_started_used_and_stopped(self):
        todo = Service(self, "--start-servers")
        self.assertEqual(todo.kind, "postgresql")
        children = self.children(todo)
        names = {self.read(f"/proc/{each}/comm").strip(): each for each in children}
        self.assertLessEqual({"postgres", "redis-server"}, set(names))
        directory = os.readlink(f"/proc/{names['redis-server']}/cwd")
        self.assertTrue(os.path.exists(os.path.join(directory, "socket")))
        item = todo.add("milk")
        self.assertEqual(todo.ask("GET", f"/todos/{item['id']}").body, item)
        wait_until(lambda: todo.ask("GET", "/health").body == {"status": "ready", "store": "up", "cache": "up",
                                                               "node_link": "up"}, "everything is up")
        self.assertEqual(todo.end(), 0)
        self.assertEqual([each for each in children if os.path.exists(f"/proc/{each}")], [])
        self.assertFalse(os.path.exists(os.path.dirname(directory)))

    def test_a_directory_keeps_what_they_have(self):
        directory = self.make_directory()
        os.chmod(directory, 0o755)
        todo = Service(self, "--start-servers", "--directory", os.path.join(directory, "kept here"))
        item = todo.add("milk")
        self.assertEqual(todo.end(), 0)
        again = Service(self, "--start-servers", "--directory", os.path.join(directory, "kept here"))
        self.assertEqual(again.ask("GET", "/todos").body, {"items": [item]})
        self.assertEqual(again.end(), 0)

    def test_they_are_stopped_if_the_service_cannot_start(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            ended = subprocess.run(
                [os.environ["TODO_PROGRAM"], "--start-servers", "--port", str(taken.getsockname()[1])],
                capture_output=True, text=True, timeout=PATIENCE_S)
        self.assertEqual(ended.returncode, 1)
        self.assertRegex(ended.stderr, "^todo: .*in use.*\n$")

    def test_what_is_missing_is_named(self):
        ended = subprocess.run([os.environ["TODO_PROGRAM"], "--start-servers", "--postgres-programs", "/nowhere"],
                               capture_output=True, text=True, timeout=PATIENCE_S)
        self.assertEqual(ended.returncode, 1)
        self.assertIn("/nowhere/initdb", ended.stderr)


if __name__ == "__main__":
    unittest.main()
