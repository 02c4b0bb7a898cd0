"""All pages: documents, sources, the reference, and what the browser needs."""

import html
import os
import posixpath
import re
import shutil
from pathlib import Path

import markup
import search_index
from markup import Markup
from names import page_of
from page import make_page, relative
from reference import Reference

_ASSETS = Path(__file__).parent / "assets"
_PICTURES = (".svg", ".png")
_PROGRAMS = ("docs/httpd.md", "docs/load.md", "docs/memcached.md", "docs/broadcast.md", "docs/multicast.md", "docs/pipeline.md",
             "docs/todo.md")
_FIGURES = ("docs/performance.md", "docs/benchmarks.md", "docs/profiles.md")
_PROJECT = ("CONTRIBUTING.md", "tests/README.md", "bench/README.md", "SECURITY.md", "CHANGELOG.md")


class Site:
    def __init__(self, api, out):
        self.root = api.root
        self.out = Path(out)
        self.api = api
        self.search = search_index.Index()
        self._documents = self._find_documents()
        self._sources = []  # that links lead to
        self._wanted = set()
        self._titles = {path: self._title_of(path) for path in self._documents}
        self.reference = Reference(api, self._source_link, self._write)

    def make(self):
        if self.out.exists():
            shutil.rmtree(self.out)
        for asset in sorted(_ASSETS.iterdir()):
            if not asset.name.startswith("__"):
                self._copy(asset, asset.name)
        self._copy(self.root / "site/favicon.svg", "favicon.svg")
        self.reference.write()
        for path in self._documents:
            self._write_document(path)
        self._write("search.html", make_page("search.html", "Search", _SEARCH))
        for path in self._sources:  # grows meanwhile
            self._write_source(path)
        for entry in self.reference.listed():
            self.search.add_name(entry)
        self._write("search-index.js", self.search.script())

    def document_titles(self):
        """(title, page) of each document."""
        return [(self._titles[path], page) for path, page in self._documents.items()]

    # -- files --

    def _write(self, path, text):
        file = self.out / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def _copy(self, file, path):
        target = self.out / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)

    # -- documents --

    def _find_documents(self):
        """The documents of the tree, and the page of each."""
        pages = {}
        paths = ["README.md", *(path for path in _PROJECT if (self.root / path).exists())]
        for directory in ("docs", "course"):
            for where, _, names in os.walk(self.root / directory):
                paths += sorted(str((Path(where) / name).relative_to(self.root)) for name in names if name.endswith(".md"))
        for path in paths:
            if path == "README.md":
                page = "index.html"
            elif path == "docs/README.md":
                page = "guides.html"
            elif path.startswith("docs/"):
                page = path.removeprefix("docs/")
            elif path in _PROJECT:
                page = "project/" + path.lower().replace("/readme", "")
            else:
                page = path
            page = re.sub(r"README\.md$", "index.html", page)
            pages[path] = re.sub(r"\.md$", ".html", page)
        return pages

    def _title_of(self, path):
        match = re.search(r"^# (.*)$", (self.root / path).read_text(encoding="utf-8"), re.MULTILINE)
        return re.sub(r"[`*]", "", match[1]) if match else path

    def _write_document(self, path):
        page = self._documents[path]

        def code_link(code):
            header = re.fullmatch(r"<?(eddy/[\w/]+\.hpp)>?", code)
            if header and header[1] in self.api.headers:
                return relative(page_of(header[1]), page)
            if re.fullmatch(r"(?:include|src|examples|apps|tests|scripts|cmake)/[\w./-]+\.\w+", code) and (self.root / code).is_file():
                return relative(self._source_link(code), page)
            entry = self.reference.names.of_code(code)
            return html.escape(relative(self.reference.names.url(entry), page)) if entry else None

        rendered = Markup(lambda target: self._target(target, path, page), code_link).document(
            (self.root / path).read_text(encoding="utf-8"))
        tab, side = self._side(path, page)
        contents = [section[:3] for section in rendered.sections]
        self._write(page, make_page(page, rendered.title or path, rendered.body, tab=tab, side=side, contents=contents))
        for level, anchor, title, text in rendered.sections:
            self.search.add_section(page, "" if level == 1 else anchor, title, rendered.title, text)

    def _target(self, target, path, page):
        """Where a link of a document leads on the site."""
        if re.match(r"[a-z]+:", target):
            return target
        file, mark, anchor = target.partition("#")
        if not file:
            return target
        named = posixpath.normpath(posixpath.join(posixpath.dirname(path), file))
        if named in self._documents:
            return relative(self._documents[named] + mark + anchor, page)
        if named.endswith(_PICTURES):
            self._copy(self.root / named, named)
            return relative(named, page)
        header = named.removeprefix("include/")
        if header in self.api.headers:
            return relative(page_of(header), page)
        return relative(self._source_link(named), page)

    def _side(self, path, page):
        def links(paths):
            return '<ul class="links">' + "".join(
                f'<li><a href="{relative(self._documents[each], page)}"{" aria-current=" + chr(34) + "page" + chr(34) if each == path else ""}>'
                f'{html.escape(self._titles[each])}</a></li>' for each in paths if each in self._documents) + "</ul>"

        if path == "README.md":
            return "index.html", ""
        if path.startswith("docs/architecture/"):
            rest = sorted(each for each in self._documents if each.startswith("docs/architecture/") and not each.endswith("README.md"))
            return "architecture/index.html", links(["docs/architecture/README.md", *rest])
        if path.startswith("course/"):
            rest = sorted(each for each in self._documents if each.startswith("course/") and each != "course/README.md")
            return "course/index.html", links(["course/README.md", *rest])
        index = (self.root / "docs/README.md").read_text()
        guides = list(dict.fromkeys("docs/" + match for match in re.findall(r"\]\((guide/[^)#]+\.md)", index)))
        guides += sorted(each for each in self._documents if each.startswith("docs/guide/") and each not in guides)
        coming = [each for each in guides if "/coming-from" in each]
        rest = sorted(each for each in self._documents if each.startswith("docs/") and each.count("/") == 1 and
                      each not in (*_PROGRAMS, *_FIGURES, "docs/README.md"))
        parts = (("Guides", ["docs/README.md", *(each for each in guides if each not in coming)]), ("Coming from", coming),
                 ("Programs", _PROGRAMS), ("Figures", _FIGURES), ("Project", [*rest, *_PROJECT]))
        return "guides.html", "".join(f"<h2>{name}</h2>{links(paths)}" for name, paths in parts if paths)

    # -- sources --

    def _source_link(self, path, line=None):
        if path not in self._wanted:
            self._wanted.add(path)
            self._sources.append(path)
        page = f"source/{path}/index.html" if (self.root / path).is_dir() else f"source/{path}.html"
        return f"{page}#L{line}" if line else page

    def _write_source(self, path):
        file = self.root / path
        if file.is_dir():
            page = f"source/{path}/index.html"
            items = "".join(f'<li><a href="{relative(self._source_link(f"{path}/{each.name}"), page)}">{html.escape(each.name)}</a></li>'
                            for each in sorted(file.iterdir()) if each.is_file() and each.suffix in markup._OF_SUFFIX and each.stat().st_size < 1 << 18)
            self._write(page, make_page(page, path, f"<h1><code>{html.escape(path)}</code></h1><ul>{items}</ul>"))
            return
        page = f"source/{path}.html"
        lines = markup.coloured(file.read_text(encoding="utf-8"), markup.language_of(path)).split("\n")
        code = "\n".join(f'<span id="L{number}" class="line">{line}</span>' for number, line in enumerate(lines, 1))
        back = ""
        header = path.removeprefix("include/")
        if header in self.api.headers:
            back = f'<p><a href="{relative(page_of(header), page)}">Its page of the reference</a></p>'
        self._write(page, make_page(
            page, path, f'<h1><code>{html.escape(path)}</code></h1>{back}<pre tabindex="0" class="code numbered"><code>{code}</code></pre>'))


_SEARCH = """<h1>Search</h1>
<p id="summary" aria-live="polite"><noscript>The search needs JavaScript. <a href="reference/names.html">All names</a> needs none.</noscript></p>
<div id="found"></div>"""
