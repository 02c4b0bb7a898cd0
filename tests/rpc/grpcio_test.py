"""The library's service and client with those of grpcio, gRPC's own for Python: messages are bytes."""

import concurrent.futures
import os
import subprocess
import threading
import time
import unittest

import certificates

try:
    import grpc
except ImportError:
    grpc = None

PEER = os.environ["PEER"]
PATIENCE_S = 60
BYTES = b"\0\x01\xff"


def echo_methods():
    """The service test.Echo, as Python has it."""
    cancelled = []

    def note_end(context, has_ended):
        context.add_callback(lambda: None if has_ended.is_set() else cancelled.append(1))

    def unary(request, context):
        for name, value in context.invocation_metadata():
            if name == "x-echo":
                context.send_initial_metadata(((name, value),))
            if name == "x-echo-bin":
                context.set_trailing_metadata(((name, value),))
        return request

    def fail(request, context):
        context.set_trailing_metadata((("grpc-status-details-bin", b"\x08\x09"),))
        context.abort(grpc.StatusCode.FAILED_PRECONDITION, "no: ü %")

    def wait(request, context):
        ended = threading.Event()
        context.add_callback(ended.set)
        note_end(context, threading.Event())
        ended.wait(PATIENCE_S)
        return b""

    def repeat(request, context):
        ended = threading.Event()
        note_end(context, ended)
        for i in range(int(request)):
            if not context.is_active():
                return
            yield str(i).encode()
        ended.set()

    def talk(requests, context):
        yield from requests

    raw = {"request_deserializer": None, "response_serializer": None}
    return grpc.method_handlers_generic_handler("test.Echo", {
        "Unary": grpc.unary_unary_rpc_method_handler(unary, **raw),
        "Fail": grpc.unary_unary_rpc_method_handler(fail, **raw),
        "Wait": grpc.unary_unary_rpc_method_handler(wait, **raw),
        "Cancelled": grpc.unary_unary_rpc_method_handler(lambda *_: str(len(cancelled)).encode(), **raw),
        "Repeat": grpc.unary_stream_rpc_method_handler(repeat, **raw),
        "Join": grpc.stream_unary_rpc_method_handler(lambda requests, _: b"".join(requests), **raw),
        "Talk": grpc.stream_stream_rpc_method_handler(talk, **raw),
    })


