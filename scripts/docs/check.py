"""Whether the site is whole: sentences, links, anchors, what a reader without eyes or mouse needs, colours, the search."""

import json
import os
import re
import subprocess
from collections import Counter
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

_VOID = {"meta", "link", "img", "input", "br", "hr", "wbr"}
# Which colours of style.css are shown on which; the ratio is that of WCAG 2.2, 1.4.3.
_TEXTS = ("ink", "quiet", "accent", "keyword", "string", "comment", "literal")
_GROUNDS = ("paper", "panel", "mark")
_CONTRAST_MIN = 4.5


def sentences(site):
    """Public names that say nothing, and operations that do not say what a drop does."""
    reference = site.reference
    for entry in reference.listed():
        where = f"include/{entry.declarations[0].header}:{entry.declarations[0].line}"
        if reference.lacks_sentence(entry):
            yield f"{where}: {entry.name} has no sentence"
        if reference.is_operation(entry) and reference.dropping_of(entry)[0] is None:
            yield f"{where}: {entry.name}() is awaited, and neither it nor its class says what dropping it does ('Dropped: ...')"


class Page(HTMLParser):
    """What the rules look at in a page."""

    def __init__(self, file):
        super().__init__(convert_charrefs=True)
        self.ids, self.links, self.findings = [], [], []
        self.headings, self.landmarks, self.labels, self.fields = [], [], set(), []
        self.language = self.title = ""
        self._open = []  # (tag, attributes, text)
        text = file.read_text(encoding="utf-8")
        # The lines of a source are many, and all alike.
        self.ids += re.findall(r'<span id="(L\d+)"', text)
        self.feed(re.sub(r'(<pre tabindex="0" class="code numbered">).*?(?=</pre>)', r"\1", text, flags=re.DOTALL))
        self.close()

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if "id" in given:
            self.ids.append(given["id"])
        for name in ("href", "src", "action"):
            if given.get(name):
                self.links.append(given[name])
        if tag == "html":
            self.language = given.get("lang", "")
        if tag in ("main", "header", "footer"):
            self.landmarks.append(tag)
        if tag == "nav" and not (given.get("aria-label") or given.get("aria-labelledby")):
            self.findings.append("a <nav> has no name (aria-label): there are several")
        if tag == "label":
            self.labels.add(given.get("for"))
        if tag in ("input", "select", "textarea"):
            self.fields.append(given.get("id"))
        if tag == "img" and "alt" not in given:
            self.findings.append(f"the picture {given.get('src')} has no alt")
        if int(given.get("tabindex", "0")) > 0:
            self.findings.append("a tabindex over 0 changes the order of the keyboard")
        if tag == "pre" and given.get("tabindex") != "0":
            self.findings.append("a <pre> cannot be scrolled by the keyboard: tabindex=\"0\"")
        if tag == "th" and given.get("scope") not in ("col", "row"):
            self.findings.append("a <th> does not say what it heads: scope")
        if tag == "table" and not any(each[0] == "div" and "table" in each[1].get("class", "") for each in self._open):
            self.findings.append("a table stands in no box that scrolls")
        if tag not in _VOID:
            self._open.append((tag, given, []))
        elif tag == "img" and given.get("alt"):
            self.handle_data(given["alt"])

    def handle_data(self, data):
        for _, _, text in self._open:
            text.append(data)

    def handle_endtag(self, tag):
        if tag in _VOID:
            return
        if not self._open or self._open[-1][0] != tag:
            self.findings.append(f"</{tag}> closes what is not open")
            return
        _, given, text = self._open.pop()
        said = "".join(text).strip()
        if tag == "title":
            self.title = said
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append((int(tag[1]), said))
        if tag in ("a", "button") and not said and not given.get("aria-label"):
            self.findings.append(f"a <{tag}> to {given.get('href')} has no text")

    @cached_property
    def places(self):
        return set(self.ids)

    def rules(self):
        yield from self.findings
        if self._open:
            yield f"<{self._open[-1][0]}> is not closed"
        if not self.language:
            yield "the language is not said (lang)"
        if not self.title:
            yield "there is no title"
        if self.landmarks.count("main") != 1:
            yield "there is not one <main>"
        levels = [level for level, _ in self.headings]
        if levels.count(1) != 1:
            yield f"there are {levels.count(1)} headings of the first level"
        inner = levels[levels.index(1):] if 1 in levels else []
        for above, below in zip(inner, inner[1:]):
            if below > above + 1:
                yield f"a heading of level {below} follows one of level {above}"
        if any(not said for _, said in self.headings):
            yield "a heading is empty"
        yield from (f"the field {field} has no label" for field in self.fields if field not in self.labels)
        yield from (f"the id {one} is there twice" for one, times in sorted(Counter(self.ids).items()) if times > 1)


