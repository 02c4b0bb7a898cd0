"""Includes run one way between the modules, and the operating system is met in one place."""

import posixpath
import re

from .tree import Finding, code_only, line_of

# What each module may use, beside what those may use. The table in ARCHITECTURE.md says the same.
MAY_USE = {
    "base": [],
    "core": ["base"],
    "io": ["core"],
    "backend": ["io"],
    "runtime": ["core", "io"],
    "testing": ["base", "core", "io", "runtime"],
    "sync": ["core", "runtime"],
    "combine": ["core", "runtime", "sync"],
    "stream": ["core", "io", "combine"],
    "net": ["runtime", "stream", "io"],
    "fs": ["runtime", "stream", "io"],
    "os": ["runtime", "stream", "io"],
    "tls": ["stream", "combine"],
    "http": ["stream", "net", "fs", "combine", "tls"],
    "integrations": ["runtime", "net", "os", "tls"],
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
    yield from _check_factory(tree)
    yield from _check_programs(tree)
    yield from _check_system(tree)
    yield from _check_table(tree)


def reachable(module):
    """The module and all that it may use, directly or through others."""
    found = {module}
    for used in MAY_USE[module]:
        found |= reachable(used)
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
                                   "ARCHITECTURE.md and in MAY_USE of scripts/tree_rules/layers.py")
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
    """Rows of ARCHITECTURE.md whose first cell names modules and whose last says what they may use."""
    document = "ARCHITECTURE.md"
    if not tree.has(document):
        return
    told = set()
    for line, text in enumerate(tree.text(document).splitlines(), 1):
        cells = [cell.strip() for cell in text.strip().strip("|").split("|")]
        modules = [name for name in re.findall(r"`([a-z]+)", cells[0]) if name in MAY_USE]
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


def _listed(modules):
    return ", ".join(sorted(modules)) or "nothing"
