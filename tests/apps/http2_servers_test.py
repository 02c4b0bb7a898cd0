"""eddy-load, and with it the client, over HTTP/2 with servers that are not ours, where they are installed."""

import contextlib
import os
import random
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

try:
    import h2.config
    import h2.connection
    import h2.errors
    import h2.events
    import h2.settings
except ImportError:
    h2 = None

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


class RandomServer:
    """Made of python3-h2, which raises on anything that the protocol forbids a client. Sends responses in random order and
    pieces, changes its settings meanwhile, pings, refuses some streams, and says GOAWAY when nothing is left after some hundred."""

    STREAMS_A_CONNECTION = 300

    def __init__(self, seed):
        self.random = random.Random(seed)
        listener = socket.create_server(("127.0.0.1", 0))
        self.port = listener.getsockname()[1]
        self.received = self.refused = 0
        self.is_over = False
        self.serving = program.Watched(self.serve, listener)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.is_over = True
        with contextlib.suppress(ConnectionRefusedError):  # it has failed
            socket.create_connection(("127.0.0.1", self.port)).close()  # wakes what waits in accept()
        self.serving.join()

    def serve(self, listener):
        with listener:
            while not self.is_over:
                client, _ = listener.accept()
                # A client that has ended does not read the last of what it was sent.
                with client, contextlib.suppress(ConnectionError):
                    client.settimeout(program.PATIENCE_S)
                    self.talk(client)

    def talk(self, client):
        peer = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        peer.initiate_connection()
        client.sendall(peer.data_to_send())
        bodies, left, is_going = {}, {}, False  # from when one of both sides has said GOAWAY
        settings_under_way, count = 1, 0
        while arrived := client.recv(65_536):
            if is_going:  # h2 takes no frame after GOAWAY, and those that were on their way come
                continue
            events = peer.receive_data(arrived)
            if any(isinstance(each, h2.events.ConnectionTerminated) and each.error_code == 0 for each in events):
                is_going = True
                continue
            for event in events:
                stream = getattr(event, "stream_id", None)
                if isinstance(event, h2.events.RequestReceived):
                    count += 1
                    bodies[stream] = 0
                elif isinstance(event, h2.events.DataReceived):
                    bodies[stream] += len(event.data)
                    # acknowledge_received_data() of h2 4.1 waits for more than a window that became smaller allows.
                    if event.flow_controlled_length:
                        peer.increment_flow_control_window(event.flow_controlled_length)
                    if event.flow_controlled_length and not event.stream_ended:
                        peer.increment_flow_control_window(event.flow_controlled_length, stream)
                elif isinstance(event, h2.events.StreamEnded) and stream in bodies:
                    self.begin(peer, stream, bodies.pop(stream), left)
                elif isinstance(event, h2.events.SettingsAcknowledged):
                    settings_under_way -= 1
                elif isinstance(event, h2.events.StreamReset) or getattr(event, "error_code", 0) != 0:
                    raise AssertionError(event)
            if settings_under_way == 0 and self.random.random() < 0.2:
                setting, values = self.random.choice([("INITIAL_WINDOW_SIZE", [1000, 65_535, 100_000]),
                                                      ("MAX_FRAME_SIZE", [16_384, 100_000]),
                                                      ("HEADER_TABLE_SIZE", [0, 64, 4096]),
                                                      ("MAX_CONCURRENT_STREAMS", [1, 7, 100])])
                peer.update_settings({h2.settings.SettingCodes[setting]: self.random.choice(values)})
                settings_under_way += 1
            if self.random.random() < 0.1:
                peer.ping(self.random.randbytes(8))
            self.send(peer, left)
            if count >= self.STREAMS_A_CONNECTION and not bodies and not left:
                is_going = True
                peer.close_connection()
            client.sendall(peer.data_to_send())

    def begin(self, peer, stream, size, left):
        if self.random.random() < 0.05:
            self.refused += 1
            return peer.reset_stream(stream, h2.errors.ErrorCodes.REFUSED_STREAM)
        self.received += size
        if self.random.random() < 0.2:
            peer.send_headers(stream, [(":status", "103"), ("link", "</style.css>; rel=preload")])
        fields = [(":status", "200")]
        if self.random.random() < 0.5:  # one that its compression remembers
            fields.append((f"x-field-{self.random.randint(0, 200)}", "v" * self.random.randint(0, 100)))
        peer.send_headers(stream, fields)
        left[stream] = LARGE

    def send(self, peer, left):
        """As much as the client lets it, in an order of its own."""
        streams = list(left)
        self.random.shuffle(streams)
        for stream in streams:
            while left[stream]:
                room = min(peer.local_flow_control_window(stream), peer.max_outbound_frame_size)
                if room <= 0:
                    break
                padding = self.random.choice([0, 100]) if room > 101 else None
                size = min(room - (0 if padding is None else padding + 1), self.random.choice([1, 1000, 16_384]))
                peer.send_data(stream, left[stream][:size], pad_length=padding)
                left[stream] = left[stream][size:]
            if not left[stream]:
                del left[stream]
                if self.random.random() < 0.3:
                    peer.send_headers(stream, [("x-trailer", "end")], end_stream=True)
                else:
                    peer.end_stream(stream)


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

    @unittest.skipIf(h2 is None, "[python3-h2] python3-h2 is not installed (scripts/setup.sh)")
    def test_a_random_server(self):
        body = self.write("random_body", b"b" * 20_000)
        for seed in (1, 2, 3, random.randrange(1_000_000)):
            with self.subTest(seed=seed), RandomServer(seed) as server:
                told = measure("--http2", "-c", "1", "--streams", "20", "-n", "400", "--data-file", body,
                               f"http://127.0.0.1:{server.port}/")
                self.assertEqual((told["statuses"], told["errors"]), ({"200": 400}, {}))
                self.assertEqual(told["received_bytes"], 400 * len(LARGE))
                self.assertEqual(server.received, 400 * 20_000)
                self.assertGreater(server.refused, 0)

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
