"""The example of a JSON API, asked by curl."""

import json
import os
import signal
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["HTTP_API"]


class HttpApi(unittest.TestCase):
    def setUp(self):
        self.server = subprocess.Popen([PROGRAM], stdout=subprocess.PIPE, text=True)
        self.port = int(self.server.stdout.readline().split()[-1])

    def tearDown(self):
        if self.server.poll() is None:
            self.server.kill()
        self.server.stdout.close()
        self.server.wait()

    def curl(self, path, *options):
        """Status and body."""
        done = subprocess.run(["curl", "-sS", "--max-time", "20", "-w", "\n%{http_code}", *options,
                               f"http://127.0.0.1:{self.port}{path}"], capture_output=True, text=True, check=True)
        body, status = done.stdout.rsplit("\n", 1)
        return int(status), body

    def post(self, text, kind="application/json"):
        return self.curl("/notes", "-H", f"Content-Type: {kind}", "--data-binary", text)

    def test_notes_are_added_listed_and_removed(self):
        self.assertEqual(self.post('{"text": "milk", "stars": 2}'), (201, '{"stars":2,"text":"milk"}'))
        self.assertEqual(self.post('{"text": "bread", "stars": 0}')[0], 201)
        self.assertEqual(self.curl("/notes?stars=1"), (200, '{"1":{"stars":2,"text":"milk"}}'))
        self.assertEqual(self.curl("/notes/1", "-X", "DELETE"), (204, ""))
        self.assertEqual(self.curl("/notes/1", "-X", "DELETE"), (404, "no such note\n"))
        self.assertEqual(self.curl("/notes", "-G", "--data-urlencode", "stars=0"),
                         (200, '{"2":{"stars":0,"text":"bread"}}'))

    def test_what_is_wrong_is_refused(self):
        self.assertEqual(self.post("{")[0], 400)
        self.assertEqual(self.post('{"text": 1}')[0], 422)
        self.assertEqual(self.post("{}", "text/plain")[0], 415)
        self.assertEqual(self.curl("/notes?stars=x")[0], 400)
        self.assertEqual(self.curl("/notes", "-X", "PUT")[0], 405)
        self.assertEqual(self.curl("/nothing")[0], 404)

    def test_files_are_uploaded(self):
        with tempfile.NamedTemporaryFile() as large:
            large.write(os.urandom(3_000_000))
            large.flush()
            status, body = self.curl("/files", "-F", f"large=@{large.name}", "-F", "small=x",
                                     "-F", 'odd=@/dev/null;filename=a"b\\c.txt')
        self.assertEqual(status, 200)
        self.assertEqual(json.loads(body), {"large": 3_000_000, "small": 1, "odd": 0})
        self.assertEqual(self.curl("/files", "-H", "Expect: 100-continue", "-F", "a=b"), (200, '{"a":1}'))
        self.assertEqual(self.curl("/files", "-d", "a=b")[0], 415)

    def test_events_come_and_end_when_the_server_drains(self):
        events = subprocess.Popen(["curl", "-sSN", f"http://127.0.0.1:{self.port}/events"],
                                  stdout=subprocess.PIPE, text=True)
        self.addCleanup(events.stdout.close)
        self.assertEqual([events.stdout.readline() for _ in range(3)], ["event: notes\n", "data: 0\n", "\n"])
        self.post('{"text": "milk", "stars": 2}')
        self.assertEqual([events.stdout.readline() for _ in range(3)], ["event: notes\n", "data: 1\n", "\n"])
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(events.wait(20), 0)
        self.assertEqual(self.server.wait(20), 0)
        self.assertTrue(self.server.stdout.read().endswith("0 connections were cut off\n"))

    def test_requests_are_counted_and_known_by_their_ids(self):
        self.curl("/notes/7", "-X", "DELETE")
        _, text = self.curl("/metrics")
        self.assertIn('http_requests_total{route="/notes/{id}",method="DELETE",status="404"} 1\n', text)
        self.assertEqual(self.curl("/health"), (200, "ready\n"))
        _, head = self.curl("/health", "-i", "-H", "X-Request-Id: mine-1")
        self.assertIn("X-Request-Id: mine-1", head)


if __name__ == "__main__":
    unittest.main()
