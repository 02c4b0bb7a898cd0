"""eddy-httpd over HTTP/2 with clients of other languages: Node's, Go's, httpx, and a random one made of python3-h2, which
ends the connection on anything that the protocol forbids a server."""

import asyncio
import contextlib
import random
import shutil
import socket
import ssl
import subprocess
import tempfile
import unittest

import certificates
import go
import program

try:
    import h2.config
    import h2.connection
    import h2.events
    import h2.exceptions
    import h2.settings
    import httpx
except ImportError:
    h2 = httpx = None

SMALL = b"hello, world!"
LARGE = bytes(i * 7 % 251 for i in range(300_000))
FILES = {"/small": SMALL, "/large": LARGE, "/empty": b""}

# Some requests at once, and as many again of which each is given up after its first bytes.
NODE = """
const fs = require("fs"), http2 = require("http2");
const [base, chain, count] = process.argv.slice(1);
const session = http2.connect(base, {ca: fs.readFileSync(chain), settings: {initialWindowSize: 10000, enablePush: false}});
const get = (path, is_given_up) => new Promise((resolve, reject) => {
    const stream = session.request({":path": path});
    let received = 0, status = 0;
    stream.on("response", fields => { status = fields[":status"]; });
    stream.on("data", piece => { received += piece.length; if (is_given_up) stream.close(http2.constants.NGHTTP2_CANCEL); });
    stream.on("close", () => resolve(is_given_up ? "given up" : `${path} ${status} ${received}`));
    stream.on("error", reject);
});
(async () => {
    const asked = [];
    for (let i = 0; i < Number(count); ++i)
        asked.push(get("/small"), get("/large"), get("/large", true));
    const told = {};
    for (const each of await Promise.all(asked)) told[each] = (told[each] || 0) + 1;
    await new Promise((resolve, reject) => session.ping(error => error ? reject(error) : resolve()));
    session.close(() => console.log(JSON.stringify(told)));
})();
"""

GO = """
package main

import ("crypto/tls"; "crypto/x509"; "fmt"; "io"; "net/http"; "os"; "sync")

func main() {
    chain, _ := os.ReadFile(os.Args[2])
    roots := x509.NewCertPool()
    roots.AppendCertsFromPEM(chain)
    client := http.Client{Transport: &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: roots}}}
    var all sync.WaitGroup
    for i := 0; i < 300; i++ {
        path, size := "/small", int64(13)
        if i % 10 == 0 { path, size = "/large", 300000 }
        all.Add(1)
        go func() {
            defer all.Done()
            response, failure := client.Get(os.Args[1] + path)
            if failure != nil { fmt.Println(failure); os.Exit(1) }
            count, _ := io.Copy(io.Discard, response.Body)
            response.Body.Close()
            if response.ProtoMajor != 2 || response.StatusCode != 200 || count != size {
                fmt.Println(path, response.Proto, response.StatusCode, count)
                os.Exit(1)
            }
        }()
    }
    all.Wait()
}
"""


class RandomClient:
    """Asks for files in random order and number, changes its settings and windows meanwhile, and gives up some streams."""

    CHANGES = 300

    def __init__(self, transport, seed):
        self.transport = transport
        self.random = random.Random(seed)
        self.peer = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True, header_encoding="utf-8"))
        self.peer.initiate_connection()
        self.open = {}
        self.finished = self.given_up = 0
        self.pings_answered = self.pings = 0
        self.settings_under_way = 1  # h2 knows what holds if no more than one frame of them is

    def run(self):
        for _ in range(self.CHANGES):
            self.change()
            self.send()
            while self.pings_answered < self.pings:  # since nothing else may come while a window is closed
                self.receive()
        # Windows wide enough for what is left.
        is_wide = False
        while self.open:
            if not is_wide and self.settings_under_way == 0:
                self.update("INITIAL_WINDOW_SIZE", 1_000_000)
                is_wide = True
            self.send()
            self.receive()
        self.peer.close_connection()
        self.send()

    def change(self):
        chosen = self.random.random()
        if chosen < 0.5 and len(self.open) < 50:
            self.ask()
        elif chosen < 0.6 and self.open:
            self.give_up(self.random.choice(list(self.open)))
        elif chosen < 0.8:
            setting, values = self.random.choice([("INITIAL_WINDOW_SIZE", [0, 1, 1000, 65_535]),
                                                  ("MAX_FRAME_SIZE", [16_384, 100_000]),
                                                  ("HEADER_TABLE_SIZE", [0, 64, 4096])])
            if self.settings_under_way == 0:
                self.update(setting, self.random.choice(values))
        elif chosen < 0.9 and self.open:
            self.peer.increment_flow_control_window(self.random.randint(1, 5000), self.random.choice(list(self.open)))
        elif chosen < 0.95 and self.open:
            self.peer.prioritize(self.random.choice(list(self.open)), weight=self.random.randint(1, 256))
        if self.random.random() < 0.5:
            self.peer.ping(self.random.randbytes(8))
            self.pings += 1

    def ask(self):
        stream = self.peer.get_next_available_stream_id()
        path = self.random.choice(list(FILES))
        fields = [(":method", "GET"), (":scheme", "https"), (":authority", "localhost"), (":path", path)]
        if self.random.random() < 0.5:  # one that its compression remembers
            fields.append((f"x-field-{self.random.randint(0, 200)}", "v" * self.random.randint(0, 100)))
        if self.random.random() < 0.3:
            self.peer.send_headers(stream, fields)
            self.peer.send_data(stream, b"", end_stream=True, pad_length=self.random.choice([None, 0, 255]))
        else:
            self.peer.send_headers(stream, fields, end_stream=True)
        self.open[stream] = (FILES[path], bytearray())

    def update(self, setting, value):
        self.peer.update_settings({h2.settings.SettingCodes[setting]: value})
        self.settings_under_way += 1

    def give_up(self, stream):
        self.peer.reset_stream(stream, 8)  # CANCEL
        del self.open[stream]
        self.given_up += 1

    def send(self):
        self.transport.sendall(self.peer.data_to_send())

    def receive(self):
        arrived = self.transport.recv(65_536)
        if not arrived:
            raise AssertionError("the server has ended the connection")
        for event in self.peer.receive_data(arrived):
            self.take(event)

    def take(self, event):
        stream = getattr(event, "stream_id", None)
        if isinstance(event, h2.events.PingAckReceived):
            self.pings_answered += 1
        elif isinstance(event, h2.events.SettingsAcknowledged):
            self.settings_under_way -= 1
        elif isinstance(event, h2.events.ConnectionTerminated):
            raise AssertionError(f"GOAWAY {event.error_code}")
        elif isinstance(event, h2.events.DataReceived):
            if event.flow_controlled_length:
                self.peer.increment_flow_control_window(event.flow_controlled_length)
            if stream in self.open:
                self.open[stream][1].extend(event.data)
                if event.flow_controlled_length:
                    with contextlib.suppress(h2.exceptions.StreamClosedError):  # by what has arrived with this
                        self.peer.increment_flow_control_window(event.flow_controlled_length, stream)
        elif isinstance(event, h2.events.StreamReset):
            raise AssertionError(f"stream {stream} was reset: {event.error_code}")
        elif isinstance(event, h2.events.ResponseReceived):
            if stream in self.open and dict(event.headers)[":status"] != "200":
                raise AssertionError(event.headers)
        elif isinstance(event, h2.events.StreamEnded) and stream in self.open:
            wanted, got = self.open.pop(stream)
            if wanted != got:
                raise AssertionError(f"stream {stream}: {len(got)} bytes instead of {len(wanted)}")
            self.finished += 1


