"""What the documents say is there: paths, links, make targets, and code that compiles."""

import fnmatch
import posixpath
import re
import textwrap

from .tree import Finding, line_of

_DIRECTORIES = "include|src|tests|apps|bench|examples|scripts|cmake|course|site|fuzz|docs|packaging|debian|\\.ci"
_PATH = re.compile(rf"(?:{_DIRECTORIES})(?:/[\w.*-]+)*/?|[A-Z]+\.md|LICENSE|Makefile|CMake\w+\.(?:txt|json)|\.clang-\w+")
_HEADER = re.compile(r"<?(eddy/[\w/]+\.hpp)>?")
_FENCE = re.compile(r"^(```+|~~~+)[ \t]*(\w*)[^\n]*\n(.*?)^\1[ \t]*$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
_SNIPPET = re.compile(r"<!-- snippet: ([^\s#]+)(?:#([\w-]+))? -->\s*\Z")
_REGION = re.compile(r"^[ \t]*// \[snippet(?:: ([\w-]+))?\][ \t]*\n(.*?)^[ \t]*// \[/snippet\]", re.MULTILINE | re.DOTALL)
_MARKER = re.compile(r"^[ \t]*// \[/?snippet\b[^\n]*$", re.MULTILINE)

# How many lines a document has at the most: the first pattern that fits counts.
_LINES_MAX = (("README.md", 120), ("docs/architecture/*.md", 100), ("docs/benchmarks.md", 300), ("docs/guide/*.md", 220),
              ("course/lab*/README.md", 400))

# Where a reader of the course writes.
_READERS = "course/solution/"

# It tells of what was, so its paths need not be there any more.
_HISTORY = "CHANGELOG.md"


def documents(tree):
    return [path for path in tree.files if path.endswith(".md")]


def check(tree):
    targets = _make_targets(tree)
    quoted = set()
    for path in documents(tree):
        text = tree.text(path)
        yield from _check_length(path, text)
        prose = _FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
        yield from _check_links(tree, path, prose)
        if path != _HISTORY:
            yield from _check_paths(tree, path, prose)
            yield from _check_make(path, text, targets)
        yield from _check_snippets(tree, path, text, quoted)
    yield from _check_regions(tree, quoted)


def _check_length(path, text):
    lines = text.count("\n")
    for pattern, lines_max in _LINES_MAX:
        if fnmatch.fnmatch(path, pattern):
            if lines > lines_max:
                yield Finding(path, lines, f"has {lines} lines, and {lines_max} are the most: split it, or say less")
            return


def _check_paths(tree, path, prose):
    for match in re.finditer(r"`([^`\n]+)`", prose):
        words = match[1]
        header = _HEADER.fullmatch(words)
        named = f"include/{header[1]}" if header else words if _PATH.fullmatch(words) else None
        if named and named.startswith(_READERS):
            continue
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
        elif anchor and file.endswith(".md") and anchor not in anchors(tree.text(file)):
            yield Finding(path, line, f"{file} has no heading #{anchor}: correct the link")


def anchors(text):
    """Those of all headings of a document."""
    return {anchor_of(heading) for heading in re.findall(r"^#+[ \t]+(.*?)[ \t]*$", _FENCE.sub("", text), re.MULTILINE)}


def anchor_of(heading):
    """The anchor of a heading, as code hosts make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _make_targets(tree):
    if not tree.has("Makefile"):
        return set()
    rules = re.findall(r"^([\w./ -]+):(?!=)", tree.text("Makefile"), re.MULTILINE)
    return {target for targets in rules for target in targets.split()}


def _check_make(path, text, targets):
    for match in re.finditer(r"(?:`|^[ \t]*\$?[ \t]*)make ([a-z][\w-]*)(?=[`\s])(?=[^\n]*`|[^`\n]*$)", text, re.MULTILINE):
        inline = match[0].startswith("`")
        fenced = any(fence.start() < match.start() < fence.end() for fence in _FENCE.finditer(text))
        if (inline or fenced) and match[1] not in targets:
            yield Finding(path, line_of(text, match.start(1)), f"the Makefile has no target '{match[1]}'")


def _check_snippets(tree, path, text, quoted):
    for fence in _FENCE.finditer(text):
        if fence[2] not in ("cpp", "c++", "cc", "cxx"):
            continue
        line = line_of(text, fence.start())
        snippet = _SNIPPET.search(text, 0, fence.start())
        if not snippet:
            yield Finding(path, line, "C++ in a document comes from a file that compiles: put "
                                      "'<!-- snippet: examples/NAME.cpp#REGION -->' above the block")
            continue
        source, name = snippet.groups()
        quoted.add((source, name))
        if not tree.has(source):
            yield Finding(path, line, f"the snippet's file {source} does not exist")
        elif (excerpt := snippet_of(tree.text(source), name)) is None:
            yield Finding(path, line, f"{source} has no region '// [snippet: {name}]'")
        elif fence[3].strip("\n") != excerpt:
            yield Finding(path, line, f"differs from {source}: run 'scripts/check_tree.py --update-snippets'")


def _check_regions(tree, quoted):
    """Regions of sources are well-formed, and each is quoted by a document."""
    for path in tree.files:
        if not path.endswith((".cpp", ".hpp")):
            continue
        text = tree.text(path)
        regions = list(_REGION.finditer(text))
        names = [region[1] for region in regions]
        inside = sum(len(_MARKER.findall(region[0])) == 2 for region in regions)
        if inside != len(regions) or len(_MARKER.findall(text)) != 2 * len(regions):
            yield Finding(path, line_of(text, _MARKER.search(text).start()),
                          "a region for a document goes from '// [snippet: NAME]' to '// [/snippet]', and holds no other")
            continue
        for region, name in zip(regions, names):
            line = line_of(text, region.start())
            if names.count(name) > 1:
                yield Finding(path, line, f"two regions are named '{name}'")
            elif (path, name) not in quoted:
                yield Finding(path, line, f"no document quotes the region '{name}': quote it or take the markers away")


def snippet_of(text, name=None):
    """The region of a source that has this name, or None. Without a name: the region that has none, or all of it."""
    for region in _REGION.finditer(text):
        if region[1] == name:
            return textwrap.dedent(region[2]).strip("\n")
    return textwrap.dedent(text).strip("\n") if name is None else None


def with_snippets(tree, path):
    """A document with each block of code replaced by what its file says now."""
    text = tree.text(path)

    def renewed(fence):
        snippet = _SNIPPET.search(text, 0, fence.start())
        excerpt = snippet_of(tree.text(snippet[1]), snippet[2]) if snippet and tree.has(snippet[1]) else None
        return fence[0] if excerpt is None else f"{fence[1]}{fence[2]}\n{excerpt}\n{fence[1]}"

    return _FENCE.sub(renewed, text)
