"""Markdown and C++ as HTML."""

import html
import posixpath
import re

from markdown_it import MarkdownIt
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from tree_rules.documents import anchor_of

_FORMATTER = HtmlFormatter(nowrap=True)
_LANGUAGES = {"": "text", "cpp": "cpp", "c++": "cpp", "sh": "bash", "nginx": "nginx"}
_OF_SUFFIX = {".hpp": "cpp", ".cpp": "cpp", ".h": "cpp", ".py": "python", ".sh": "bash", ".toml": "toml", ".txt": "cmake",
              ".cmake": "cmake", ".proto": "protobuf", ".js": "javascript", ".html": "html", ".css": "css", ".json": "json"}


def language_of(path):
    return _OF_SUFFIX.get(posixpath.splitext(path)[1], "text")


def coloured(code, language):
    """Code as HTML, its tokens in spans."""
    try:
        lexer = get_lexer_by_name(_LANGUAGES.get(language, language), stripnl=False)
    except ClassNotFound:
        lexer = get_lexer_by_name("text", stripnl=False)
    return highlight(code, lexer, _FORMATTER).rstrip("\n")


def block(code, language):
    # A block that is wider than the page is scrolled, by the keyboard too.
    return f'<pre tabindex="0" class="code"><code>{coloured(code, language)}</code></pre>\n'


class Document:
    """A rendered document: its HTML, title, and sections for the table of contents and the search."""

    def __init__(self, body, title, sections):
        self.body = body
        self.title = title
        self.sections = sections  # (level, anchor, title, text)


# The only HTML in documents: what is folded away. Stands for the tags while the rest is rendered.
_FOLDED, _UNFOLDED = "\ue000", "\ue001"


class Markup:
    """Renders Markdown. `link(target)` says where a link of the document leads, `entry_of(code)` which public name code means."""

    def __init__(self, link, code_link, prose_links=None):
        self._link = link
        self._code_link = code_link
        self._prose_links = prose_links
        self._parser = MarkdownIt("commonmark", {"html": False}).enable("table")

    def document(self, text):
        text = re.sub(r"^<!--.*?-->[ \t]*\n?", "", text, flags=re.MULTILINE | re.DOTALL)
        text = re.sub(r"^<details><summary>(.*)</summary>$", rf"\n{_FOLDED}\1\n", text, flags=re.MULTILINE)
        tokens = self._parser.parse(re.sub(r"^</details>$", f"\n{_UNFOLDED}\n", text, flags=re.MULTILINE))
        used, sections, title = set(), [], ""
        words = []
        for at, token in enumerate(tokens):
            if token.type == "heading_open":
                heading = _plain(tokens[at + 1])
                anchor = anchor_of(heading)
                number = 1
                while anchor in used:
                    anchor = f"{anchor_of(heading)}-{number}"
                    number += 1
                used.add(anchor)
                token.attrSet("id", anchor)
                level = int(token.tag[1])
                title = title or heading
                words = []
                sections.append((level, anchor, heading, words))
            elif token.type == "inline" and tokens[at - 1].type != "heading_open":
                words.append(_plain(token))
            elif token.type == "fence":
                words.append(" ".join(re.findall(r"[A-Za-z_]\w+", token.content)))
        body = re.sub(f"<p>{_FOLDED}(.*)</p>", r"<details><summary>\1</summary>", self._render(tokens))
        body = body.replace(f"<p>{_UNFOLDED}</p>", "</details>")
        return Document(body, title, [(*section[:3], re.sub(f"[{_FOLDED}{_UNFOLDED}]", "", " ".join(section[3]))) for section in sections])

    def fragment(self, text):
        return self._render(self._parser.parse(text))

    def inline(self, text):
        return self._inline(self._parser.parseInline(text)[0].children)

    def _render(self, tokens):
        out = []
        for token in tokens:
            if token.type == "inline":
                out.append(self._inline(token.children))
            elif token.type in ("fence", "code_block"):
                language = token.info.split()[0] if token.info else "cpp" if token.type == "code_block" else ""
                out.append(block(token.content, language))
            elif token.type == "table_open":
                out.append('<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
            elif token.type == "table_close":
                out.append("</table></div>\n")
            elif token.type == "th_open":
                out.append('<th scope="col">')
            elif token.type == "heading_open":
                out.append(f'<{token.tag} id="{token.attrGet("id")}">' if token.attrGet("id") else f"<{token.tag}>")
            elif token.type == "heading_close":
                out.append(f"</{token.tag}>\n")
            elif token.hidden:
                pass
            elif token.type == "hr":
                out.append("<hr>\n")
            elif token.nesting == 1:
                start = token.attrGet("start")
                out.append(f'<{token.tag}{f" start={chr(34)}{start}{chr(34)}" if start else ""}>')
            elif token.nesting == -1:
                out.append(f"</{token.tag}>\n")
            else:
                raise ValueError(f"Markdown that is not rendered: {token.type}")
        return "".join(out)

    def _inline(self, children):
        out, in_link = [], 0
        for child in children:
            if child.type == "text":
                out.append(html.escape(child.content, quote=False) if in_link else self._prose(child.content))
            elif child.type == "code_inline":
                url = None if in_link else self._code_link(child.content)
                code = f"<code>{html.escape(child.content, quote=False)}</code>"
                out.append(f'<a href="{url}">{code}</a>' if url else code)
            elif child.type == "link_open":
                in_link += 1
                out.append(f'<a href="{html.escape(self._link(child.attrGet("href")))}">')
            elif child.type == "link_close":
                in_link -= 1
                out.append("</a>")
            elif child.type == "image":
                out.append(f'<img src="{html.escape(self._link(child.attrGet("src")))}" alt="{html.escape(_plain(child))}">')
            elif child.type in ("softbreak", "hardbreak"):
                out.append("\n" if child.type == "softbreak" else "<br>\n")
            elif child.nesting:
                out.append(f"<{'/' if child.nesting < 0 else ''}{child.tag}>")
            else:
                raise ValueError(f"Markdown that is not rendered: {child.type}")
        return "".join(out)

    def _prose(self, text):
        if not self._prose_links:
            return html.escape(text, quote=False)
        out, end = [], 0
        for begin, stop, url in sorted(self._prose_links(text)):
            if begin < end:
                continue
            out += [html.escape(text[end:begin], quote=False), f'<a href="{url}">', html.escape(text[begin:stop], quote=False), "</a>"]
            end = stop
        return "".join([*out, html.escape(text[end:], quote=False)])


def _plain(token):
    if token.children is None:
        return token.content
    return "".join(" " if child.type == "softbreak" else _plain(child) if child.type == "image" else child.content
                   for child in token.children)
