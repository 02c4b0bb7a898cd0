"""What the documents say is there: paths, links, make targets, and code that compiles."""

import posixpath
import re
import textwrap

from .tree import Finding, line_of

_FOLDERS = "include|src|tests|apps|bench|examples|scripts|cmake|site|fuzz|docs|\\.ci"
_PATH = re.compile(rf"(?:{_FOLDERS})(?:/[\w.*-]+)*/?|[A-Z]+\.md|LICENSE|Makefile|CMake\w+\.(?:txt|json)|\.clang-\w+")
_HEADER = re.compile(r"<?(eddy/[\w/]+\.hpp)>?")
_FENCE = re.compile(r"^(```+|~~~+)[ \t]*(\w*)[^\n]*\n(.*?)^\1[ \t]*$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
_SNIPPET = re.compile(r"<!-- snippet: (\S+) -->\s*\Z")
_REGION = re.compile(r"^[ \t]*// \[snippet\][ \t]*\n(.*?)^[ \t]*// \[/snippet\]", re.MULTILINE | re.DOTALL)

# It tells of what was, so its paths need not be there any more.
_HISTORY = "CHANGELOG.md"


def documents(tree):
    return [path for path in tree.files if path.endswith(".md")]


def check(tree):
    targets = _make_targets(tree)
    for path in documents(tree):
        text = tree.text(path)
        prose = _FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
        yield from _check_links(tree, path, prose)
        if path != _HISTORY:
            yield from _check_paths(tree, path, prose)
            yield from _check_make(path, text, targets)
        yield from _check_snippets(tree, path, text)


def _check_paths(tree, path, prose):
    for match in re.finditer(r"`([^`\n]+)`", prose):
        words = match[1]
        header = _HEADER.fullmatch(words)
        named = f"include/{header[1]}" if header else words if _PATH.fullmatch(words) else None
        if named and not tree.has(named) and not tree.has(posixpath.join(posixpath.dirname(path), named)):
            yield Finding(path, line_of(prose, match.start()), f"`{words}` does not exist: correct the path "
                                                               "or say where that went")


def _check_links(tree, path, prose):
    for match in _LINK.finditer(prose):
        target, _, anchor = match[1].partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        line = line_of(prose, match.start())
        file = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else path
        if not tree.has(file):
            yield Finding(path, line, f"the link to {match[1]} leads nowhere: correct it")
        elif anchor and file.endswith(".md") and anchor not in _anchors(tree.text(file)):
            yield Finding(path, line, f"{file} has no heading #{anchor}: correct the link")


def _anchors(text):
    headings = re.findall(r"^#+[ \t]+(.*?)[ \t]*$", _FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _make_targets(tree):
    if not tree.has("Makefile"):
        return set()
    return set(re.findall(r"^([\w./-]+):(?!=)", tree.text("Makefile"), re.MULTILINE))


def _check_make(path, text, targets):
    for match in re.finditer(r"(?:`|^[ \t]*\$?[ \t]*)make ([a-z][\w-]*)(?=[`\s])(?=[^\n]*`|[^`\n]*$)", text, re.MULTILINE):
        inline = match[0].startswith("`")
        fenced = any(fence.start() < match.start() < fence.end() for fence in _FENCE.finditer(text))
        if (inline or fenced) and match[1] not in targets:
            yield Finding(path, line_of(text, match.start(1)), f"the Makefile has no target '{match[1]}'")


def _check_snippets(tree, path, text):
    for fence in _FENCE.finditer(text):
        if fence[2] not in ("cpp", "c++", "cc", "cxx"):
            continue
        line = line_of(text, fence.start())
        snippet = _SNIPPET.search(text, 0, fence.start())
        if not snippet:
            yield Finding(path, line, "C++ in a document comes from a file that compiles: put "
                                      "'<!-- snippet: examples/NAME.cpp -->' above the block")
        elif not tree.has(snippet[1]):
            yield Finding(path, line, f"the snippet's file {snippet[1]} does not exist")
        elif fence[3].strip("\n") != snippet_of(tree.text(snippet[1])):
            yield Finding(path, line, f"differs from {snippet[1]}: run 'scripts/check_tree.py --update-snippets'")


def snippet_of(text):
    """The part of a source between '// [snippet]' and '// [/snippet]', or all of it."""
    region = _REGION.search(text)
    return textwrap.dedent(region[1] if region else text).strip("\n")


def with_snippets(tree, path):
    """A document with each block of code replaced by what its file says now."""
    text = tree.text(path)

    def renewed(fence):
        snippet = _SNIPPET.search(text, 0, fence.start())
        if not snippet or not tree.has(snippet[1]):
            return fence[0]
        return f"{fence[1]}{fence[2]}\n{snippet_of(tree.text(snippet[1]))}\n{fence[1]}"

    return _FENCE.sub(renewed, text)
