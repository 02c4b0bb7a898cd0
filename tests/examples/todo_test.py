"""The example todo with SQLite, asked over HTTP and WebSocket from outside.

TODO_PROGRAM is the program.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import unittest

import certificates  # of tests/apps
import todo_requests
from todo_service import PATIENCE_S, Service, Todo


class OnSqlite(Todo, todo_requests.Requests):
    def start(self):
        self.file = os.path.join(self.make_directory(), "todo.db")
        return Service(self, "--db", f"sqlite:{self.file}")

    def test_items_are_there_again_after_an_end(self):
        todo = self.start()
        kept = todo.add("milk")
        gone = todo.add("bread")
        todo.ask("DELETE", f"/todos/{gone['id']}")
        self.assertEqual(todo.end(), 0)
        again = Service(self, "--db", f"sqlite:{self.file}")
        self.assertEqual(again.ask("GET", "/todos").body, {"items": [kept]})
        self.assertGreater(again.add("butter")["id"], gone["id"])

    def test_a_locked_file_is_said_to_be_busy_and_can_be_read(self):
        todo = self.start()
        kept = todo.add("milk")
        with sqlite3.connect(self.file, isolation_level=None) as somebody_else:
            somebody_else.execute("BEGIN IMMEDIATE")
            refused = todo.ask("POST", "/todos", {"title": "bread"})
            self.assertEqual((refused.status, refused.headers["Retry-After"]), (503, "1"))
            self.assertIn("locked", refused.body["detail"])
            self.assertEqual(todo.ask("GET", f"/todos/{kept['id']}").body, kept)
            somebody_else.execute("ROLLBACK")
        somebody_else.close()
        todo.add("bread")
        self.assertEqual(todo.metric('todo_store_failures_total{store="sqlite"}'), 1)

    def test_the_page_is_there(self):
        todo = self.start()
        page = todo.ask("GET", "/")
        self.assertIn("script-src 'self'", page.headers["Content-Security-Policy"])
        self.assertIn(b"<title>To do</title>", page.body)
        for name, kind in (("style.css", "text/css"), ("script.js", "text/javascript")):
            self.assertTrue(todo.ask("GET", f"/{name}").headers["Content-Type"].startswith(kind))
            self.assertIn(name.encode(), page.body)

    def test_another_sites_page_may_not_listen(self):
        todo = self.start()
        answer = todo.ask("GET", "/feed", Connection="Upgrade", Upgrade="websocket", Sec_WebSocket_Version="13",
                          Sec_WebSocket_Key="AAAAAAAAAAAAAAAAAAAAAA==", Origin="http://elsewhere.example")
        self.assertEqual(answer.status, 403)


@unittest.skipUnless(shutil.which("curl"), "curl is not installed")
class OverHttp2(Todo):
    """The page and the API, asked by curl."""

    def start(self, *arguments):
        return Service(self, "--db", f"sqlite:{self.make_directory()}/todo.db", *arguments)

    def ask(self, url, *arguments):
        """Status, version and what was sent."""
        ended = subprocess.run(["curl", "-s", "-w", "\n%{http_code} %{http_version}", *arguments, url], capture_output=True,
                               timeout=PATIENCE_S, text=True, check=True)
        body, _, told = ended.stdout.rpartition("\n")
        return (*told.split(), body)

    def expect_all(self, url, version, *arguments):
        status, spoken, page = self.ask(url + "/", *arguments)
        self.assertEqual((status, spoken), ("200", version))
        self.assertIn("<title>To do</title>", page)
        status, _, made = self.ask(url + "/todos", *arguments, "-H", "Content-Type: application/json", "-d",
                                   '{"title": "milk"}')
        self.assertEqual((status, json.loads(made)["title"]), ("201", "milk"))
        self.assertEqual(json.loads(self.ask(url + "/todos", *arguments)[2])["items"], [json.loads(made)])

    def test_it_is_there_in_clear_for_clients_that_begin_with_it(self):
        todo = self.start()
        self.expect_all(f"http://127.0.0.1:{todo.port}", "2", "--http2-prior-knowledge")

    def test_it_is_agreed_on_over_tls(self):
        for how, version in (("--http2", "2"), ("--http1.1", "1.1")):
            with self.subTest(how=how), certificates.self_signed() as (chain, key):
                todo = self.start("--tls-cert", chain, "--tls-key", key)
                self.expect_all(f"https://127.0.0.1:{todo.port}", version, how, "--cacert", chain)


class CommandLine(unittest.TestCase):
    def expect_refusal(self, said, *arguments, status=2):
        # Where it would make its todo.db.
        with tempfile.TemporaryDirectory() as directory:
            ended = subprocess.run([os.environ["TODO_PROGRAM"], *arguments], capture_output=True, text=True,
                                   timeout=PATIENCE_S, cwd=directory)
        self.assertEqual((ended.returncode, ended.stdout), (status, ""))
        self.assertRegex(ended.stderr, f"^todo: .*{said}.*\n$")

    def test_what_cannot_be_done_is_said_in_one_line(self):
        self.expect_refusal("neither sqlite:FILE nor", "--db", "mysql:x")
        self.expect_refusal("needs the name of a file", "--db", "sqlite:")
        self.expect_refusal("unable to open", "--db", "sqlite:/nowhere/todo.db", status=1)
        self.expect_refusal("numeric", "--address", "elsewhere")
        self.expect_refusal("--backend", "--backend", "kqueue")
        self.expect_refusal("excludes", "--start-servers", "--db", "sqlite:x")
        self.expect_refusal("requires", "--directory", "x")
        self.expect_refusal("requires", "--tls-cert", "x")
        self.expect_refusal("nowhere", "--tls-cert", "/nowhere", "--tls-key", "/nowhere", status=1)
        self.expect_refusal("URL", "--redis", "nonsense")


if __name__ == "__main__":
    unittest.main()
