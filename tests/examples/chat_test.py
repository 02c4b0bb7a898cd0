"""The example of a chat room, visited by Python's `websockets`."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import unittest
import urllib.request

try:
    import websockets
except ImportError:
    websockets = None

PATIENCE_S = 60


@unittest.skipIf(websockets is None, "[python3-websockets] python3-websockets is not installed (scripts/setup.sh)")
class Chat(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        asyncio.get_running_loop().set_debug(False)  # which reports what takes long on a busy machine

    def start(self, *arguments):
        self.server = subprocess.Popen([os.environ["CHAT"], "0", *arguments], stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.server.communicate)
        self.addCleanup(self.server.kill)
        self.url = self.server.stdout.readline().split()[-1]

    def join(self, name, **options):
        return websockets.connect(f"{self.url.replace('http', 'ws')}room?name={name}", **options)

    async def hear(self, visitor):
        return json.loads(await asyncio.wait_for(visitor.recv(), PATIENCE_S))

    async def hear_until(self, visitor, key, value=None):
        """What is told with this key, and with this value if one is named."""
        while True:
            told = await self.hear(visitor)
            if key in told and value in (None, told[key]):
                return told

    async def test_a_line_reaches_everybody(self):
        self.start()
        async with self.join("ann") as ann, self.join("bob") as bob:
            await self.hear_until(ann, "notice", "bob has joined")
            for text in ("hello", "\u20ac \"quoted\" <b>\n"):
                await bob.send(text)
                for each in (ann, bob):
                    self.assertEqual(await self.hear_until(each, "text"), {"from": "bob", "text": text})

    async def test_who_comes_and_goes_is_told(self):
        self.start()
        async with self.join("ann") as ann:
            self.assertEqual(await self.hear(ann), {"you": "ann"})
            self.assertEqual(await self.hear(ann), {"notice": "ann has joined", "here": ["ann"]})
            async with self.join("ann") as other:
                self.assertEqual(await self.hear(other), {"you": "ann 2"})
                self.assertEqual(await self.hear(ann), {"notice": "ann 2 has joined", "here": ["ann", "ann 2"]})
            self.assertEqual(await self.hear(ann), {"notice": "ann 2 has left", "here": ["ann"]})

    async def test_who_comes_hears_the_last_50_lines(self):
        self.start("1000")
        async with self.join("ann") as ann:
            for number in range(60):
                await ann.send(f"line {number}")
            await self.hear_until(ann, "text", "line 59")
            async with self.join("bob") as bob:
                self.assertEqual(await self.hear(bob), {"you": "bob"})
                for number in range(10, 60):
                    self.assertEqual(await self.hear(bob), {"from": "ann", "text": f"line {number}"})
                self.assertEqual((await self.hear(bob))["notice"], "bob has joined")

    async def test_names_are_checked(self):
        self.start()
        for name in ("", "x" * 41):
            with self.assertRaises(websockets.InvalidStatusCode) as refused:
                async with self.join(name):
                    pass
            self.assertEqual(refused.exception.status_code, 400)
        async with self.join("%FF%22") as odd:
            self.assertEqual(await self.hear(odd), {"you": "\ufffd\""})

    async def test_a_slow_reader_is_shown_out_and_holds_nobody_up(self):
        self.start("1000000")
        async with self.join("ann") as ann:
            slow = self.join_and_read_nothing()
            self.addCleanup(slow.close)
            await self.hear_until(ann, "notice", "slow has joined")
            line = "x" * 4000
            # Once its queue is full it is given two seconds to take the farewell.
            has_left = False
            loop = asyncio.get_running_loop()
            give_up_at = loop.time() + PATIENCE_S
            while loop.time() < give_up_at:
                await ann.send(line)
                told = await self.hear(ann)
                if told.get("notice") == "slow has left":
                    has_left = True
                    break
                self.assertEqual(told, {"from": "ann", "text": line})
            self.assertTrue(has_left)

    def join_and_read_nothing(self):
        """A visitor that takes what the system takes for it and no more."""
        port = int(self.url.rstrip("/").rsplit(":", 1)[1])
        visitor = socket.socket()
        visitor.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        visitor.connect(("127.0.0.1", port))
        visitor.sendall(b"GET /room?name=slow HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
        return visitor

    async def test_who_talks_too_fast_is_listened_to_at_a_bearable_pace(self):
        self.start("20")
        async with self.join("ann") as ann:
            loop = asyncio.get_running_loop()
            began_at = loop.time()
            for number in range(40):
                await ann.send(f"line {number}")
            await self.hear_until(ann, "text", "line 39")
            self.assertGreater(loop.time() - began_at, 0.9)

    async def test_a_line_beyond_the_limit_ends_the_visit(self):
        self.start()
        async with self.join("ann") as ann:
            with contextlib.suppress(websockets.ConnectionClosed):
                await ann.send("x" * 5000)
                await self.hear_until(ann, "text")
            self.assertEqual(ann.close_code, 1009)

    async def test_it_drains(self):
        self.start()
        async with self.join("ann") as ann, self.join("bob") as bob:
            await self.hear_until(ann, "notice", "bob has joined")
            await self.hear_until(bob, "notice", "bob has joined")
            self.server.send_signal(signal.SIGTERM)
            for each in (ann, bob):
                await asyncio.wait_for(each.wait_closed(), PATIENCE_S)
                self.assertEqual((each.close_code, each.close_reason), (1001, "the room closes"))
        self.assertEqual(await asyncio.to_thread(self.server.wait, PATIENCE_S), 0)
        self.assertEqual(self.server.stdout.read(), "0 connections were cut off\n")

    async def test_the_page_is_there_and_may_connect_nowhere_else(self):
        self.start()
        with await asyncio.to_thread(urllib.request.urlopen, self.url) as answer:
            self.assertIn("connect-src 'self'", answer.headers["Content-Security-Policy"])
            self.assertIn(b"<title>eddy chat</title>", answer.read())


if __name__ == "__main__":
    unittest.main()
