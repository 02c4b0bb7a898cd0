"""The named modules export every public name of the headers, and no header of a user defines a macro.

`scripts/check_tree.py --update-modules` writes the interface units anew from the headers.
"""

import re
from dataclasses import dataclass
from functools import cache

from .tree import Finding, code_only, line_of

DIRECTORY = "modules"


@dataclass(frozen=True)
class Module:
    """A named module: the directories and headers beneath include/eddy that it exports, and the modules that come with it."""

    name: str
    what: str
    sources: tuple
    imports: tuple = ()
    without: str = ""


# What needs a library that not every user has (nlohmann's, protobuf), or changes the program that includes it, stays a header.
HEADERS_ONLY = r"/(json|protobuf|replace_new)\.hpp$"

MODULES = (
    Module("eddy", "tasks, workers, synchronisation, streams, sockets, files and processes",
           ("eddy.hpp", "core", "io", "runtime", "sync", "combine", "stream", "net", "fs", "os")),
    Module("eddy.testing", "what proves code that uses the library", ("testing",), ("eddy",)),
    Module("eddy.tls", "TLS over any stream", ("tls",), ("eddy",)),
    Module("eddy.http", "servers and clients of HTTP, WebSocket", ("http.hpp", "http"), ("eddy.tls",),
           without=r"/http/(h2/|http2\.hpp$)"),
    Module("eddy.http2", "HTTP/2 for servers and clients", ("http/http2.hpp", "http/h2"), ("eddy.http",)),
    Module("eddy.rpc", "calls between programs, as gRPC has them", ("rpc.hpp", "rpc"), ("eddy.http2",)),
    Module("eddy.etcd", "a client of etcd", ("etcd.hpp", "etcd"), ("eddy.rpc",)),
    Module("eddy.curl", "libcurl", ("integrations/curl",), ("eddy",)),
    Module("eddy.pq", "PostgreSQL", ("integrations/pq",), ("eddy",)),
    Module("eddy.redis", "Redis", ("integrations/redis",), ("eddy.tls",)),
)

_TOKEN = re.compile(r"[A-Za-z_]\w*|::|<=>|==|!=|->|&&|\|\||[^\s\w]")
_HIDDEN = {"detail", "replacing"}


def check(tree):
    yield from _check_units(tree)
    yield from _check_macros(tree)


def update(tree):
    """Writes every unit anew."""
    for module in MODULES:
        if headers(tree, module):
            (tree.root / DIRECTORY).mkdir(exist_ok=True)
            (tree.root / unit(module)).write_text(text(tree, module), encoding="utf-8")


def unit(module):
    return f"{DIRECTORY}/{module.name}.cppm"


@cache
def headers(tree, module):
    """The headers that a module exports."""
    return [path for path in tree.below("include/eddy", suffixes=".hpp")
            if "/detail/" not in path and not re.search(HEADERS_ONLY, path) and _belongs_to(path, module)]


def _belongs_to(path, module):
    if module.without and re.search(module.without, path):
        return False
    return any(path.startswith(f"include/eddy/{source}/") or path == f"include/eddy/{source}" for source in module.sources)


@cache
def declaring(tree, module):
    """The same with the internal headers that come with them: what those declare outside of `detail` may be named, too."""
    found = set(headers(tree, module))
    new = found
    while new:
        new = {f"include/{name}" for path in new for _, name, _ in tree.includes(path)
               if tree.has(f"include/{name}") and _belongs_to(f"include/{name}", module)} - found
        found |= new
    return sorted(found)


