"""The examples of the guides to middleware, access and static files, asked over HTTP."""

import base64
import http.client
import os
import subprocess
import tempfile
import unittest

EXAMPLES = os.environ["EXAMPLES"]


class Serving(unittest.TestCase):
    def start(self, name, *arguments):
        server = subprocess.Popen([os.path.join(EXAMPLES, name), *arguments], stdout=subprocess.PIPE, text=True)
        self.addCleanup(server.wait)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.kill)
        self.port = int(server.stdout.readline().split()[-1])
        return server

    def ask(self, path, method="GET", **fields):
        """Status, body and header fields."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        self.addCleanup(connection.close)
        headers = {name.replace("_", "-"): value for name, value in fields.items()}
        connection.request(method, path, headers=headers)
        response = connection.getresponse()
        return response.status, response.read().decode(), response.headers


class Middleware(Serving):
    def test_each_does_what_the_guide_says(self):
        server = self.start("middleware")
        status, body, fields = self.ask("/", X_Tenant="ada")
        self.assertEqual((status, body, fields["X-Version"]), (200, "hello, ada\n", "2"))
        self.assertEqual(self.ask("/signed")[1], "hello, anonymous\n-- the server\n")
        self.assertEqual(self.ask("/nothing")[2]["X-Version"], "2")
        self.assertEqual(self.ask("/maintenance", "POST")[0], 204)
        status, _, fields = self.ask("/")
        self.assertEqual((status, fields["Retry-After"], fields["X-Version"]), (503, "60", "2"))
        told = [server.stdout.readline().split()[0] for _ in range(5)]
        self.assertEqual(told, ["200", "200", "404", "204", "503"])


class Access(Serving):
    def setUp(self):
        self.start("access")

    def test_passwords_tokens_and_keys_are_checked(self):
        status, _, fields = self.ask("/private")
        self.assertEqual(status, 401)
        self.assertTrue(fields["WWW-Authenticate"].startswith("Basic realm="))

        def basic(pair):
            return "Basic " + base64.b64encode(pair.encode()).decode()

        self.assertEqual(self.ask("/private", Authorization=basic("ada:wrong"))[0], 401)
        self.assertEqual(self.ask("/private", Authorization=basic("ada:lovelace"))[:2], (200, "hello, ada\n"))
        self.assertEqual(self.ask("/api", Authorization="Bearer wrong")[0], 401)
        self.assertEqual(self.ask("/api", Authorization="Bearer token-of-ada")[:2], (200, "hello, ada\n"))
        self.assertEqual(self.ask("/keys")[0], 403)
        self.assertEqual(self.ask("/keys", X_Api_Key="key-of-ada")[:2], (200, "hello, ada\n"))

    def test_pages_of_one_origin_may_read(self):
        status, _, fields = self.ask("/public/", Origin="https://example.org")
        self.assertEqual((status, fields["Access-Control-Allow-Origin"]), (200, "https://example.org"))
        preflight = {"method": "OPTIONS", "Access_Control_Request_Method": "POST"}
        status, _, fields = self.ask("/public/", Origin="https://example.org", **preflight)
        self.assertEqual((status, fields["Access-Control-Allow-Methods"], fields["Access-Control-Max-Age"]),
                         (204, "GET, POST", "3600"))
        self.assertNotIn("Access-Control-Allow-Methods", self.ask("/public/", Origin="https://a.org", **preflight)[2])

    def test_the_third_request_at_once_is_one_too_many(self):
        self.assertEqual([self.ask("/limited")[0] for _ in range(2)], [200, 200])
        status, _, fields = self.ask("/limited")
        self.assertEqual(status, 429)
        self.assertIn(int(fields["Retry-After"]), range(1, 11))


class StaticFiles(Serving):
    def test_files_are_served_and_listed(self):
        with tempfile.TemporaryDirectory() as root:
            for name, text in (("index.html", "<p>hello"), ("style.css", "p { color: red; }\n" * 50)):
                with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                    file.write(text)
            self.start("static_files", root)
            status, body, fields = self.ask("/")
            self.assertEqual((status, body, fields["Cache-Control"]), (200, "<p>hello", "no-cache"))
            self.assertEqual(fields["X-Content-Type-Options"], "nosniff")
            self.assertIn("style.css", self.ask("/downloads/")[1])
            self.assertEqual(self.ask("/style.css", Range="bytes=0-2")[:2], (206, "p {"))
            self.assertEqual(self.ask("/downloads/style.css", method="HEAD")[0], 200)
            self.assertEqual(self.ask("/../style.css")[0], 400)


if __name__ == "__main__":
    unittest.main()
