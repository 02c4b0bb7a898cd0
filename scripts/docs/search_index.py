"""What the search looks into: public names with their sentences, and sections of documents with their words."""

import json
import re

import comments
from names import Names

_WORD = re.compile(r"[a-z][a-z0-9_]+")
_COMMON = set("the a an and or of to in is it as that this by for with on at be are not its from which what when where may has have no "
              "one each all than then if but so".split())


class Index:
    def __init__(self):
        self._names = []  # [name, kind, url, sentence]
        self._sections = []  # [title, url, page's title, beginning]
        self._words = {}  # word: numbers of sections

    def add_name(self, entry):
        texts = entry.comments
        sentence = comments.parsed(texts[0]).sentence if texts else ""
        self._names.append([entry.name, entry.kind, Names.url(entry), re.sub(r"[`*]", "", sentence)[:160]])

    def add_section(self, page, anchor, title, document, text):
        number = len(self._sections)
        self._sections.append([title, page + (f"#{anchor}" if anchor else ""), document, " ".join(text.split())[:160]])
        for word in set(_WORD.findall(f"{title} {text}".lower())) - _COMMON:
            self._words.setdefault(word, []).append(number)

    def script(self):
        # Words in order, so that the browser finds a beginning by halving.
        words = [[word, numbers] for word, numbers in sorted(self._words.items())]
        data = {"names": self._names, "sections": self._sections, "words": words, "common": sorted(_COMMON)}
        return "eddySearch.fill(" + json.dumps(data, separators=(",", ":"), ensure_ascii=False) + ");\n"
