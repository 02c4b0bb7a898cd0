"""The page of the example todo: in two windows, on a telephone, and when the feed is lost.

EXAMPLES is where the built ones lie; SCREENSHOTS, if set, is a directory that pictures are put into.
"""

import json
import os
import signal
import subprocess
import tempfile
import unittest
import urllib.request

import program  # of tests/apps
from chromium import PHONE, BrowserTest


class TodoPage(BrowserTest):
    def setUp(self):
        super().setUp()
        directory = tempfile.TemporaryDirectory(prefix="eddy-todo-")
        self.addCleanup(directory.cleanup)
        self.database = "sqlite:" + os.path.join(directory.name, "todo.db")
        self.start()

    def start(self, port=0):
        self.server = subprocess.Popen(
            [os.path.join(os.environ["EXAMPLES"], "todo", "todo"), "--port", str(port), "--db", self.database],
            stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.server.stdout.close)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.kill)
        self.url = self.server.stdout.readline().split()[1]
        return int(self.url.rstrip("/").rsplit(":", 1)[1])

    def ask(self, method, path, body=None):
        request = urllib.request.Request(self.url + path, method=method, data=json.dumps(body).encode(),
                                         headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=program.PATIENCE_S) as answer:
            return json.loads(answer.read() or "null")

    def show_list(self, **size):
        tab = self.open(self.url, **size)
        self.expect_state(tab, "live")
        return tab

    def expect_state(self, tab, text):
        tab.wait_for(f"find('state').textContent.startsWith({text!r})")

    def expect_titles(self, tab, *titles):
        shown = "JSON.stringify([...document.querySelectorAll('#items .title')].map((each) => each.textContent))"
        tab.wait_for(f"{shown} === {json.dumps(json.dumps(titles, separators=(',', ':'), ensure_ascii=False))}")

    def press(self, tab, selector, of=None):
        """A click on what the selector finds, in the row of this title."""
        place = "document" if of is None else (
            f"[...document.querySelectorAll('#items li')].find((each) => each.innerText.includes({of!r}))")
        tab.evaluate(f"{place}.querySelector({selector!r}).click()")

    def test_what_is_done_in_one_window_appears_in_the_other(self):
        here, there = self.show_list(), self.show_list(width=PHONE[0], height=PHONE[1])
        here.wait_for("!find('empty').hidden")
        self.show(here, "todo-empty")
        here.type("#title", "Buy milk")
        for tab in (here, there):
            self.expect_titles(tab, "Buy milk")
        there.type("#title", "Call <b>Ann</b> & ask whether Thursday is all right, or whether it had better be the week after")
        long = "Call <b>Ann</b> & ask whether Thursday is all right, or whether it had better be the week after"
        for tab in (here, there):
            self.expect_titles(tab, long, "Buy milk")
        self.press(here, ".done", "Buy milk")
        there.wait_for("document.querySelectorAll('.is-done').length === 1")
        for tab, name in ((here, "todo"), (there, "todo-phone")):
            self.expect_fit(tab)
            self.show(tab, name)
        self.press(there, ".remove", "Buy milk")
        for tab in (here, there):
            self.expect_titles(tab, long)

    def test_an_item_is_edited_and_no_window_overwrites_what_it_has_not_shown(self):
        self.ask("POST", "todos", {"title": "Buy milk"})
        here, there = self.show_list(), self.show_list()
        self.press(here, ".change")
        here.wait_for("document.activeElement.className === 'new-title'")
        self.press(there, ".change")
        there.evaluate("document.activeElement.value = ''")
        there.type(".new-title", "Buy bread")
        self.expect_titles(here, "Buy bread")
        self.show(here, "todo-edit")
        here.evaluate("document.activeElement.value = ''")
        here.type(".new-title", "Buy butter")
        here.wait_for("find('notice').textContent.includes('Buy bread')")
        self.show(here, "todo-conflict")
        here.type(".new-title", "!")
        for tab in (here, there):
            self.expect_titles(tab, "Buy butter!")
        here.wait_for("find('notice').hidden")
        self.browser.call("Browser.getVersion")
        self.assertEqual([each for each in self.browser.messages if "412" not in each], [])
        self.browser.messages.clear()  # Chromium reports the answer 412, which is as it should be

    def test_the_filters_show_what_they_say(self):
        for title, done in (("one", False), ("two", True), ("three", False)):
            self.ask("POST", "todos", {"title": title, "done": done})
        tab = self.show_list()
        self.expect_titles(tab, "three", "two", "one")
        self.press(tab, "[data-filter='true']")
        self.expect_titles(tab, "two")
        self.press(tab, "[data-filter='false']")
        self.expect_titles(tab, "three", "one")
        self.press(tab, ".done", "one")
        self.expect_titles(tab, "three")
        self.ask("POST", "todos", {"title": "four"})
        self.expect_titles(tab, "four", "three")

    def test_older_items_come_when_they_are_asked_for(self):
        for number in range(60):
            self.ask("POST", "todos", {"title": f"item {number}"})
        tab = self.show_list()
        tab.wait_for("document.querySelectorAll('#items li').length === 50")
        self.ask("PATCH", "todos/1", {"done": True})  # not shown yet, and not by this
        self.ask("POST", "todos", {"title": "newest"})
        tab.wait_for("document.querySelector('#items .title').textContent === 'newest'")
        self.assertEqual(tab.evaluate("document.querySelectorAll('#items li').length"), 51)
        self.press(tab, "#more")
        tab.wait_for("document.querySelectorAll('#items li').length === 61 && find('more').hidden")
        self.assertTrue(tab.evaluate("document.querySelector('#items li:last-child').classList.contains('is-done')"))

    def test_the_page_says_that_the_feed_is_lost_and_catches_up(self):
        tab = self.show_list(width=PHONE[0], height=PHONE[1])
        port = self.start_again_later()
        self.expect_state(tab, "feed lost")
        self.show(tab, "todo-lost-phone")
        tab.type("#title", "too early")
        tab.wait_for("!find('notice').hidden")
        self.expect_fit(tab)
        self.start(port)
        self.ask("POST", "todos", {"title": "Added while the feed was lost"})
        self.expect_state(tab, "live")
        self.expect_titles(tab, "Added while the feed was lost")
        tab.wait_for("find('notice').hidden")
        self.browser.call("Browser.getVersion")
        self.browser.messages.clear()  # of attempts to connect while there was no server

    def start_again_later(self):
        port = int(self.url.rstrip("/").rsplit(":", 1)[1])
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(program.PATIENCE_S), 0)
        return port


del BrowserTest  # whose subclasses have the tests

if __name__ == "__main__":
    unittest.main()
