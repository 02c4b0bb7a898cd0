"""The example todo with a cache, and as several nodes. Redis is a real one, started here in a temporary directory.

TODO_PROGRAM is the program.
"""

import asyncio
import os
import signal
import socket
import time
import unittest

import todo_requests
import websockets
from program import wait_until
from todo_service import PATIENCE_S, Redis, Service, Todo


LISTENER = (b"GET /feed HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")


class WithRedis(Todo):
    """Nodes that share a file of SQLite and a Redis."""

    def start_redis(self):
        self.redis = Redis()
        self.addCleanup(self.redis.close)
        self.file = os.path.join(self.make_directory(), "todo.db")

    def start_node(self):
        return Service(self, "--db", f"sqlite:{self.file}", "--redis", self.redis.url)

    def start_two(self):
        self.start_redis()
        return self.start_node(), self.start_node()

    def wait_for_links(self, *nodes):
        for each in nodes:
            wait_until(lambda: each.metric("todo_node_link_up") == 1, "the nodes hear each other")

    def change(self, todo, item, **wanted):
        answer = todo.ask("PATCH", f"/todos/{item['id']}", wanted)
        self.assertEqual(answer.status, 200)
        return answer.body


class Cached(WithRedis, todo_requests.Requests):
    def start(self):
        self.start_redis()
        return self.start_node()

    def test_what_was_asked_before_comes_out_of_the_cache(self):
        todo = self.start()
        item = todo.add("milk \u20ac \"quoted\"")
        hits = 'todo_cache_lookups_total{outcome="hit"}'
        before = todo.metric(hits)
        for target in (f"/todos/{item['id']}", "/todos?limit=1"):
            first = todo.ask("GET", target).body
            wait_until(lambda: self.redis.query("DBSIZE") != "0" and todo.ask("GET", target).body == first
                       and todo.metric(hits) > before, "the cache answers")
            before = todo.metric(hits)
        self.assertEqual(todo.ask("GET", "/health").body["cache"], "up")

    def test_what_another_node_has_changed_is_seen_at_once(self):
        one, other = self.start_two()
        item = one.add("0")
        place = f"/todos/{item['id']}"
        for number in range(1, 30):
            other.ask("GET", place)
            other.ask("GET", "/todos")
            item = self.change(one, item, title=str(number))
            self.assertEqual(other.ask("GET", place).body, item)
            self.assertEqual(other.ask("GET", "/todos").body, {"items": [item]})
        one.ask("DELETE", place)
        self.assertEqual(other.ask("GET", place).status, 404)
        self.assertEqual(other.ask("GET", "/todos").body, {"items": []})


class RedisGoesAway(WithRedis):
    def test_it_does_without_and_says_so_and_comes_back(self):
        one, other = self.start_two()
        self.wait_for_links(one, other)
        asyncio.run(self.go_away_and_come_back(one, other))

    async def go_away_and_come_back(self, one, other):
        def use_without_redis(item):
            self.redis.stop()
            self.assertEqual(other.ask("GET", "/todos").body, {"items": [item]})
            changed = self.change(one, item, title="bread")
            self.assertEqual(other.ask("GET", f"/todos/{item['id']}").body, changed)
            one.wait_for_log("going on without the cache")
            other.wait_for_log("other nodes are not heard")
            self.assertEqual(one.metric("todo_cache_up"), 0)
            wait_until(lambda: other.metric("todo_node_link_up") == 0, "the link is down")
            health = one.ask("GET", "/health")
            self.assertEqual((health.status, health.body["cache"]), (200, "down"))
            self.redis.start()
            one.wait_for_log("the cache is in use")
            self.wait_for_links(one, other)
            return changed

        async with websockets.connect(other.feed) as listener:
            self.assertEqual(await todo_requests.hear(listener), {"event": "hello"})
            item = await asyncio.to_thread(one.add, "milk")
            self.assertEqual(await todo_requests.hear(listener), {"event": "added", "item": item})
            changed = await asyncio.to_thread(use_without_redis, item)
            self.assertEqual(await todo_requests.hear(listener), {"event": "reset"})
            changed = await asyncio.to_thread(self.change, one, changed, title="butter")
            told = {"event": "reset"}
            while told == {"event": "reset"}:  # for each end of the way that was cut
                told = await todo_requests.hear(listener)
            self.assertEqual(told, {"event": "changed", "item": changed})

    def test_a_redis_that_hangs_holds_nobody_up_and_what_it_has_kept_is_not_believed(self):
        one, other = self.start_two()
        item = one.add("milk")
        place = f"/todos/{item['id']}"
        wait_until(lambda: other.ask("GET", place) and other.metric('todo_cache_lookups_total{outcome="hit"}'),
                   "the cache has it")
        self.redis.process.send_signal(signal.SIGSTOP)
        began_at = time.monotonic()
        for number in range(20):
            changed = self.change(one, item, title=str(number))
            self.assertEqual(other.ask("GET", place).body, changed)
        self.assertLess(time.monotonic() - began_at, 10)
        self.redis.process.send_signal(signal.SIGCONT)
        one.wait_for_log("the cache is in use")
        wait_until(lambda: other.ask("GET", place).body == changed, "the change is told")
        self.assertEqual(one.ask("GET", place).body, changed)


