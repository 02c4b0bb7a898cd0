"""The pages of the reference: one for each public header, an index, all names, and what dropping does."""

import html
import re
from functools import cached_property

import comments
from api import PROTOCOL
from markup import Markup
from names import Names, page_of
from page import make_page, relative

MODULES = {
    "core": "Tasks, generators, spawning", "combine": "Several tasks at once", "sync": "What tasks wait for each other with",
    "runtime": "Workers, timers, the offload pool", "stream": "Streams of bytes", "net": "Sockets and names",
    "fs": "Files and directories", "os": "Processes, pipes, signals, terminals", "io": "Buffers, endpoints, operations",
    "tls": "TLS", "http": "HTTP/1.1, HTTP/2, WebSocket", "rpc": "gRPC", "etcd": "A client of etcd",
    "integrations": "libcurl, PostgreSQL, Redis", "testing": "What proves code that uses the library",
}
_TAB = "reference/index.html"
_KINDS = {"class": "class", "enum": "enumeration", "concept": "concept", "function": "function", "alias": "type", "variable": "constant",
          "macro": "macro"}


def module_of(header):
    parts = header.split("/")
    return parts[1] if len(parts) > 2 else ""


# What a page leaves out because it is so everywhere.
_EVERYWHERE = """<h2 id="everywhere">What holds where a page says nothing</h2><dl class="facts">
<div><dt>Ownership</dt><dd>What is passed by value belongs to the operation. What spans, views and references refer to stays the
caller's, and lives until the operation has ended or was dropped.</dd></div>
<div><dt>Thread safety</dt><dd>An object belongs to the worker on which it was made, and an operation is awaited on a worker. Values, such as
options and endpoints, are as safe as an int.</dd></div>
<div><dt>Cancellation</dt><dd>When the destructor of a dropped task returns, its operation is withdrawn: neither the kernel nor the library
refers to it.</dd></div>
<div><dt>Errors</dt><dd>An operation that fails throws std::system_error; through <a href="core/as_result.html#as_result"><code>as_result()</code></a>
it returns std::expected and throws nothing. Programming errors end the program with a line in debug builds.</dd></div></dl>"""