def names(code):
    """The public names that a header declares at the scope of a namespace, as {(namespace, name): position}."""
    found = {}
    # What the preprocessor reads declares nothing.
    code = re.sub(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", lambda match: re.sub(r"[^\n]", " ", match[0]), code_only(code), flags=re.MULTILINE)
    tokens = [(match[0], match.start()) for match in _TOKEN.finditer(code)]
    _read_scope(tokens, 0, (), found)
    return found


def _read_scope(tokens, at, scope, found):
    """Reads the declarations of a namespace from tokens[at] to its closing brace; returns what follows that."""
    while at < len(tokens):
        token = tokens[at][0]
        if token == "}":
            return at + 1
        if token == "namespace" or (token == "inline" and at + 1 < len(tokens) and tokens[at + 1][0] == "namespace"):
            at += 2 if token == "inline" else 1
            path = []
            while tokens[at][0] not in "{=":
                if tokens[at][0] not in ("::", "inline"):
                    path.append(tokens[at][0])
                at += 1
            at = _read_scope(tokens, at + 1, scope + tuple(path), found)
        else:
            at = _read_declaration(tokens, at, scope, found)
    return at


def _read_declaration(tokens, at, scope, found):
    """Reads one declaration, with its body; returns what follows it."""
    head = []
    enumerators = []
    is_body = False
    depth = 0
    while at < len(tokens):
        token = tokens[at][0]
        at += 1
        if token in "([":
            depth += 1
        elif token in ")]":
            depth -= 1
        elif token == "{":
            # Braces of an initialiser or of a constraint are passed over, those of a body end the declaration.
            end = _after_brace(tokens, at)
            if depth == 0 and _opens_body(head):
                enumerators += _enumerators(head, tokens[at:end - 1])
                at, is_body = end, True
                if not _is_type(head):
                    break
                continue
            at = end
            head.append(("{}", tokens[at - 1][1]))
            continue
        elif token == ";" and depth == 0:
            break
        if not is_body:
            head.append(tokens[at - 1])
    for name, position in [_declared_name(head), *enumerators]:
        if name and scope and scope[0] == "eddy" and not _HIDDEN & set(scope):
            found.setdefault(("::".join(scope), name), position)
    return at


def _after_brace(tokens, at):
    depth = 1
    while depth > 0:
        depth += {"{": 1, "}": -1}.get(tokens[at][0], 0)
        at += 1
    return at


def _without_template(head):
    """The declaration without template<...> and what is in front of it, and without attributes and constraints."""
    plain = []
    at = 0
    while at < len(head):
        token = head[at][0]
        if token == "template" and at + 1 < len(head) and head[at + 1][0] == "<":
            at = _after_angle(head, at + 1)
        elif token == "[" and at + 1 < len(head) and head[at + 1][0] == "[":
            depth = 0
            while True:
                depth += {"[": 1, "]": -1}.get(head[at][0], 0)
                at += 1
                if depth == 0:
                    break
        elif token in ("alignas", "requires"):
            at = _after_constraint(head, at)
        else:
            plain.append(head[at])
            at += 1
    return plain


def _after_constraint(head, at):
    """What follows `requires a && (b) && c<d>`, a requires expression, or alignas(x)."""
    is_operand = True
    at += 1
    while at < len(head):
        token = head[at][0]
        if token in ("&&", "||"):
            is_operand = True
            at += 1
        elif token == "!":
            at += 1
        elif token == "(":
            at = _after_paren(head, at)
            is_operand = at < len(head) and head[at][0] == "{}"
        elif token == "<":
            at = _after_angle(head, at)
        elif token == "::":
            is_operand = True
            at += 1
        elif token == "{}":
            at += 1
            is_operand = False
        elif is_operand:
            at += 1
            is_operand = token == "requires"
        else:
            break
    return at


def _after_paren(head, at):
    depth = 0
    while at < len(head):
        depth += {"(": 1, ")": -1}.get(head[at][0], 0)
        at += 1
        if depth == 0:
            break
    return at


def _after_angle(head, at):
    depth = 0
    while at < len(head):
        token = head[at][0]
        if token == "(":
            at = _after_paren(head, at)
            continue
        depth += {"<": 1, ">": -1}.get(token, 0)
        at += 1
        if depth == 0:
            break
    return at


_TYPES = {"class", "struct", "union", "enum"}
_LEADING = {"inline", "constexpr", "consteval", "constinit", "static", "extern", "friend", "explicit", "virtual"}


def _is_type(head):
    plain = [token for token, _ in _without_template(head) if token not in _LEADING]
    return bool(plain) and plain[0] in _TYPES


def _opens_body(head):
    """Whether a brace after this opens the body of a type or a function, not an initialiser."""
    plain = [token for token, _ in _without_template(head)]
    if not plain:
        return False
    kept = [token for token in plain if token not in _LEADING]
    depth, is_initialised = 0, False
    for token in plain:
        depth += {"(": 1, ")": -1}.get(token, 0)
        is_initialised |= token == "=" and depth == 0
    return bool(kept) and not is_initialised and (kept[0] in _TYPES or "(" in plain)


_NOTHING = ("", 0)


def _enumerators(head, body):
    """The names that an enumeration without a scope puts beside its own."""
    plain = [token for token, _ in _without_template(head)]
    if "enum" not in plain or "class" in plain or "struct" in plain:
        return []
    return [entry for before, entry in zip([(",", 0), *body], body) if before[0] == "," and re.match(r"[A-Za-z_]", entry[0])]


def _declared_name(head):
    plain = [entry for entry in _without_template(head) if entry[0] not in _LEADING]
    if not plain:
        return _NOTHING
    first = plain[0][0]
    if first in ("static_assert", "asm"):
        return _NOTHING
    if first in ("concept", "using"):
        return _NOTHING if plain[1][0] in ("namespace", "enum") else _using_name(plain)
    if first in _TYPES:
        at = 2 if plain[1][0] in ("class", "struct") else 1
        # A specialisation has no name of its own, nor has a member that is defined outside.
        if at + 1 < len(plain) and plain[at + 1][0] in ("<", "::"):
            return _NOTHING
        return plain[at]
    return _function_or_variable(plain)


def _using_name(plain):
    tokens = [token for token, _ in plain]
    return plain[1] if "=" in tokens else plain[-1]


def _function_or_variable(plain):
    at = 0
    last = None
    while at < len(plain):
        token, position = plain[at]
        if token == "operator":
            end = at + 1
            spelled = ""
            while end < len(plain) and (plain[end][0] != "(" or not spelled):
                spelled += (" " if plain[end][0][0].isalpha() else "") + plain[end][0]
                end += 1
                if spelled == "(":
                    end += 1
                    spelled = "()"
            return (f"operator{spelled}", position)
        if token == "(":
            break
        if token in ("=", "{}"):
            break
        if token == "<":
            at = _after_angle(plain, at)
            if at < len(plain) and plain[at][0] == "(":  # a specialisation
                return _NOTHING
            continue
        if re.match(r"[A-Za-z_]", token):
            if at > 0 and plain[at - 1][0] == "::" and at + 1 < len(plain) and plain[at + 1][0] == "(":
                return _NOTHING  # defined outside of its class
            last = (token, position)
        at += 1
    return last


def exported(tree, module):
    """The names that a module has to export, as {namespace: {name: (path, line)}}."""
    found = {}
    for path in declaring(tree, module):
        for (namespace, name), position in names(tree.text(path)).items():
            found.setdefault(namespace, {}).setdefault(name, (path, line_of(tree.text(path), position)))
    return found


def text(tree, module):
    """The unit as it has to be."""
    lines = [f"// The module {module.name}: {module.what}.",
             "// Written by scripts/check_tree.py --update-modules from the public headers.",
             "module;",
             ""]
    lines += [f"#include <{path.removeprefix('include/')}>" for path in headers(tree, module)]
    lines += ["", f"export module {module.name};", ""]
    if module.imports:
        lines += [f"export import {name};" for name in module.imports] + [""]
    for namespace, declared in sorted(exported(tree, module).items()):
        lines.append(f"export namespace {namespace} {{")
        lines += [f"using {namespace}::{name};" for name in sorted(declared)]
        lines += [f"}}  // namespace {namespace}", ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _check_units(tree):
    for module in MODULES:
        path = unit(module)
        if not headers(tree, module):
            continue
        if not tree.has(path):
            yield Finding(path, 1, f"the module {module.name} has no interface unit: run scripts/check_tree.py --update-modules")
            continue
        written = tree.text(path)
        has = set(re.findall(r"^using (\S+(?: \S+)?);$", written, re.MULTILINE))
        clean = True
        for namespace, declared in exported(tree, module).items():
            for name, (header, line) in declared.items():
                if f"{namespace}::{name}" not in has:
                    clean = False
                    yield Finding(header, line, f"{path} does not export {namespace}::{name}: run scripts/check_tree.py --update-modules")
        if clean and written != text(tree, module):
            yield Finding(path, 1, "is not what the public headers say: run scripts/check_tree.py --update-modules")


def _check_macros(tree):
    """A module exports no macro, so no public header may have one but such as have nothing else."""
    for path in tree.below("include/eddy", suffixes=".hpp"):
        if "/detail/" in path:
            continue
        code = code_only(tree.text(path))
        macro = re.search(r"^[ \t]*#[ \t]*define\b", code, re.MULTILINE)
        if macro and names(tree.text(path)):
            yield Finding(path, line_of(code, macro.start()), "a macro, which no module can export, has a header of its own")