@unittest.skipIf(grpc is None, "[grpcio] not installed")
class GrpcioCalls(unittest.TestCase):
    """grpcio's client, and the library's service."""

    def setUp(self):
        self.enterContext(self.serving(self.files()))

    def files(self):
        return []

    def serving(self, files):
        self.process = subprocess.Popen([PEER, "serve", *files], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        self.where = self.process.stdout.readline().strip()
        self.channel = self.connect()
        return self.process

    def tearDown(self):
        self.channel.close()
        self.process.stdin.close()
        self.assertEqual(0, self.process.wait(PATIENCE_S))

    def connect(self):
        return grpc.insecure_channel(self.where)

    def unary(self, name, request=b"", **how):
        return self.channel.unary_unary("/test.Echo/" + name).with_call(request, timeout=PATIENCE_S, **how)

    def code(self, name, request=b"", **how):
        with self.assertRaises(grpc.RpcError) as raised:
            self.channel.unary_unary("/test.Echo/" + name)(request, **{"timeout": PATIENCE_S, **how})
        return raised.exception

    def test_gets_replies(self):
        for request in (b"", b"hello", bytes(3_000_000)):
            self.assertEqual(request, self.unary("Unary", request)[0])
        self.assertEqual(b"x" * 100_000, self.unary("Unary", b"x" * 100_000,
                                                    compression=grpc.Compression.Gzip)[0])

    def test_metadata_goes_both_ways(self):
        reply, call = self.unary("Unary", metadata=(("x-echo", "a b"), ("x-echo-bin", BYTES)))
        self.assertEqual("a b", dict(call.initial_metadata())["x-echo"])
        self.assertEqual({"x-echo-bin": BYTES}, dict(call.trailing_metadata()))

    def test_gets_a_status(self):
        failed = self.code("Fail")
        self.assertEqual((grpc.StatusCode.FAILED_PRECONDITION, "no: ü %"), (failed.code(), failed.details()))
        self.assertEqual(b"\x08\x09", dict(failed.trailing_metadata())["grpc-status-details-bin"])
        self.assertEqual(grpc.StatusCode.UNIMPLEMENTED, self.code("None").code())
        self.assertEqual(grpc.StatusCode.RESOURCE_EXHAUSTED, self.code("Unary", bytes(5_000_000)).code())

    def cancelled(self):
        return int(self.unary("Cancelled")[0])

    def wait_for_cancelled(self, count):
        end = time.monotonic() + PATIENCE_S
        while self.cancelled() < count:
            self.assertLess(time.monotonic(), end)

    def test_a_deadline_drops_the_handler(self):
        # Before the handler began, if the machine was busy.
        while self.cancelled() == 0:
            self.assertEqual(grpc.StatusCode.DEADLINE_EXCEEDED, self.code("Wait", timeout=0.05).code())

    def test_a_cancelled_call_drops_the_handler(self):
        replies = self.channel.unary_stream("/test.Echo/Repeat")(b"1000000000")
        self.assertEqual(b"0", next(replies))
        replies.cancel()
        self.wait_for_cancelled(1)

    def test_streams(self):
        expected = [str(i).encode() for i in range(1000)]
        self.assertEqual(expected, list(self.channel.unary_stream("/test.Echo/Repeat")(b"1000")))
        self.assertEqual(b"".join(expected), self.channel.stream_unary("/test.Echo/Join")(iter(expected)))
        self.assertEqual(expected, list(self.channel.stream_stream("/test.Echo/Talk")(iter(expected))))
        large = [bytes([i]) * 300_000 for i in range(20)]
        self.assertEqual(large, list(self.channel.stream_stream("/test.Echo/Talk")(iter(large))))

    def test_many_calls_share_a_connection(self):
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            requests = [str(i).encode() for i in range(500)]
            self.assertEqual(requests, [each[0] for each in pool.map(lambda x: self.unary("Unary", x), requests)])


class GrpcioCallsByTls(GrpcioCalls):
    def files(self):
        self.chain, self.key = self.enterContext(certificates.self_signed())
        return [self.chain, self.key]

    def connect(self):
        with open(self.chain, "rb") as trusted:
            credentials = grpc.ssl_channel_credentials(trusted.read())
        return grpc.secure_channel(self.where.replace("127.0.0.1", "localhost"), credentials,
                                   options=(("grpc.ssl_target_name_override", "localhost"),))


@unittest.skipIf(grpc is None, "[grpcio] not installed")
class GrpcioServes(unittest.TestCase):
    """The library's client, and grpcio's server."""

    def setUp(self):
        self.pool = self.enterContext(concurrent.futures.ThreadPoolExecutor(8))
        self.server = grpc.server(self.pool, handlers=(echo_methods(),))

    def tearDown(self):
        self.server.stop(None).wait()

    def run_client(self, *arguments):
        self.server.start()
        ended = subprocess.run([PEER, "call", *arguments], capture_output=True, text=True, timeout=PATIENCE_S)
        self.assertEqual((0, ""), (ended.returncode, ended.stderr))

    def test_calls(self):
        self.run_client(f"http://127.0.0.1:{self.server.add_insecure_port('127.0.0.1:0')}")

    def test_calls_by_tls(self):
        chain, key = self.enterContext(certificates.self_signed())
        with open(chain, "rb") as held_chain, open(key, "rb") as held_key:
            credentials = grpc.ssl_server_credentials(((held_key.read(), held_chain.read()),))
        self.run_client(f"https://127.0.0.1:{self.server.add_secure_port('127.0.0.1:0', credentials)}", chain)


ROUND_ROBIN = '"loadBalancingConfig": [{"round_robin": {}}]'
RETRIES = """"methodConfig": [{"name": [{}], "waitForReady": true, "retryPolicy": {"maxAttempts": 4,
    "initialBackoff": "0.01s", "maxBackoff": "0.1s", "backoffMultiplier": 2, "retryableStatusCodes": ["UNAVAILABLE"]}}]"""


@unittest.skipIf(grpc is None, "[grpcio] not installed")
class GrpcioServers(unittest.TestCase):
    """The library's client, and several servers of grpcio."""

    def setUp(self):
        self.pool = self.enterContext(concurrent.futures.ThreadPoolExecutor(8))
        self.failures = 0
        self.attempts = []

    def start(self, name, port=0):
        def who(request, context):
            self.attempts.append(dict(context.invocation_metadata()).get("grpc-previous-rpc-attempts"))
            if self.failures > 0:
                self.failures -= 1
                context.abort(grpc.StatusCode.UNAVAILABLE, "not now")
            return name

        raw = {"request_deserializer": None, "response_serializer": None}
        handler = grpc.method_handlers_generic_handler(
            "test.Echo", {"Who": grpc.unary_unary_rpc_method_handler(who, **raw)})
        server = grpc.server(self.pool, handlers=(handler,), options=(("grpc.so_reuseport", 0),))
        bound = server.add_insecure_port(f"127.0.0.1:{port}")
        server.start()
        self.addCleanup(lambda: server.stop(None).wait())
        return server, bound

    def connect(self, ports, config):
        target = "ipv4:" + ",".join(f"127.0.0.1:{port}" for port in ports)
        self.process = subprocess.Popen([PEER, "ask", target, "{" + config + "}"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.end_client)

    def end_client(self):
        self.process.stdin.close()
        self.assertEqual(0, self.process.wait(PATIENCE_S))
        self.process.stdout.close()

    def ask(self):
        self.process.stdin.write("x")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def ask_until(self, *names):
        seen = set()
        while not seen >= set(names):
            seen.add(self.ask())
        return seen

    def test_servers_take_turns_and_one_that_is_killed_is_left_out(self):
        servers = [self.start(name) for name in (b"a", b"b", b"c")]
        self.connect([port for _, port in servers], ROUND_ROBIN + ", " + RETRIES)
        self.assertEqual({"a", "b", "c"}, self.ask_until("a", "b", "c"))
        self.assertEqual(sorted("abc" * 3), sorted(self.ask() for _ in range(9)))
        killed, port = servers[1]
        killed.stop(None).wait()
        self.assertEqual({"a", "c"}, {self.ask() for _ in range(30)})
        self.start(b"B", port)
        self.assertNotIn("UNAVAILABLE", self.ask_until("B"))

    def test_the_first_server_has_a_substitute(self):
        servers = [self.start(name) for name in (b"a", b"b")]
        self.connect([port for _, port in servers], RETRIES)
        self.assertEqual({"a"}, {self.ask() for _ in range(5)})
        servers[0][0].stop(None).wait()
        self.assertEqual({"b"}, {self.ask() for _ in range(5)})

    def test_a_call_that_fails_is_made_again(self):
        _, port = self.start(b"a")
        self.connect([port], RETRIES)
        self.failures = 3
        self.assertEqual("a", self.ask())
        self.assertEqual([None, "1", "2", "3"], self.attempts)
        self.failures = 4
        self.assertEqual("UNAVAILABLE", self.ask())


if __name__ == "__main__":
    unittest.main()
