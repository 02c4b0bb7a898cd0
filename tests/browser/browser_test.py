"""Pages as a browser shows them: the start page, the live page under load, and the chat in two windows.

PROGRAMS and EXAMPLES are where the built ones lie; SCREENSHOTS, if set, is a directory that pictures are put into.
"""

import os
import signal
import subprocess
import unittest

import program  # of tests/apps
from chromium import PHONE, BrowserTest

SOURCES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Pages(BrowserTest):
    def serve_site(self, *arguments):
        server = self.enterContext(
            program.Server("eddy-httpd", "--root", os.path.join(SOURCES, "site"), *arguments))
        return f"http://127.0.0.1:{server.port}"

    def expect_pictures(self, tab):
        self.assertEqual(tab.evaluate("[...document.images].filter((each) => !each.naturalWidth).length"), 0)

    def test_the_start_page_is_there_with_its_style_and_pictures(self):
        tab = self.open(self.serve_site() + "/")
        self.assertEqual(tab.evaluate("document.querySelector('h1').textContent.trim()"), "eddy")
        self.assertGreater(tab.evaluate("document.styleSheets[0].cssRules.length"), 0)
        self.assertGreater(tab.evaluate("document.images.length + document.querySelectorAll('svg').length"), 0)
        self.expect_pictures(tab)
        self.show(tab, "start")
        tab.resize(*PHONE)
        self.expect_fit(tab)
        self.show(tab, "start-phone")

    def test_the_pictures_are_shown(self):
        tab = self.open(self.serve_site() + "/pictures.html")
        tab.wait_for("document.images.length >= 4 && [...document.images].every((each) => each.complete)")
        self.expect_pictures(tab)
        self.show(tab, "pictures")

    def test_the_live_page_moves_while_the_server_is_asked(self):
        url = self.serve_site("--live", "/_eddy")
        tab = self.open(url + "/_eddy")
        tab.wait_for("document.querySelector('#state').textContent === 'live'")
        tab.wait_for("samples.length >= 2")
        self.assertLess(tab.evaluate("samples.at(-1).requests_per_s"), 50)
        load = subprocess.Popen([program.path("eddy-load"), "-c", "8", "-t", "120", url + "/files/1KiB.txt"],
                                stdout=subprocess.DEVNULL)
        self.addCleanup(load.wait)
        self.addCleanup(load.kill)
        shown = [tab.wait_for("samples.at(-1).requests_per_s > 100 && find('rate').textContent")]
        shown.append(tab.wait_for(f"find('rate').textContent !== {shown[0]!r} && find('rate').textContent"))
        tab.wait_for("Number(find('connections').textContent) >= 9")
        tab.wait_for("parseInt(find('workers').textContent.slice(2)) > 0")
        tab.wait_for("find('memory').textContent.endsWith('MiB') && find('latency').children.length === 5")
        tab.wait_for("samples.filter((each) => each.requests_per_s > 100).length >= 6")
        self.expect_drawing(tab, "rate-chart")
        self.expect_fit(tab)
        self.show(tab, "live")
        tab.resize(*PHONE)
        tab.wait_for("find('rate-chart').width < 390")
        self.expect_fit(tab)
        self.show(tab, "live-phone")
        load.kill()
        tab.wait_for("samples.at(-1).requests_per_s < 50")

    def expect_drawing(self, tab, canvas):
        """There is more on it than one colour."""
        colours = tab.evaluate(
            f"(() => {{ const c = find('{canvas}'); return new Set(new Uint32Array("
            "c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer)).size; })()")
        self.assertGreater(colours, 3)

    def test_the_live_page_comes_back_with_the_server(self):
        with program.Server("eddy-httpd", "--root", SOURCES + "/site", "--live", "/_eddy") as server:
            tab = self.open(f"http://127.0.0.1:{server.port}/_eddy")
            tab.wait_for("find('state').textContent === 'live'")
            self.assertEqual(server.end()[0], 0)
            tab.wait_for("find('state').textContent.startsWith('not connected')")
        with program.Server("eddy-httpd", "--root", SOURCES + "/site", "--live", "/_eddy", port=server.port):
            tab.wait_for("find('state').textContent === 'live'")
        self.browser.messages.clear()  # of attempts to connect while there was no server


class Chat(BrowserTest):
    def start(self):
        server = subprocess.Popen([os.path.join(os.environ["EXAMPLES"], "chat"), "0"],
                                  stdout=subprocess.PIPE, text=True)
        self.addCleanup(server.communicate)
        self.addCleanup(server.kill)
        self.url = server.stdout.readline().split()[-1]
        return server

    def join(self, name, **size):
        tab = self.open(self.url, **size)
        tab.type("#name", name)
        tab.wait_for(f"find('state').textContent === 'you are {name}'")
        return tab

    def lines(self, tab):
        return tab.evaluate("[...document.querySelectorAll('#lines li')].map((each) => each.innerText)")

    def say(self, tab, text):
        tab.type("#text", text)

    def expect_line(self, tab, text):
        tab.wait_for(f"document.querySelector('#lines').innerText.includes({text!r})")

    def test_what_is_typed_in_one_window_appears_in_the_other(self):
        self.start()
        ann = self.join("ann")
        bob = self.join("bob", width=PHONE[0], height=PHONE[1])
        self.expect_line(ann, "bob has joined")
        self.say(ann, "Hello, is anybody there?")
        self.expect_line(bob, "Hello, is anybody there?")
        self.say(bob, "Yes. <b>What</b> do you think of this?")
        self.expect_line(ann, "Yes. <b>What</b> do you think of this?")
        self.assertEqual(ann.evaluate("find('here').textContent"), "2 here: ann, bob")
        self.say(ann, "It came at once, and a line that is a good deal longer than the window is wide is broken "
                      "where it has to be, is it not?")
        self.expect_line(bob, "is it not?")
        for tab, name in ((ann, "chat"), (bob, "chat-phone")):
            self.expect_fit(tab)
            self.show(tab, name)

    def test_a_newcomer_sees_what_was_said(self):
        self.start()
        ann = self.join("ann")
        for number in range(3):
            self.say(ann, f"line {number}")
        self.expect_line(ann, "line 2")
        bob = self.join("bob")
        self.expect_line(bob, "bob has joined")
        self.assertEqual(self.lines(bob), [f"ann\nline {number}" for number in range(3)] + ["bob has joined"])

    def test_the_page_says_when_the_room_closes(self):
        server = self.start()
        ann = self.join("ann")
        server.send_signal(signal.SIGTERM)
        ann.wait_for("find('state').textContent.includes('the room closes')")
        self.assertEqual(server.wait(program.PATIENCE_S), 0)
        self.browser.messages.clear()  # of attempts to come back


if __name__ == "__main__":
    unittest.main()
