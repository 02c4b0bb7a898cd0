"""eddy-load, and with it the client, over HTTP/2 with servers that are not ours, where they are installed."""

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import unittest

import certificates
import go
import program
from load_test import measure
from ports import free_port

SMALL = b"hello, world!"
LARGE = bytes(i * 7 % 251 for i in range(300_000))

NODE = """
const fs = require("fs"), http2 = require("http2");
const [port, chain, key, site] = process.argv.slice(1);
const server = chain === "" ? http2.createServer()
    : http2.createSecureServer({cert: fs.readFileSync(chain), key: fs.readFileSync(key)});
server.on("stream", (stream, headers) => {
    let received = 0;
    stream.on("data", piece => { received += piece.length; });
    stream.on("end", () => {
        if (headers[":method"] === "POST") { stream.respond({":status": 200}); stream.end(String(received)); }
        else stream.respondWithFile(site + headers[":path"]);
    });
});
server.listen(Number(port), "127.0.0.1");
"""

GO = """
package main

import ("fmt"; "io"; "net/http"; "os")

func main() {
    files := http.FileServer(http.Dir(os.Args[4]))
    handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
        if r.Method == "POST" { n, _ := io.Copy(io.Discard, r.Body); fmt.Fprint(w, n) } else { files.ServeHTTP(w, r) }
    })
    http.ListenAndServeTLS("127.0.0.1:" + os.Args[1], os.Args[2], os.Args[3], handler)
}
"""


def installed(name):
    return shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin")


class Servers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = contextlib.ExitStack()
        cls.chain, cls.key = cls.kept.enter_context(certificates.self_signed())
        cls.directory = cls.kept.enter_context(tempfile.TemporaryDirectory())
        cls.site = os.path.join(cls.directory, "site")
        os.chmod(cls.directory, 0o755)  # h2o gives up its rights
        os.mkdir(cls.site)
        for name, content in (("small", SMALL), ("large", LARGE)):
            cls.write(os.path.join("site", name), content)

    @classmethod
    def tearDownClass(cls):
        cls.kept.close()

    @classmethod
    def write(cls, name, content):
        where = os.path.join(cls.directory, name)
        with open(where, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return where

    @contextlib.contextmanager
    def running(self, port, *command):
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   cwd=self.directory)
        try:
            def listens():
                if process.poll() is not None:
                    raise AssertionError(process.stderr.read().decode())
                with socket.socket() as probe:
                    return probe.connect_ex(("127.0.0.1", port)) == 0
            program.wait_until(listens, command[0])
            yield
        finally:
            process.kill()
            process.communicate()

    def check(self, port, is_secure, takes_bodies=False):
        """All responses come, over few connections, however many streams there are."""
        base = f"https://localhost:{port}" if is_secure else f"http://127.0.0.1:{port}"
        for connections, streams in ((1, 1), (1, 50), (3, 20)):
            for name, content, count in (("small", SMALL, 400), ("large", LARGE, 40)):
                with self.subTest(connections=connections, streams=streams, name=name):
                    told = measure("--http2", "-c", str(connections), "--streams", str(streams), "-n", str(count),
                                   "--cacert", self.chain, f"{base}/{name}")
                    self.assertEqual((told["statuses"], told["errors"]), ({"200": count}, {}))
                    self.assertEqual(told["received_bytes"], count * len(content))
                    self.assertLessEqual(told["connections_made"], connections)
        if takes_bodies:
            body = self.write("body", b"b" * 200_000)
            told = measure("--http2", "-c", "1", "--streams", "10", "-n", "20", "--cacert", self.chain,
                           "--data-file", body, f"{base}/upload")
            self.assertEqual((told["statuses"], told["received_bytes"]), ({"200": 20}, 20 * len("200000")))

    @unittest.skipUnless(installed("nghttpd"), "[nghttp2-server] is not installed")
    def test_nghttpd(self):
        for is_secure in (False, True):
            port = free_port()
            own = (str(port), self.key, self.chain) if is_secure else ("--no-tls", str(port))
            with self.running(port, installed("nghttpd"), "-a", "127.0.0.1", "-d", self.site, *own):
                self.check(port, is_secure)

    @unittest.skipUnless(installed("nginx"), "[nginx] is not installed")
    def test_nginx(self):
        for is_secure in (False, True):
            port = free_port()
            secure = f"ssl_certificate {self.chain}; ssl_certificate_key {self.key};" if is_secure else ""
            config = self.write("nginx.conf", f"""
                daemon off; master_process off; error_log stderr crit; pid {self.directory}/nginx.pid;
                events {{ worker_connections 64; }}
                http {{ access_log off; {secure} server {{
                    listen 127.0.0.1:{port} {"ssl" if is_secure else ""} http2; root {self.site};
                    client_body_temp_path {self.directory}/b; proxy_temp_path {self.directory}/p;
                    fastcgi_temp_path {self.directory}/f; uwsgi_temp_path {self.directory}/u;
                    scgi_temp_path {self.directory}/s; keepalive_requests 100; }} }}""")
            # It says GOAWAY after 100 requests, and the load goes on, on another connection.
            with self.running(port, installed("nginx"), "-p", self.directory, "-c", config):
                base = f"https://localhost:{port}" if is_secure else f"http://127.0.0.1:{port}"
                told = measure("--http2", "-c", "1", "--streams", "20", "-n", "1000", "--cacert", self.chain,
                               base + "/small")
                self.assertEqual((told["statuses"], told["errors"]), ({"200": 1000}, {}))
                self.assertGreaterEqual(told["connections_made"], 9)

    @unittest.skipUnless(installed("h2o"), "[h2o] is not installed")
    def test_h2o(self):
        for is_secure in (False, True):
            port = free_port()
            secure = f"\n  ssl:\n    certificate-file: {self.chain}\n    key-file: {self.key}" if is_secure else ""
            config = self.write("h2o.conf", f"listen:\n  host: 127.0.0.1\n  port: {port}{secure}\nnum-threads: 1\n"
                                            f"hosts:\n  default:\n    paths:\n      /:\n        file.dir: {self.site}\n")
            with self.running(port, installed("h2o"), "-c", config):
                self.check(port, is_secure)

    @unittest.skipUnless(installed("node"), "[node] is not installed")
    def test_node(self):
        for is_secure in (False, True):
            port = free_port()
            own = (self.chain, self.key) if is_secure else ("", "")
            with self.running(port, installed("node"), "-e", NODE, "--", str(port), *own, self.site):
                self.check(port, is_secure, takes_bodies=True)

    @unittest.skipUnless(go.installed(), "[bench] go is not installed (scripts/setup.sh --with-bench)")
    def test_go(self):
        built = go.build(GO, self.directory)
        port = free_port()
        with self.running(port, built, str(port), self.chain, self.key, self.site):
            self.check(port, is_secure=True, takes_bodies=True)


if __name__ == "__main__":
    unittest.main()