class TwoNodes(WithRedis):
    def test_a_slow_listener_is_told_to_ask_anew_and_holds_nobody_up(self):
        self.start_redis()
        todo = self.start_node()
        self.wait_for_links(todo)
        listener = socket.socket()
        self.addCleanup(listener.close)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
        listener.connect(("127.0.0.1", todo.port))
        listener.sendall(LISTENER)
        wait_until(lambda: todo.metric("todo_feed_listeners") == 1, "the listener is there")
        # Another node says more than all buffers on the way take, and the feed keeps.
        self.redis.query("EVAL", "for i = 1, 1000 do redis.call('PUBLISH', 'todo:changes', 'another ' .. "
                         "string.rep('x', 12000)) end", "0")
        wait_until(lambda: todo.metric("todo_node_messages_heard_total") == 1000, "the node has heard it all")
        item = todo.add("milk")
        self.assertEqual(todo.ask("GET", f"/todos/{item['id']}").body, item)
        heard, deadline = b"", time.monotonic() + PATIENCE_S
        while b'{"event":"reset"}' not in heard:
            listener.settimeout(deadline - time.monotonic())
            heard = heard[-32:] + listener.recv(1 << 20)
        self.assertGreater(todo.metric("todo_feed_resets_total"), 0)

    def test_changes_of_one_are_told_by_the_feed_of_the_other_in_order(self):
        one, other = self.start_two()
        self.wait_for_links(one, other)
        asyncio.run(self.expect_changes(one, other))

    async def expect_changes(self, one, other):
        async with websockets.connect(one.feed) as here, websockets.connect(other.feed) as there:
            for each in (here, there):
                self.assertEqual(await todo_requests.hear(each), {"event": "hello"})
            item = await asyncio.to_thread(one.add, "0")
            expected = [{"event": "added", "item": item}]
            for number in range(1, 50):
                item = await asyncio.to_thread(self.change, one, item, title=str(number))
                expected.append({"event": "changed", "item": item})
            for each in (here, there):
                self.assertEqual([await todo_requests.hear(each) for _ in expected], expected)
            item = await asyncio.to_thread(self.change, other, item, done=True)
            for each in (here, there):
                self.assertEqual(await todo_requests.hear(each), {"event": "changed", "item": item})

    def test_the_last_change_before_the_end_is_told(self):
        one, other = self.start_two()
        self.wait_for_links(one, other)
        asyncio.run(self.expect_last_change(one, other))

    async def expect_last_change(self, one, other):
        async with websockets.connect(other.feed) as there:
            await todo_requests.hear(there)
            item = await asyncio.to_thread(one.add, "milk")
            self.assertEqual(await asyncio.to_thread(one.end), 0)
            self.assertEqual(await todo_requests.hear(there), {"event": "added", "item": item})


if __name__ == "__main__":
    unittest.main()
