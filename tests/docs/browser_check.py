"""The made site in Chromium: from files and served by eddy-httpd, in light and dark, wide and on a telephone, by keyboard.

DOCS is the directory of the site, PROGRAMS that of the built programs; SCREENSHOTS, if set, is a directory for pictures.
The stage `docs` of scripts/check.sh runs it.
"""

import os
import unittest
from pathlib import Path

import program  # of tests/apps
from chromium import PHONE, BrowserTest  # of tests/browser

DOCS = Path(os.environ["DOCS"]).resolve()

# Texts whose contrast is under that of WCAG 2.2, 1.4.3: for ordinary size 4.5, for large size 3. Of each look one is measured.
CONTRAST = """(() => {
  const channel = (part) => ((part /= 255) <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const luminance = ([red, green, blue]) => 0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);
  const colour = (text) => text.match(/[\\d.]+/g).map(Number);
  const ground = (element) => {
    for (; element; element = element.parentElement) {
      const found = colour(getComputedStyle(element).backgroundColor);
      if (found.length === 3 || found[3] > 0) return found;
    }
    return [255, 255, 255];
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  const bad = [];
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || element.closest("noscript, script") || element.getClientRects().length === 0) continue;
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    const behind = ground(element);
    const look = `${style.color} ${behind} ${size} ${style.fontWeight}`;
    if (seen.has(look)) continue;
    seen.add(look);
    const [light, dark] = [luminance(colour(style.color)), luminance(behind)].sort((one, other) => other - one);
    const least = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
    if ((light + 0.05) / (dark + 0.05) < least) bad.push(`${element.tagName} ${look}: ${texts.currentNode.data.trim().slice(0, 30)}`);
  }
  return bad;
})()"""
# Controls that no keyboard reaches, and controls of the page without a name.
UNREACHED = """[...document.querySelectorAll("a[href], button, input, summary")].filter((each) =>
  each.tabIndex < 0 || !(each.textContent.trim() || each.getAttribute("aria-label") || each.labels?.length)).map((each) => each.outerHTML)"""


class Site(BrowserTest):
    def scheme(self, tab, name):
        tab.call("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": name}]})

    def press(self, tab, key):
        for kind in ("keyDown", "keyUp"):
            tab.call("Input.dispatchKeyEvent", {"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": {
                "Tab": 9, "Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38}.get(key, 0), "text": "\r" if key == "Enter" else ""})

    def url(self, page):
        return (DOCS / page).as_uri()

    def test_every_page_can_be_read_in_both_colours_and_on_a_telephone(self):
        tab = self.open(self.url("index.html"))
        pages = sorted(str(file.relative_to(DOCS)) for file in DOCS.rglob("*.html") if "source" not in file.relative_to(DOCS).parts)
        pages += ["source/include/eddy/core/task.hpp.html"]
        problems = []
        for page in pages:
            tab.resize(1400, 1000)
            self.go(tab, self.url(page))
            for scheme in ("dark", "light"):
                self.scheme(tab, scheme)
                problems += [f"{page}: {scheme}: {bad}" for bad in tab.evaluate(CONTRAST)]
            problems += [f"{page}: not reached by keyboard: {bad}" for bad in tab.evaluate(UNREACHED)]
            tab.resize(*PHONE)
            if wider := tab.evaluate("document.documentElement.scrollWidth - innerWidth"):
                problems.append(f"{page}: {wider} pixels wider than a telephone")
            if tab.evaluate("[...document.images].some((each) => each.complete && !each.naturalWidth)"):
                problems.append(f"{page}: a picture is missing")
        self.assertGreater(len(pages), 200)
        self.assertEqual(problems, [])

    def test_the_search_finds_by_keyboard_without_a_server(self):
        tab = self.open(self.url("reference/sync/mutex.html"))
        self.press(tab, "/")
        tab.wait_for("document.activeElement.id === 'query'")
        tab.call("Input.insertText", {"text": "with_timeout"})
        tab.wait_for("document.querySelector('#results a')?.textContent.startsWith('with_timeout')")
        self.show(tab, "search")
        self.press(tab, "ArrowDown")
        self.assertTrue(tab.evaluate("document.activeElement.matches('#results a')"))
        self.press(tab, "ArrowUp")
        self.assertEqual(tab.evaluate("document.activeElement.id"), "query")
        self.press(tab, "ArrowDown")
        self.press(tab, "Enter")
        tab.wait_for("location.pathname.endsWith('/combine/with_timeout.html') && location.hash === '#with_timeout'")

    def test_results_are_closed_by_escape(self):
        tab = self.open(self.url("index.html"))
        self.press(tab, "/")
        tab.call("Input.insertText", {"text": "channel"})
        tab.wait_for("document.querySelectorAll('#results a').length > 3")
        self.press(tab, "Escape")
        self.assertTrue(tab.evaluate("document.getElementById('results').hidden"))

    def test_the_page_of_the_search_shows_what_was_typed(self):
        tab = self.open(self.url("search.html") + "?q=receive+buffers")
        tab.wait_for("document.querySelectorAll('#found a').length > 0")
        self.assertIn("receive buffers", tab.evaluate("document.getElementById('summary').textContent"))
        self.show(tab, "search-page")

    def test_the_button_changes_the_colours_and_they_stay(self):
        tab = self.open(self.url("index.html"))
        self.scheme(tab, "light")
        paper = "getComputedStyle(document.body).backgroundColor"
        light = tab.evaluate(paper)
        tab.evaluate("document.getElementById('theme').click()")
        dark = tab.evaluate(paper)
        self.assertNotEqual(light, dark)
        self.go(tab, self.url("guides.html"))
        self.assertEqual(tab.evaluate(paper), dark)
        tab.evaluate("document.getElementById('theme').click()")
        self.assertEqual(tab.evaluate(paper), light)

    def test_the_first_key_leads_past_the_bar(self):
        tab = self.open(self.url("reference/core/task.html"))
        self.press(tab, "Tab")
        self.assertEqual(tab.evaluate("document.activeElement.className"), "skip")
        self.press(tab, "Enter")
        tab.wait_for("location.hash === '#main'")

    def test_it_looks_the_same_when_it_is_served(self):
        with program.Server("eddy-httpd", "--root", str(DOCS)) as server:
            tab = self.open(f"http://127.0.0.1:{server.port}/")
            self.assertEqual(tab.evaluate("document.querySelector('h1').textContent.trim()"), "eddy")
            self.show(tab, "start")
            self.go(tab, f"http://127.0.0.1:{server.port}/search.html?q=mutex")
            tab.wait_for("document.querySelector('#found a')?.textContent.startsWith('mutex')")


if __name__ == "__main__":
    unittest.main()
