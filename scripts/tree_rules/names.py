"""Where files are, what they are called, how long they are, and that they are built."""

import posixpath
import re

from .layers import MAY_USE, module_of
from .tree import Finding, code_only, line_of

LINES_MAX = 500
_MEASURED = (".cpp", ".hpp", ".py", ".sh", ".cmake", ".js", ".css", ".html", "CMakeLists.txt", "Makefile")
_BUILT = ("src", "tests", "apps", "examples", "bench", "fuzz")

# Types, and what looks like a function.
_LOCAL = re.compile(r"^namespace \{\n(.*?)^\}  // namespace$", re.MULTILINE | re.DOTALL)
_FUNCTION = re.compile(r"^[A-Za-z_\[][\w:<>,&*\[\] ]*?[ &*>](\w+)\(", re.MULTILINE)
_DECLARED = re.compile(r"\b(?:class|struct|concept|using) +(\w+)|\b(\w+)(?=\()")


def check(tree):
    yield from _check_lengths(tree)
    yield from _check_spelling(tree)
    yield from _check_headers(tree)
    yield from _check_stems(tree)
    yield from _check_namespaces(tree)
    yield from _check_local_functions(tree)
    yield from _check_built(tree)


def _check_lengths(tree):
    for path in tree.files:
        if path.endswith(_MEASURED):
            lines = tree.text(path).count("\n")
            if lines > LINES_MAX:
                yield Finding(path, lines, f"{lines} lines, at most {LINES_MAX}: find the second concept "
                                           "and give it a file")


def _check_spelling(tree):
    for path in tree.below("include", *_BUILT):
        if not re.fullmatch(r"[a-z][a-z0-9_]*", _stem(path)):
            yield Finding(path, 1, "file names are snake_case")


def _check_headers(tree):
    for path in tree.below("include", *_BUILT, suffixes=".hpp"):
        directives = re.findall(r"^[ \t]*#[ \t]*(.*?)[ \t]*$", code_only(tree.text(path)), re.MULTILINE)
        if not directives or directives[0] != "pragma once":
            yield Finding(path, 1, "a header's first directive is '#pragma once'")


def _check_stems(tree):
    """A source and a test are named after a header, or after something that a header declares."""
    headers = set()
    for path in tree.below("include/eddy", "src", suffixes=".hpp"):
        headers.add((module_of(path), _stem(path)))
        headers |= {(module_of(path), name) for name in [a or b for a, b in _DECLARED.findall(code_only(tree.text(path)))]}
    # The contract is declared in io, and parts of it (and what ends a program) are defined by the backends.
    headers |= {("backend", stem) for module, stem in headers if module == "io"} | {("backend", "assert")}
    for path in tree.below("src", suffixes=".cpp"):
        if (module_of(path), _stem(path)) not in headers:
            yield Finding(path, 1, f"no header of '{module_of(path)}' is called or declares {_stem(path)}: name it "
                                   "after its one concept")
    for path in tree.below("tests", suffixes="_test.cpp"):
        module = path.split("/")[1]
        # The backends share one suite, whose parts are named after what it asks of them.
        if module in MAY_USE and module != "backend" and (module, _stem(path).removesuffix("_test")) not in headers:
            yield Finding(path, 1, f"tests no header of '{module}': name it after the header or the name it tests, or, if it "
                                   "tests how several work together, move it to a directory that is no module's")


def _check_namespaces(tree):
    """Sources of tests are compiled several as one, so the names of each have a namespace of their own."""
    for path in tree.below("tests", suffixes="_test.cpp"):
        text = code_only(tree.text(path))
        if re.search(r"^namespace\b", text, re.MULTILINE) and not re.search(rf"^namespace (?:\w+::)*{_stem(path)} \{{$", text, re.MULTILINE):
            yield Finding(path, 1, f"what a test defines is in a namespace named like its source: '...::{_stem(path)}'")


def _check_local_functions(tree):
    """The sources of a library or program may be compiled as one, where a call could mean another file's function."""
    first = {}
    for path in tree.below("src", "apps", "examples", suffixes=".cpp"):
        code = code_only(tree.text(path))
        for local in _LOCAL.finditer(tree.text(path)):
            for match in _FUNCTION.finditer(code, *local.span(1)):
                other = first.setdefault((_library_of(tree, path), match[1]), path)
                if other != path:
                    yield Finding(path, line_of(code, match.start(1)),
                                  f"'{match[1]}' is a local function of {other}, too: say what each does in its name, "
                                  "or declare one in a header")


def _library_of(tree, path):
    """What is compiled with it: a library whose CMakeLists.txt names it, or the programs of its folder."""
    directory = posixpath.dirname(path)
    while directory and not tree.has(f"{directory}/CMakeLists.txt"):
        directory = posixpath.dirname(directory)
    if directory == "examples":  # each source is a program
        return path
    target = directory and re.search(r"\btarget_sources\((\w+)", tree.text(f"{directory}/CMakeLists.txt"))
    return target[1] if target else directory


def _check_built(tree):
    """A source that no CMakeLists.txt names is dead."""
    for path in tree.below(*_BUILT, suffixes=".cpp"):
        stem = _stem(path)
        # A function of CMake may add the suffix.
        words = f"{re.escape(stem)}|{re.escape(re.sub('_(test|fuzz|bench)$', '', stem))}"
        directory = posixpath.dirname(path)
        lists = []
        while directory:
            lists.append(posixpath.join(directory, "CMakeLists.txt"))
            directory = posixpath.dirname(directory)
        if not any(tree.has(file) and re.search(rf"(?<!\w)({words})(?!\w)", tree.text(file)) for file in lists):
            yield Finding(path, 1, f"no CMakeLists.txt names it: add it to {lists[0]}, or delete it")


def _stem(path):
    return posixpath.splitext(posixpath.basename(path))[0]
