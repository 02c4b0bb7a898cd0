"""WebSocket's examples and Python's `websockets`, which is not ours: each as the other's server and client."""

import asyncio
import os
import ssl
import subprocess
import unittest

import certificates  # of tests/apps

try:
    import websockets
    from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory
except ImportError:
    websockets = None

PATIENCE_S = 60
LARGE = 3_000_000


def words(size):
    """Text that compresses, with characters of one to four bytes."""
    text = "".join(f"{number} eddy \u00e9\u20ac\U0001f300 " for number in range(size // 16))
    return text[:size]


@unittest.skipIf(websockets is None, "[python3-websockets] python3-websockets is not installed (scripts/setup.sh)")
class Server(unittest.IsolatedAsyncioTestCase):
    """websocket_echo, asked by the other's client."""

    async def asyncSetUp(self):
        asyncio.get_running_loop().set_debug(False)  # which reports what takes long on a busy machine
        self.server = subprocess.Popen([os.environ["WEBSOCKET_ECHO"], "0"], stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.server.communicate)
        self.addCleanup(self.server.kill)
        self.url = self.server.stdout.readline().strip()

    def connect(self, **options):
        return websockets.connect(self.url, max_size=2 * LARGE, **options)

    async def expect_echo(self, socket, message, expected=None):
        await asyncio.wait_for(socket.send(message), PATIENCE_S)
        answer = await asyncio.wait_for(socket.recv(), PATIENCE_S)
        self.assertEqual(answer, message if expected is None else expected)

    async def exchange_all(self, socket):
        for size in (0, 1, 125, 126, 65_535, 65_536, LARGE):
            await self.expect_echo(socket, words(size))
            await self.expect_echo(socket, os.urandom(size))

    async def test_messages_of_all_sizes_are_echoed(self):
        async with self.connect(compression=None) as socket:
            self.assertEqual(socket.extensions, [])
            await self.exchange_all(socket)

    async def test_compressed_messages_are_echoed(self):
        async with self.connect(compression="deflate") as socket:
            self.assertEqual([each.name for each in socket.extensions], ["permessage-deflate"])
            await self.exchange_all(socket)

    async def test_every_kind_of_compression_that_is_offered_is_met(self):
        for forgets in (False, True):
            for bits in (9, 12, 15):
                offer = ClientPerMessageDeflateFactory(
                    server_no_context_takeover=forgets, client_no_context_takeover=forgets,
                    server_max_window_bits=bits, client_max_window_bits=bits)
                with self.subTest(forgets=forgets, bits=bits):
                    async with self.connect(compression=None, extensions=[offer]) as socket:
                        self.assertEqual([each.name for each in socket.extensions], ["permessage-deflate"])
                        for _ in range(3):
                            await self.expect_echo(socket, words(200_000))

    async def test_fragments_are_put_together_and_pings_between_them_answered(self):
        for compression in (None, "deflate"):
            async with self.connect(compression=compression) as socket:
                async def pieces():
                    for number in range(20):
                        yield words(number * 977)
                        await asyncio.wait_for(await socket.ping(f"{number}"), PATIENCE_S)

                whole = "".join(words(number * 977) for number in range(20))
                with self.subTest(compression=compression):
                    await self.expect_echo(socket, pieces(), whole)

    async def test_the_close_code_comes_back(self):
        socket = await self.connect()
        await asyncio.wait_for(socket.close(4321, "good bye"), PATIENCE_S)
        self.assertEqual(socket.close_code, 4321)

    async def test_many_clients_are_served_at_once(self):
        async def talk(number):
            async with self.connect() as socket:
                for turn in range(20):
                    await self.expect_echo(socket, f"{number} {turn} " * 40)

        await asyncio.wait_for(asyncio.gather(*(talk(number) for number in range(30))), PATIENCE_S)


@unittest.skipIf(websockets is None, "[python3-websockets] python3-websockets is not installed (scripts/setup.sh)")
class Client(unittest.IsolatedAsyncioTestCase):
    """websocket_client, which asks the other's server."""

    EXPECTED = "hello\nline 1\nline 2\nline 3\n"

    async def asyncSetUp(self):
        asyncio.get_running_loop().set_debug(False)

    async def asked(self, handle, scheme="ws", environment=None, **options):
        """What the example prints when it asks this handler."""
        async with websockets.serve(handle, "127.0.0.1", 0, **options) as server:
            port = server.sockets[0].getsockname()[1]
            client = await asyncio.create_subprocess_exec(
                os.environ["WEBSOCKET_CLIENT"], f"{scheme}://localhost:{port}/", stdout=subprocess.PIPE,
                env={**os.environ, **(environment or {})})
            out, _ = await asyncio.wait_for(client.communicate(), PATIENCE_S)
            self.assertEqual(client.returncode, 0)
            return out.decode()

    async def test_what_it_says_comes_back_compressed_and_plain(self):
        seen = []

        async def echo(socket):
            seen.append([each.name for each in socket.extensions])
            async for message in socket:
                await socket.send(message)

        for compression in ("deflate", None):
            self.assertEqual(await self.asked(echo, compression=compression), self.EXPECTED)
        self.assertEqual(seen, [["permessage-deflate"], []])

    async def test_answers_in_fragments_are_put_together(self):
        async def echo_letters(socket):
            async for message in socket:
                await asyncio.wait_for(await socket.ping(), PATIENCE_S)
                await socket.send(list(message))

        for compression in ("deflate", None):
            self.assertEqual(await self.asked(echo_letters, compression=compression), self.EXPECTED)

    async def test_large_answers_arrive_compressed(self):
        async def answer(socket):
            await socket.recv()
            await socket.send(words(LARGE))
            await socket.recv()
            await socket.send([words(100_000)] * 10)
            await socket.wait_closed()

        self.assertEqual(await self.asked(answer), words(LARGE) + "\n" + words(100_000) * 10)

    async def test_it_closes_in_good_order(self):
        codes = []

        async def echo(socket):
            async for message in socket:
                await socket.send(message)
            codes.append(socket.close_code)

        await self.asked(echo)
        self.assertEqual(codes, [1000])

    async def test_it_speaks_over_tls_to_who_has_a_certificate_that_it_trusts(self):
        async def echo(socket):
            async for message in socket:
                await socket.send(message)

        with certificates.self_signed() as (certificate, key):
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
            out = await self.asked(echo, "wss", {"SSL_CERT_FILE": certificate}, ssl=context)
        self.assertEqual(out, self.EXPECTED)


if __name__ == "__main__":
    unittest.main()
