"""The examination of pages finds what it should."""

import tempfile
import unittest
from pathlib import Path

import check  # of scripts/docs

STYLE = ":root { --paper: #ffffff; --panel: #ffffff; --mark: #ffffff; " + "".join(
    f"--{name}: #222222; " for name in ("ink", "quiet", "accent", "keyword", "string", "comment", "literal")) + "}"


def page(body="", *, title="A page", attributes=' lang="en"', heading="<h1>A page</h1>"):
    return f"<!doctype html><html{attributes}><head><title>{title}</title></head><body><main>{heading}{body}</main></body></html>"


class Pages(unittest.TestCase):
    def findings(self, pages, style=STYLE):
        with tempfile.TemporaryDirectory() as directory:
            out = Path(directory)
            (out / "style.css").write_text(style)
            for name, text in pages.items():
                (out / name).parent.mkdir(parents=True, exist_ok=True)
                (out / name).write_text(text)
            return list(check.pages(out))

    def expect(self, body, words, **given):
        found = self.findings({"a.html": page(body, **given)})
        self.assertEqual(len(found), 1, found)
        self.assertIn(words, found[0])

    def test_a_good_page_has_no_findings(self):
        body = ('<nav aria-label="Pages"><a href="b/c.html#there">c</a></nav><img src="style.css" alt=""><h2 id="x">x</h2><a href="#x">x</a>'
                '<label for="q">Search</label><input id="q"><div class="table"><table><tr><th scope="col">x</th></tr></table></div>'
                '<pre tabindex="0">code</pre><a href="https://example.org/">elsewhere</a><button aria-label="Close"></button>')
        self.assertEqual(self.findings({"a.html": page(body), "b/c.html": page('<p id="there"><a href="../a.html">a</a></p>', title="c")}), [])

    def test_dead_links_and_anchors_are_found(self):
        self.expect('<a href="b.html">b</a>', "b.html leads nowhere")
        self.expect('<a href="#b">b</a>', "no such place")
        self.expect('<img src="b.png" alt="b">', "b.png leads nowhere")
        found = self.findings({"a.html": page('<a href="b.html#x">b</a>'), "b.html": page(title="b")})
        self.assertEqual(len(found), 1, found)

    def test_what_a_screen_reader_needs_is_missed(self):
        self.expect('<img src="style.css">', "no alt")
        self.expect("<nav></nav>", "no name")
        self.expect('<input id="q">', "no label")
        self.expect('<a href="a.html"></a>', "no text")
        self.expect("<h3>x</h3>", "level 3 follows one of level 1")
        self.expect("<h2></h2>", "empty")
        self.expect("<h1>again</h1>", "2 headings of the first level")
        self.expect('<div class="table"><table><tr><th>x</th></tr></table></div>', "scope")
        self.expect("", "language", attributes="")
        self.expect("", "no title", title="")
        self.expect('<i id="x"></i><i id="x"></i>', "twice")

    def test_what_a_keyboard_needs_is_missed(self):
        self.expect("<pre>code</pre>", "keyboard")
        self.expect('<a href="a.html" tabindex="3">a</a>', "tabindex")

    def test_tags_that_do_not_match_are_found(self):
        self.assertIn("closes what is not open", self.findings({"a.html": page("<p><b>x</p>")})[0])

    def test_two_pages_do_not_have_one_title(self):
        self.assertEqual(len(self.findings({"a.html": page(), "b.html": page()})), 1)

    def test_colours_that_are_hard_to_read_are_found(self):
        found = self.findings({"a.html": page()}, STYLE.replace("--quiet: #222222", "--quiet: #999999"))
        self.assertEqual(len(found), 3, found)  # on each ground
        self.assertIn("--quiet on --paper", found[0])

    def test_contrast_is_that_of_the_guidelines(self):
        self.assertAlmostEqual(check.contrast("#000000", "#ffffff"), 21)
        self.assertAlmostEqual(check.contrast("#777777", "#ffffff"), 4.48, places=2)


if __name__ == "__main__":
    unittest.main()