class Reference:
    """Makes the pages. `source_link(path, line)` is the page of a source, from the root of the site."""

    def __init__(self, api, source_link, write):
        self.api = api
        self.names = Names(api)
        self._source_link = source_link
        self._write = write
        self._by_header = {header: [] for header in api.headers}
        for entry in api.entries.values():
            if is_listed(entry):
                self._by_header[entry.header].append(entry)

        self._makers = {}  # of awaiters: the operations that return them
        for entry in self.listed():
            returned = self.names.by_usr(entry.returns) if self.is_operation(entry) else None
            if returned and entry not in self._makers.setdefault(returned, []):
                self._makers[returned].append(entry)

    def listed(self):
        """All names that have a place on a page."""
        for entries in self._by_header.values():
            for entry in entries:
                yield from _listed_below(entry)

    def write(self):
        for header in self.api.headers:
            self._write(page_of(header), self._header_page(header))
        self._write("reference/index.html", self._index())
        self._write("reference/names.html", self._all_names())
        self._write("reference/dropping.html", self._dropping())

    def side(self, page):
        """The list of modules and their headers; the module of the page is open."""
        out = ['<ul class="links">',
               *(f'<li><a href="{relative(target, page)}"{_here(target, page)}>{name}</a></li>' for target, name in (
                   ("reference/index.html", "All modules"), ("reference/dropping.html", "What dropping does"),
                   ("reference/names.html", "All names"))), "</ul>"]
        for module, headers in self._modules().items():
            pages = {page_of(header): header for header in headers}
            is_open = page in pages
            out.append(f'<details{" open" if is_open else ""}><summary>{module or "gathering headers"}</summary><ul class="links">')
            for target, header in pages.items():
                name = re.sub(rf"^eddy/(?:{module}/)?", "", header).removesuffix(".hpp")
                out.append(f'<li><a href="{relative(target, page)}"{_here(target, page)}>{name}</a></li>')
            out.append("</ul></details>")
        return "".join(out)

    def _modules(self):
        found = {}
        for header in self.api.headers:
            found.setdefault(module_of(header), []).append(header)
        order = [*MODULES, *sorted(set(found) - set(MODULES))]
        return {module: found[module] for module in sorted(found, key=order.index)}

    # -- a header --

    def _markup(self, page, scope):
        def code_link(code):
            entry = self.names.of_code(code, scope)
            return self._url(entry, page) if entry and entry is not scope else None

        def prose_links(text):
            for begin, end, entry in self.names.in_prose(text, scope):
                if entry is not scope:
                    yield begin, end, self._url(entry, page)

        return Markup(lambda target: target, code_link, prose_links)

    def _url(self, entry, page):
        return html.escape(relative(Names.url(entry), page))

    def _header_page(self, header):
        page = page_of(header)
        entries = self._by_header[header]
        module = module_of(header)
        contents = []
        body = []
        for entry in sorted(entries, key=lambda each: each.declarations[0].line):
            body.append(self._entry(entry, page, 2, contents))
        title = header.removeprefix("eddy/")
        includes = self._includes(header)
        source = relative(self._source_link(f"include/{header}", 1), page)
        where = f'<p class="where"><code>#include &lt;{header}&gt;</code> <a href="{html.escape(source)}">source</a>'
        gathered = [each for each, included in self._gathering.items() if header in included]
        if gathered:
            where += " also in " + ", ".join(f'<a href="{relative(page_of(each), page)}"><code>&lt;{each}&gt;</code></a>' for each in gathered)
        where += f' &middot; <a href="{relative("reference/index.html#everywhere", page)}">what holds everywhere</a></p>'
        lead = f'<p class="module">{html.escape(MODULES.get(module, "Gathers the headers of a library"))}</p>'
        if not entries and includes:
            body.append("<h2 id=\"includes\">Includes</h2><ul>" + "".join(
                f'<li><a href="{relative(page_of(each), page)}"><code>&lt;{each}&gt;</code></a></li>' for each in includes) + "</ul>")
        first = comments.parsed(entries[0].comments[0]).sentence if entries and entries[0].comments else ""
        return make_page(page, title, f"<h1>{_breakable(title)}</h1>{lead}{where}" + "".join(body), tab=_TAB,
                         side=self.side(page), contents=contents, description=re.sub(r"[`*]", "", first))

    @cached_property
    def _gathering(self):
        """Headers that declare nothing, and what they include."""
        return {header: self._includes(header) for header in self.api.headers if not self._by_header[header]}

    def _includes(self, header):
        text = (self.api.root / "include" / header).read_text()
        found = re.findall(r"^#include <(eddy/[^>]+)>", text, re.MULTILINE)
        public = []
        for each in found:
            if each in self._by_header:
                public.append(each)
                if not self._by_header[each]:
                    public += self._includes(each)
        return public

    def _entry(self, entry, page, level, contents):
        contents.append((level, entry.anchor, entry.name if level == 2 else _shown(entry)))
        kind = _KINDS.get(entry.kind, "")
        heading = f'<h{level} id="{html.escape(entry.anchor)}"><a class="self" href="#{html.escape(entry.anchor)}"><code>{html.escape(_shown(entry) if level > 2 else entry.name)}</code></a> <span class="kind">{kind}</span></h{level}>'
        out = [f'<section class="entry level-{level}">', heading]
        out.append(self._signatures_and_text(entry, page))
        out.append(self._bases(entry, page))
        out.append(self._members(entry, page, level, contents))
        out.append("</section>")
        return "".join(out)

    def _signatures_and_text(self, entry, page):
        """Each comment behind the signatures that it is about: those without one belong to the one in front."""
        groups = []
        for declaration in entry.declarations:
            if declaration.comment or not groups:
                groups.append([declaration.comment, [declaration]])
            else:
                groups[-1][1].append(declaration)
        out = []
        for comment, declarations in groups:
            line = declarations[0].line
            source = html.escape(relative(self._source_link(f"include/{declarations[0].header}", line), page))
            code = "\n".join(self._signature(each, page, entry) for each in declarations)
            out.append(f'<div class="signature"><pre tabindex="0" class="code"><code>{code}</code></pre>'
                       f'<a class="source" href="{source}" aria-label="Source of {html.escape(entry.name)}, line {line}">source</a></div>')
            out.append(self._text(comment, entry, page))
        if not entry.comments:
            out.append(self._what_it_is(entry, page))
        return "".join(out)

    def _what_it_is(self, entry, page):
        """Of what says nothing itself: what returns it, or what it takes the place of."""
        if entry.is_awaiter:
            if entry not in self._makers:
                return "<p>Is awaited.</p>"
            links = ", ".join(self._link(each, page) for each in self._makers[entry])
            return f"<p>What {links} returns: awaited once, at once. Dropping it is dropping the operation.</p>"
        overridden = self.overridden(entry, entry.parent) if entry.parent else []
        return f"<p>As {self._link(overridden[0], page)}.</p>" if overridden else ""

    def _link(self, entry, page):
        shown = f"{entry.name}()" if entry.kind == "function" else entry.name
        return f'<a href="{self._url(entry, page)}"><code>{_breakable(shown)}</code></a>'

    def _signature(self, declaration, page, entry):
        signature = declaration.signature
        out, end = [], 0
        for begin, stop, usr in declaration.references:
            target = self.names.by_usr(usr)
            if begin >= end and target and target is not entry and is_listed(target):
                out += [html.escape(signature[end:begin]), f'<a href="{self._url(target, page)}">', html.escape(signature[begin:stop]), "</a>"]
                end = stop
        return _with_keywords("".join([*out, html.escape(signature[end:])]))

    def _text(self, comment, entry, page):
        if not comment:
            return ""
        said = comments.parsed(_capital(comment))
        markup = self._markup(page, entry)
        out = [markup.fragment(said.text)]
        if said.facts:
            rows = "".join(f"<div><dt>{html.escape(label)}</dt><dd>{markup.inline(_capital(text))}</dd></div>" for label, text in said.facts)
            out.append(f'<dl class="facts">{rows}</dl>')
        return "".join(out)

    def _bases(self, entry, page):
        """Members of public bases: names of public ones as links."""
        links = []
        for base in self.bases(entry):
            members = [member for member in base.members.values() if is_listed(member) and member.kind not in ("constructor", "destructor")]
            links.append(f'<p class="inherited">From <a href="{self._url(base, page)}"><code>{html.escape(base.name)}</code></a>: ' + ", ".join(
                f'<a href="{self._url(member, page)}"><code>{html.escape(_shown(member))}</code></a>' for member in members) + "</p>")
        return "".join(links)

    def _members(self, entry, page, level, contents):
        members = [member for member in entry.members.values() if is_listed(member)]
        values = [member for member in members if member.kind in ("enumerator", "field")]
        others = [member for member in members if member not in values]
        out = []
        if values:
            rows = []
            for member in values:
                text = "".join(self._text(comment, member, page) for comment in member.comments)
                shown = "<br>".join(self._signature(each, page, member) for each in member.declarations)
                rows.append(f'<div id="{html.escape(member.anchor)}"><dt><code>{shown}</code></dt><dd>{text}</dd></div>')
            out.append(f'<dl class="values">{"".join(rows)}</dl>')
        for member in others:
            if not _is_protocol(member):
                out.append(self._entry(member, page, min(level + 1, 6), contents))
        rest = [member for member in others if _is_protocol(member)]
        if rest:
            lines = "\n".join(f'<span id="{html.escape(member.anchor)}">' + "\n".join(self._signature(each, page, member) for each in member.declarations)
                              + "</span>" for member in rest)
            out.append(f'<div class="signature rest"><pre tabindex="0" class="code"><code>{lines}</code></pre></div>')
        return "".join(out)

    # -- lists --

    def _index(self):
        page = "reference/index.html"
        body = ["<h1>Reference</h1><p>Each public header has a page: what it declares, with ownership, thread safety, what "
                'dropping does, errors and an example. <a href="dropping.html">What dropping does</a> has all operations in a table, '
                '<a href="names.html">All names</a> every name. The search finds names and text.</p>']
        body.append(_EVERYWHERE)
        contents = [(2, "everywhere", "Everywhere")]
        for module, headers in self._modules().items():
            if not module:
                continue
            contents.append((2, module, module))
            body.append(f'<h2 id="{module}">{module}</h2><p>{html.escape(MODULES.get(module, ""))}. '
                        f'<a href="../architecture/{module}.html">How it works</a></p>' if (self.api.root / f"docs/architecture/{module}.md").exists()
                        else f'<h2 id="{module}">{module}</h2><p>{html.escape(MODULES.get(module, ""))}.</p>')
            rows = []
            for header in headers:
                entries = self._by_header[header]
                links = ", ".join(f'<a href="{self._url(entry, page)}"><code>{html.escape(entry.name)}</code></a>' for entry in entries
                                  if entry.kind not in ("variable", "macro") or len(entries) < 4)
                name = header.removeprefix(f"eddy/{module}/").removesuffix(".hpp")
                rows.append(f'<tr><th scope="row"><a href="{relative(page_of(header), page)}">{name}</a></th><td>{links}</td></tr>')
            body.append(f'<div class="table" tabindex="0" role="group" aria-label="Headers of {module}"><table><thead><tr><th scope="col">header'
                        f'</th><th scope="col">declares</th></tr></thead><tbody>{"".join(rows)}</tbody></table></div>')
        return make_page(page, "Reference", "".join(body), tab=_TAB, side=self.side(page), contents=contents)

    def _all_names(self):
        page = "reference/names.html"
        letters = {}
        for entry in self.listed():
            letters.setdefault(re.sub(r"[^a-z]", "#", entry.last_name[0].lower()), []).append(entry)
        body, contents = ["<h1>All names</h1>"], []
        for letter, entries in sorted(letters.items()):
            anchor = f"letter-{letter if letter != '#' else 'other'}"
            contents.append((2, anchor, letter))
            items = "".join(f'<li><a href="{self._url(entry, page)}"><code>{html.escape(_shown(entry))}</code></a>'
                            f'{f" <span>{html.escape(entry.parent.name)}</span>" if entry.parent else ""}</li>'
                            for entry in sorted(entries, key=lambda each: (each.last_name, each.name)))
            body.append(f'<h2 id="{anchor}">{letter}</h2><ul class="names">{items}</ul>')
        return make_page(page, "All names", "".join(body), tab=_TAB, side=self.side(page), contents=contents)

    def _dropping(self):
        page = "reference/dropping.html"
        body = ["<h1>What dropping does</h1><p>For each operation: what is withdrawn when its task is dropped while it waits, and what "
                'becomes of a success that raced with it. The <a href="../guide/cancellation.html">guide</a> has the whole. Where an '
                "operation says nothing itself, its class does.</p>"]
        contents = []
        for module, headers in self._modules().items():
            rows = []
            for header in headers:
                for top in self._by_header[header]:
                    rows += self._drop_rows(top, page)
            if rows:
                contents.append((2, module, module))
                body.append(f'<h2 id="{module}">{module}</h2><div class="table" tabindex="0" role="group" aria-label="Operations of {module}">'
                            f'<table><thead><tr><th scope="col">operation</th><th scope="col">when it is dropped</th></tr></thead>'
                            f'<tbody>{"".join(rows)}</tbody></table></div>')
        return make_page(page, "What dropping does", "".join(body), tab=_TAB, side=self.side(page), contents=contents)

    def _drop_rows(self, top, page):
        said = {}
        for entry in _listed_below(top):
            if self.is_operation(entry):
                text, scope = self.dropping_of(entry)
                said.setdefault((text, scope.name if scope else ""), (scope, []))[1].append(entry)
        rows = []
        for (text, _), (scope, entries) in said.items():
            links = ", ".join(f'<a href="{self._url(entry, page)}"><code>{_breakable(entry.name)}()</code></a>' for entry in entries)
            what = self._markup(page, scope).inline(_capital(text)) if text else ""
            rows.append(f'<tr><th scope="row">{links}</th><td>{what}</td></tr>')
        return rows

    @staticmethod
    def is_operation(entry):
        """Whether what a function returns is awaited."""
        return entry.is_operation and not entry.last_name.startswith("operator") and not (entry.parent and entry.parent.is_awaitable and
                                                                                     entry.last_name in PROTOCOL)

    def dropping_of(self, entry):
        """(text, the entry that says it) of what a drop of an operation does; (None, None) if nothing does."""
        returned = self.names.by_usr(entry.returns)
        around = [entry]
        if returned and returned.last_name not in ("task", "ready_or_task"):
            around.append(returned)
        scope = entry.parent
        while scope:
            around += [*self.overridden(entry, scope), scope, *self.bases(scope)]
            scope = scope.parent
        for each in around:
            for comment in each.comments:
                if text := comments.about_dropping(comment):
                    return text, each
        return None, None

    def lacks_sentence(self, entry):
        """Whether a name says nothing, nor what it takes the place of in a base."""
        if entry.comments or not entry.needs_sentence:
            return False
        if entry.parent and any(each.comments for each in self.overridden(entry, entry.parent)):
            return False
        # Of the standard library's classes, like what().
        return not all(re.search(r"\b(?:override|final)\b", each.signature) for each in entry.declarations) or not entry.parent

    def bases(self, entry):
        """The public classes that a class is made of, nearest first."""
        found = []
        for usr in dict.fromkeys(entry.bases):
            base = self.names.by_usr(usr)
            if base and is_listed(base) and base is not entry:
                found += [base, *self.bases(base)]
        return found

    def overridden(self, entry, scope):
        """The functions of bases that a member takes the place of."""
        return [member for base in self.bases(scope) for member in base.members.values() if member.last_name == entry.last_name]