def pages(out):
    """Findings about all pages below a directory."""
    out = Path(out).resolve()
    known = {str(file): Page(file) for file in sorted(out.rglob("*.html"))}
    files = {str(file) for file in out.rglob("*") if file.is_file()}
    titles = {}
    for file, page in known.items():
        name = os.path.relpath(file, out)
        yield from (f"{name}: {finding}" for finding in page.rules())
        if page.title in titles and not name.startswith(("source/", "project/")):
            yield f"{name}: has the title of {titles[page.title]}"
        titles[page.title] = name
        for link in dict.fromkeys(page.links):
            if re.match(r"[a-z]+:", link):
                continue
            target, _, anchor = link.partition("#")
            there = os.path.normpath(os.path.join(os.path.dirname(file), unquote(target.partition("?")[0]))) if target else file
            if there not in files:
                yield f"{name}: {link} leads nowhere"
            elif anchor and there in known and unquote(anchor) not in known[there].places:
                yield f"{name}: {link}: there is no such place on that page"
    yield from colours((out / "style.css").read_text())


def colours(style):
    """Findings about the contrast of each theme's colours."""
    for block in re.finditer(r"(:root[^{]*)\{([^}]*--paper[^}]*)\}", style):
        values = dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6})", block[2]))
        for text in _TEXTS:
            for ground in _GROUNDS:
                ratio = contrast(values[text], values[ground])
                if ratio < _CONTRAST_MIN:
                    yield f"style.css: {block[1].strip()}: --{text} on --{ground} has a contrast of {ratio:.2f}, at least {_CONTRAST_MIN}"


def contrast(one, other):
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour):
    parts = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


_SEARCHING = """
const search = require(process.argv[1]);
globalThis.eddySearch = search;
require(process.argv[2]);
const wanted = JSON.parse(require("fs").readFileSync(0, "utf8"));
for (const [typed, url] of wanted.first) {
  const [best] = search.find(typed, 1);
  if (best?.url !== url) console.log(`the search for ${typed} finds ${best?.url}, not ${url}`);
}
for (const [typed, urls] of Object.entries(wanted.among)) {
  const found = new Set(search.find(typed, Infinity).map((each) => each.url));
  for (const url of urls) if (!found.has(url)) console.log(`the search for ${typed} does not find ${url}`);
}
"""


def found_by_search(site):
    """Each public name is found first by its full name, and among others by its last; each document by its title."""
    names = list(site.reference.listed())
    url = site.reference.names.url
    among = {}
    for typed, page in [*((entry.last_name, url(entry)) for entry in names), *site.document_titles()]:
        among.setdefault(typed, []).append(page)
    wanted = {"first": [(entry.name, url(entry)) for entry in names], "among": among}
    done = subprocess.run(["node", "-e", _SEARCHING, str(site.out.resolve() / "search.js"), str(site.out.resolve() / "search-index.js")],
                          input=json.dumps(wanted), capture_output=True, text=True, check=False)
    if done.returncode:
        return [f"the search fails: {done.stderr}"]
    return done.stdout.splitlines()