class Clients(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = contextlib.ExitStack()
        cls.addClassCleanup(cls.kept.close)
        cls.chain, key = cls.kept.enter_context(certificates.self_signed())
        cls.site = cls.kept.enter_context(tempfile.TemporaryDirectory())
        for name, content in FILES.items():
            with open(cls.site + name, "wb") as file:
                file.write(content)
        cls.secure = cls.kept.enter_context(
            program.Server("eddy-httpd", "--root", cls.site, "--tls-cert", cls.chain, "--tls-key", key))
        cls.clear = cls.kept.enter_context(program.Server("eddy-httpd", "--root", cls.site, "--h2c"))
        cls.base = f"https://localhost:{cls.secure.port}"

    def output_of(self, *command):
        ended = subprocess.run(command, capture_output=True, text=True, timeout=program.PATIENCE_S)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        return ended.stdout

    @unittest.skipUnless(shutil.which("node"), "[node] is not installed")
    def test_node(self):
        for base in (self.base, f"http://127.0.0.1:{self.clear.port}"):
            told = self.output_of(shutil.which("node"), "-e", NODE, "--", base, self.chain, "30")
            self.assertEqual(told, '{"/small 200 13":30,"/large 200 300000":30,"given up":30}\n')

    @unittest.skipUnless(go.installed(), "[bench] go is not installed (scripts/setup.sh --with-bench)")
    def test_go(self):
        with tempfile.TemporaryDirectory() as directory:
            self.output_of(go.build(GO, directory), self.base, self.chain)

    @unittest.skipIf(httpx is None, "[python3-httpx] python3-httpx is not installed (scripts/setup.sh)")
    def test_httpx(self):
        async def all_files():
            async with httpx.AsyncClient(http2=True, verify=self.chain, base_url=self.base, timeout=None) as client:
                wanted = list(FILES.items()) * 20
                for (_, content), got in zip(wanted, await asyncio.gather(*(client.get(path) for path, _ in wanted))):
                    self.assertEqual((got.http_version, got.status_code, got.content), ("HTTP/2", 200, content))
                refused = await client.post("/small", content=b"body" * 1000)
                self.assertEqual((refused.status_code, refused.headers["allow"]), (405, "GET, HEAD, OPTIONS"))
        asyncio.run(all_files())

    @contextlib.contextmanager
    def connected(self, is_secure):
        server = self.secure if is_secure else self.clear
        with server.connect() as connection:
            if not is_secure:
                yield connection
                return
            context = ssl.create_default_context(cafile=self.chain)
            context.set_alpn_protocols(["h2"])
            with context.wrap_socket(connection, server_hostname="localhost") as secure:
                yield secure

    @unittest.skipIf(h2 is None, "[python3-h2] python3-h2 is not installed (scripts/setup.sh)")
    def test_a_random_client_gets_what_it_has_asked_for(self):
        for seed in range(1, 9):
            with self.subTest(seed=seed), self.connected(is_secure=seed % 2 == 0) as connection:
                client = RandomClient(connection, seed)
                client.run()
                self.assertGreater(client.finished, 50)
                self.assertGreater(client.given_up, 5)


if __name__ == "__main__":
    unittest.main()