def is_listed(entry):
    """Whether a name has a place on a page: not what only the language calls, nor what only the library can call."""
    if entry.kind == "destructor" and not entry.comments:
        return False
    if entry.is_internal:
        return False
    return not (entry.parent and entry.last_name.startswith("await_")) and not entry.last_name.startswith("<")


def _is_protocol(entry):
    """Whether a member is what any class has, and says nothing of its own."""
    return not entry.needs_sentence and not entry.comments and not any(is_listed(member) for member in entry.members.values())


def _listed_below(entry):
    yield entry
    for member in entry.members.values():
        if is_listed(member):
            yield from _listed_below(member)


def _capital(text):
    return text[:1].upper() + text[1:]


def _breakable(name):
    """A long name as HTML that may be broken where its parts meet."""
    return re.sub(r"(::|/|_(?=\w))", r"\1<wbr>", html.escape(name))


def _shown(entry):
    name = entry.last_name
    return f"{name}()" if entry.kind in ("function", "constructor", "destructor") and not name.startswith("operator") else name


def _here(target, page):
    return ' aria-current="page"' if target == page else ""


_KEYWORDS = re.compile(r"(?<![\w&;])(template|class|struct|enum|union|concept|requires|typename|using|auto|void|bool|int|char|unsigned|const|constexpr|"
                       r"consteval|noexcept|explicit|static|inline|friend|virtual|override|final|operator|default|delete|public|co_await)(?![\w;=])")


def _with_keywords(signature):
    """Keywords in spans; text of links is left as it is."""
    parts = re.split(r"(<a [^>]*>[^<]*</a>)", signature)
    return "".join(part if part.startswith("<a ") else _KEYWORDS.sub(r'<span class="k">\1</span>', part) for part in parts)
