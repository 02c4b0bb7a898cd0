"""Includes run one way between the modules, and the operating system is met in one place."""

import posixpath
import re

from . import picture
from .tree import Finding, code_only, line_of

# What each module may use, beside what those may use. The table in
# docs/architecture/README.md says the same.
MAY_USE = {
    "detail": [],
    "core": ["detail"],
    "io": ["core"],
    "backend": ["io"],
    "runtime": ["core", "io"],
    "testing": ["detail", "core", "io", "runtime"],
    "sync": ["core", "runtime"],
    "combine": ["core", "runtime", "sync"],
    "stream": ["core", "io", "combine"],
    "net": ["runtime", "combine", "stream", "io"],
    "fs": ["runtime", "stream", "io"],
    "os": ["runtime", "stream", "io"],
    "tls": ["stream", "combine"],
    "http": ["stream", "net", "fs", "combine", "tls"],
    "rpc": ["http"],
    "etcd": ["rpc"],
    "integrations": ["runtime", "net", "os", "tls"],
}

DOCUMENT = "docs/architecture/README.md"
PICTURE = "docs/architecture/modules.svg"

# The same within http, whose directories are parts of it.
HTTP_MAY_USE = {
    "message": [],
    "codec": ["message"],
    "server": ["codec"],
    "routing": ["server"],
    "files": ["routing"],
    "client": ["codec"],
    "websocket": ["server", "client"],
    "h2": ["routing", "client"],
}

# Programs are users of the library: they see its public headers only.
PROGRAMS = ("apps", "examples", "bench")

_SYSTEM_HEADER = re.compile(
    r"(sys|linux|netinet|arpa|net|asm|liburing)/.*\.h"
    r"|(liburing|unistd|fcntl|poll|pthread|sched|netdb|dirent|dlfcn|termios|signal|spawn|pwd|grp|ifaddrs"
    r"|execinfo|ucontext|semaphore|mqueue|aio|ftw|glob|syslog|windows|winsock2|ws2tcpip)\.h"
)
_PLATFORM_TEST = re.compile(
    r"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|elifdef)\b[^\n]*"
    r"\b(?:__linux__|__linux|__unix__|_WIN32|_WIN64|__APPLE__|__FreeBSD__)\b",
    re.MULTILINE,
)


def check(tree):
    yield from _check_directions(tree)
    yield from _check_http(tree)
    yield from _check_factory(tree)
    yield from _check_programs(tree)
    yield from _check_border(tree)
    yield from _check_system(tree)
    yield from _check_table(tree)
    yield from _check_picture(tree)
    yield from _check_ground(tree)


def reachable(module, may_use=MAY_USE):
    """The module and all that it may use, directly or through others."""
    found = {module}
    for used in may_use[module]:
        found |= reachable(used, may_use)
    return found


def module_of(path):
    """The module that a file of the library belongs to, or None."""
    parts = path.split("/")
    if parts[:2] == ["include", "eddy"] and len(parts) > 3:
        return parts[2]
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    return None


def _included_module(tree, path, name, is_quoted):
    """The module of an included file of ours, '' for the header that gathers all, or None."""
    if name.startswith("eddy/"):
        return module_of(f"include/{name}") or ""
    if is_quoted and not tree.has(posixpath.join(posixpath.dirname(path), name)):
        first = name.split("/")[0]
        return first if first in MAY_USE else None
    return None


def _check_directions(tree):
    for path in tree.below("include/eddy", "src"):
        module = module_of(path)
        if module is None:
            continue
        if module not in MAY_USE:
            yield Finding(path, 1, f"module '{module}' is unknown; name it and what it may use in "
                                   f"{DOCUMENT} and in MAY_USE of scripts/tree_rules/layers.py")
            continue
        for line, name, is_quoted in tree.includes(path):
            included = _included_module(tree, path, name, is_quoted)
            if included == "":
                yield Finding(path, line, f"<{name}> gathers the modules for users; include the headers you need")
            elif included is None or included in reachable(module):
                continue
            elif not (module == "runtime" and included == "backend" and path.startswith("src/")):
                yield Finding(path, line, f"'{module}' may not use '{included}' ({name}); move the code up, "
                                          "or put what is shared into a module that both may use")


def _check_http(tree):
    """Headers that stand in http itself gather those of the directories, for users."""
    for path in tree.below("include/eddy/http", "src/http"):
        directory = path.removeprefix("include/eddy/").removeprefix("src/").split("/")[1]
        if directory.endswith(".hpp"):
            continue
        if directory not in HTTP_MAY_USE:
            yield Finding(path, 1, f"stands in none of the directories of http: {', '.join(HTTP_MAY_USE)}")
            continue
        for line, name, _ in tree.includes(path):
            parts = name.removeprefix("eddy/").split("/")
            if parts[0] != "http":
                continue
            if len(parts) == 2:
                yield Finding(path, line, f"<{name}> gathers headers for users; include the ones you need")
            elif parts[1] not in reachable(directory, HTTP_MAY_USE):
                yield Finding(path, line, f"'http/{directory}' may not use 'http/{parts[1]}' ({name})")


def _check_factory(tree):
    """One file of the runtime names the backends."""
    users = [
        (path, line)
        for path in tree.below("src/runtime")
        for line in [min((line for line, name, is_quoted in tree.includes(path)
                          if _included_module(tree, path, name, is_quoted) == "backend"), default=0)]
        if line
    ]
    for path, line in users[1:]:
        yield Finding(path, line, f"only one file of the runtime names backends, and {users[0][0]} does already; "
                                  "use the contract in io")


