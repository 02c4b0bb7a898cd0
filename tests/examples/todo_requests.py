"""What the example todo does whatever it keeps its items in: requests that each store is put through."""

import asyncio
import json
import threading

import websockets
from todo_service import PATIENCE_S


class Requests:
    """Tests for a subclass with start(), which gives a Service whose store is empty."""

    def test_an_item_is_added_read_changed_and_removed(self):
        todo = self.start()
        self.assertEqual(todo.ask("GET", "/todos").body, {"items": []})
        answer = todo.ask("POST", "/todos", {"title": "  milk \u20ac \"quoted\" <b> "})
        item = answer.body
        self.assertEqual((answer.status, answer.headers["ETag"]), (201, '"1"'))
        self.assertEqual(answer.headers["Location"], f"/todos/{item['id']}")
        self.assertEqual((item["title"], item["done"], item["version"]), ("milk \u20ac \"quoted\" <b>", False, 1))
        self.assertRegex(item["added_at"], r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$")
        self.assertEqual(item["changed_at"], item["added_at"])
        place = answer.headers["Location"]
        self.assertEqual(todo.ask("GET", place).body, item)
        self.assertEqual(todo.ask("GET", "/todos").body, {"items": [item]})

        ticked = todo.ask("PATCH", place, {"done": True})
        self.assertEqual((ticked.status, ticked.headers["ETag"]), (200, '"2"'))
        self.assertEqual((ticked.body["title"], ticked.body["done"]), (item["title"], True))
        self.assertGreater(ticked.body["changed_at"], item["changed_at"])
        self.assertEqual(ticked.body["added_at"], item["added_at"])
        replaced = todo.ask("PUT", place, {"title": "bread"})
        self.assertEqual((replaced.body["title"], replaced.body["done"], replaced.body["version"]), ("bread", False, 3))
        self.assertEqual(todo.ask("GET", place).body, replaced.body)

        self.assertEqual(todo.ask("DELETE", place)[::2], (204, b""))
        for method, body in (("GET", None), ("PUT", {"title": "x"}), ("PATCH", {"done": True}), ("DELETE", None)):
            self.assertEqual(todo.ask(method, place, body).status, 404, method)
        self.assertGreater(todo.add("another")["id"], item["id"])

    def test_the_list_comes_in_pages(self):
        todo = self.start()
        for number in range(7):
            todo.add(str(number), done=number % 2 == 1)
        self.assertEqual(todo.titles("/todos"), list("6543210"))
        pages, target = [], "/todos?limit=3"
        while target:
            page = todo.ask("GET", target).body
            pages.append("".join(each["title"] for each in page["items"]))
            target = page.get("next")
        self.assertEqual(pages, ["654", "321", "0"])
        self.assertEqual(todo.titles("/todos?done=true"), list("531"))
        page = todo.ask("GET", "/todos?limit=2&done=false").body
        self.assertEqual(todo.titles(page["next"]), list("20"))
        self.assertNotIn("next", todo.ask("GET", page["next"]).body)
        self.assertNotIn("next", todo.ask("GET", "/todos?limit=7").body)

    def test_what_is_wrong_is_said_as_problem_details(self):
        todo = self.start()
        place = f"/todos/{todo.add('milk')['id']}"
        for method, target, text, status, said in (
                ("POST", "/todos", "{", 400, "not JSON"),
                ("POST", "/todos", "[]", 422, "must be an object"),
                ("POST", "/todos", "{}", 422, "is missing"),
                ("POST", "/todos", '{"title": "  "}', 422, "must not be empty"),
                ("POST", "/todos", '{"title": 1}', 422, "must be a string"),
                ("POST", "/todos", '{"title": "a\\nb"}', 422, "one line"),
                ("POST", "/todos", '{"title": "a\\u0000b"}', 422, "one line"),
                ("POST", "/todos", json.dumps({"title": "x" * 501}), 422, "longer than 500"),
                ("POST", "/todos", json.dumps({"title": "x" * 20_000}), 413, ""),
                ("POST", "/todos", '{"title": "a", "done": 1}', 422, "must be true or false"),
                ("POST", "/todos", '{"title": "a", "owner": "me"}', 422, "owner"),
                ("POST", "/todos", "[" * 5000, 400, "nested"),
                ("PATCH", place, "{}", 422, "title, or done"),
                ("PUT", place, '{"done": true}', 422, "is missing"),
                ("GET", "/todos?limit=0", None, 400, "from 1 to 200"),
                ("GET", "/todos?limit=201", None, 400, "from 1 to 200"),
                ("GET", "/todos?before=x", None, 400, "before"),
                ("GET", "/todos?done=maybe", None, 400, "done"),
                ("GET", "/todos/0", None, 404, ""),
                ("GET", "/todos/x", None, 404, ""),
                ("GET", "/todos/99999999999999999999", None, 404, ""),
                ("GET", "/nothing", None, 404, "")):
            with self.subTest(method=method, target=target, text=text and text[:40]):
                answer = todo.ask(method, target, text=text)
                self.assertEqual(answer.status, status)
                self.assertEqual(answer.headers["Content-Type"], "application/problem+json")
                self.assertEqual(answer.body["status"], status)
                self.assertIn(said, json.dumps(answer.body))
        self.assertEqual(todo.ask("POST", "/todos", text="{}", Content_Type="text/plain").status, 415)
        self.assertEqual(todo.ask("PUT", "/todos", text="{}").status, 405)
        answer = todo.ask("POST", "/todos", {"title": "", "done": 1})
        self.assertEqual([each["field"] for each in answer.body["errors"]], ["title", "done"])
        self.assertEqual(todo.add("\U0001f600" * 500)["title"], "\U0001f600" * 500)
        self.assertEqual(todo.titles()[1:], ["milk"])

    def test_an_edit_of_what_has_changed_is_refused(self):
        todo = self.start()
        place = f"/todos/{todo.add('milk')['id']}"
        self.assertEqual(todo.ask("GET", place, If_None_Match='"1"').status, 304)
        self.assertEqual(todo.ask("PATCH", place, {"done": True}, If_Match='"1"').status, 200)
        for method, body in (("PATCH", {"done": False}), ("PUT", {"title": "bread"}), ("DELETE", None)):
            refused = todo.ask(method, place, body, If_Match='"1"')
            self.assertEqual((refused.status, refused.body["status"]), (412, 412))
        self.assertEqual(todo.ask("GET", place, If_None_Match='"1"').body["version"], 2)
        self.assertEqual(todo.ask("PATCH", place, {"done": False}, If_Match='W/"2"').status, 412)
        self.assertEqual(todo.ask("PATCH", place, {"done": False}, If_Match='"1", "2"').status, 200)
        self.assertEqual(todo.ask("PUT", place, {"title": "bread"}, If_Match="*").body["version"], 4)
        self.assertEqual(todo.ask("PUT", place, {"title": "x"}, If_None_Match="*").status, 412)
        self.assertEqual(todo.ask("DELETE", place, If_Match='"4"').status, 204)
        self.assertEqual(todo.ask("PUT", place, {"title": "x"}, If_Match="*").status, 404)

    def test_concurrent_edits_lose_nothing(self):
        todo = self.start()
        place = f"/todos/{todo.add('0')['id']}"
        counts, refusals, failures = [0] * 6, [0] * 6, []

        def count_up(number):
            mine = self.another_client(todo)
            try:
                while counts[number] < 10:
                    seen = mine.ask("GET", place)
                    answer = mine.ask("PATCH", place, {"title": str(int(seen.body["title"]) + 1)},
                                      If_Match=seen.headers["ETag"])
                    counts[number] += answer.status == 200
                    refusals[number] += answer.status == 412
                    if answer.status not in (200, 412):
                        raise AssertionError(answer)
            except Exception as error:
                failures.append(error)
            finally:
                mine.hang_up()

        threads = [threading.Thread(target=count_up, args=(number,)) for number in range(len(counts))]
        for each in threads:
            each.start()
        for each in threads:
            each.join(PATIENCE_S)
        self.assertEqual(failures, [])
        final = todo.ask("GET", place).body
        self.assertEqual((final["title"], final["version"]), ("60", 61))
        self.assertGreater(sum(refusals), 0)

    def test_it_says_how_it_is_and_counts_what_it_does(self):
        todo = self.start()
        item = todo.add("milk")
        todo.ask("PATCH", f"/todos/{item['id']}", {"done": True})
        todo.ask("DELETE", f"/todos/{item['id']}")
        answer = todo.ask("GET", "/health")
        self.assertEqual((answer.status, answer.body["status"], answer.body["store"]), (200, "ready", "up"))
        for event in ("added", "changed", "removed"):
            self.assertEqual(todo.metric(f'todo_changes_total{{event="{event}"}}'), 1)
        self.assertEqual(
            todo.metric(f'todo_store_duration_seconds_count{{store="{todo.kind}",operation="add"}}'), 1)
        self.assertEqual(todo.metric('http_requests_total{route="/todos/{id}",method="PATCH",status="200"}'), 1)

    def test_the_feed_tells_two_listeners_what_changes(self):
        todo = self.start()
        asyncio.run(self.expect_two_to_hear(todo))

    async def expect_two_to_hear(self, todo):
        async with websockets.connect(todo.feed) as one, websockets.connect(todo.feed) as other:
            for each in (one, other):
                self.assertEqual(await hear(each), {"event": "hello"})
            added = await asyncio.to_thread(todo.add, "milk")
            place = f"/todos/{added['id']}"
            changed = (await asyncio.to_thread(todo.ask, "PATCH", place, {"done": True})).body
            await asyncio.to_thread(todo.ask, "PATCH", place, {"done": False}, If_Match='"1"')  # not told
            await asyncio.to_thread(todo.ask, "DELETE", place)
            for each in (one, other):
                self.assertEqual(await hear(each), {"event": "added", "item": added})
                self.assertEqual(await hear(each), {"event": "changed", "item": changed})
                self.assertEqual(await hear(each), {"event": "removed", "item": changed})
            self.assertEqual(await asyncio.to_thread(todo.metric, "todo_feed_listeners"), 2)

    def test_it_drains(self):
        todo = self.start()
        todo.add("milk")
        asyncio.run(self.expect_goodbye(todo))
        self.assertEqual(todo.process.wait(PATIENCE_S), 0)
        self.assertEqual([line for line in todo.log if "cut off" in line], [])

    async def expect_goodbye(self, todo):
        async with websockets.connect(todo.feed) as one, websockets.connect(todo.feed) as other:
            for each in (one, other):
                await hear(each)
            todo.process.terminate()
            for each in (one, other):
                await asyncio.wait_for(each.wait_closed(), PATIENCE_S)
                self.assertEqual((each.close_code, each.close_reason), (1001, "the service stops"))


async def hear(listener):
    return json.loads(await asyncio.wait_for(listener.recv(), PATIENCE_S))