def _check_programs(tree):
    for path in tree.below(*PROGRAMS):
        for line, name, is_quoted in tree.includes(path):
            own = tree.has(posixpath.join(posixpath.dirname(path), name))
            if not own and tree.has(f"src/{name}") and not name.startswith("eddy/"):
                yield Finding(path, line, f"programs use public headers only, and {name} is private; "
                                          "use or make a header in include/eddy/")


# Who sees public headers only, beside what measures internals.
OUTSIDE = (*PROGRAMS, "docs", "tests/install/consumer", "tests/header_examples")
MEASURES_INTERNALS = ("bench/micro/", "bench/sync/primitive_rounds.hpp")
_INCLUDED = re.compile(r'#[ \t]*include[ \t]*[<"](eddy/[\w/.]+)[>"]')


def is_internal(path):
    """Whether a header is one that templates and inline functions need, and users do not."""
    return "detail" in path.split("/")


def _check_border(tree):
    for path in tree.below(*OUTSIDE, suffixes=(".cpp", ".hpp", ".md")):
        for line, text in enumerate(tree.text(path).splitlines(), 1):
            for name in _INCLUDED.findall(text):
                if is_internal(name) and not path.startswith(MEASURES_INTERNALS):
                    yield Finding(path, line, f"<{name}> is internal; use or make a public header")
    for path in tree.below("include/eddy", suffixes=".hpp"):
        if module_of(path) and not is_internal(path) and _declares_internals_only(code_only(tree.text(path))):
            yield Finding(path, 1, "declares nothing that a user may name: move it to detail/")


def _declares_internals_only(code):
    """A macro is a public name, one that is declared beforehand is another header's. Headers that only include gather."""
    if re.search(r"^[ \t]*#[ \t]*define\b", code, re.MULTILINE):
        return False
    code = re.sub(r"^[ \t]*#.*$", "", code, flags=re.MULTILINE)
    public, depth = [], 0
    for piece in re.split(r"(namespace\s[\w:\s]*\bdetail\b[\w:\s]*\{|[{}])", code):
        if piece.endswith("{") and (depth or piece != "{"):
            depth += 1
        elif depth and piece == "}":
            depth -= 1
        elif not depth:
            public.append(piece)
    declared = re.sub(r"namespace[\w:\s]*(?=\{)|[{}]|(template\s*<[^;{}]*>\s*)?\b(class|struct)\s+[\w:]+\s*;", "", "".join(public))
    return bool(code.strip()) and not declared.strip()


def _check_system(tree):
    for path in tree.below("include", "src"):
        if path.startswith("src/backend/"):
            continue
        for line, name, _ in tree.includes(path):
            if _SYSTEM_HEADER.fullmatch(name):
                yield Finding(path, line, f"<{name}> belongs to the operating system, which is met only in "
                                          "src/backend/; put an operation into the contract in io")
    for path in tree.below("include", "src", "apps", "examples"):
        if path.startswith("src/backend/"):
            continue
        code = code_only(tree.text(path))
        for match in _PLATFORM_TEST.finditer(code):
            yield Finding(path, line_of(code, match.end()), "the platform is chosen in CMake and in the factory "
                                                            "of the backends; move this into src/backend/")


def _check_table(tree):
    """Rows of the document whose first cell names modules and whose last says what they may use; each module has a page."""
    document = DOCUMENT
    if not tree.has(document):
        return
    told = set()
    for line, text in enumerate(tree.text(document).splitlines(), 1):
        cells = [cell.strip() for cell in text.strip().strip("|").split("|")]
        modules = [name for name in re.findall(r"`([a-z]+)`", cells[0]) if name in MAY_USE]
        if not text.startswith("|") or len(cells) < 3 or not modules:
            continue
        told.update(modules)
        used = {word for word in re.findall(r"[a-z]+", cells[-1]) if word in MAY_USE}
        for module in modules:
            if used != set(MAY_USE[module]):
                yield Finding(document, line, f"says that '{module}' may use {_listed(used)}, and MAY_USE of "
                                              f"scripts/tree_rules/layers.py {_listed(MAY_USE[module])}: settle it")
    there = {module_of(path) for path in tree.below("include/eddy", "src")} & set(MAY_USE)
    for module in sorted(there - told):
        yield Finding(document, 1, f"has no row for '{module}': a row is | `module` | what it holds | what it may use |")
    for module in sorted(there):
        if not tree.has(page := f"{posixpath.dirname(document)}/{module}.md"):
            yield Finding(document, 1, f"{page} is missing: types, who owns whom, invariants with the file that holds each")


def _check_picture(tree):
    """The picture is that of the table, and each module has a caption."""
    if tree.has(PICTURE) and tree.text(PICTURE) != picture.draw(MAY_USE):
        yield Finding(PICTURE, 1, "differs from MAY_USE of scripts/tree_rules/layers.py: run scripts/draw_modules.py")


_GROUND = "eddy/detail/build.hpp"


def _check_ground(tree):
    """Every public header includes build.hpp, directly or through others: a header that includes none of ours includes it."""
    if not tree.has(f"include/{_GROUND}"):
        return
    for path in tree.below("include/eddy"):
        if not any(name.startswith("eddy/") for _, name, _ in tree.includes(path)):
            yield Finding(path, 1, f"include <{_GROUND}>: it says what a compiler must be capable of, and that program "
                                   "and library are built alike")


def _listed(modules):
    return ", ".join(sorted(modules)) or "nothing"
