#!/usr/bin/env python3
"""In shared libraries only what a header declares that others may see is visible.

    symbols_test.py INCLUDE_DIR LIBRARY... -- HEADER...

HEADER: one of the library's own that another library of ours or a test needs.
"""

import re
import subprocess
import sys
from pathlib import Path

NAMESPACES = {"eddy", "apps", "backends", "curl", "detail", "etcd", "fs", "http", "io", "os", "pq", "redis", "rpc", "sync", "testing"}
WORD = re.compile(r"[A-Za-z_]\w*")
# vtables and the like are named after a class, and what stands in a function after that.
PREFIX = re.compile(r"^(?:vtable|typeinfo name|typeinfo|VTT|construction vtable|guard variable|TLS init function|"
                    r"TLS wrapper function|non-virtual thunk to|virtual thunk to|covariant return thunk to) (?:for |to )?")


def words(paths):
    return {word for path in paths for word in WORD.findall(path.read_text(encoding="utf-8"))}


def visible(library):
    listed = subprocess.run(["nm", "-DC", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        yield PREFIX.sub("", line.split(" ", 2)[2].split("@")[0])


def owner(symbol):
    """The namespaces of a symbol and the class or function there, without what stands in that: ["eddy", "tcp_stream"]."""
    depth, plain = 0, []
    for at, letter in enumerate(symbol.replace("[abi:cxx11]", "")):
        if letter == "(" and depth == 0:
            break
        depth += (letter == "<") - (letter == ">")
        if depth == 0 and letter != ">":
            plain.append(letter)
    names = "".join(plain).split(" ")[-1].split("::")  # what stands in front is the result's type
    return names[:next((at for at, name in enumerate(names) if name not in NAMESPACES), len(names)) + 1]


def main():
    include, rest = Path(sys.argv[1]), sys.argv[2:]
    libraries, headers = rest[:rest.index("--")], rest[rest.index("--") + 1:]
    declared = words([*include.rglob("*.hpp"), *map(Path, headers)])
    hidden, count = {}, 0
    for library in libraries:
        for symbol in visible(library):
            count += 1
            names = owner(symbol)
            if names[0] == "eddy" and names[-1] not in declared:
                hidden.setdefault(symbol, Path(library).name)
    for symbol, library in sorted(hidden.items()):
        print(f"{library}: {symbol} is visible, and no header for others declares it")
    print(f"{count} symbols of {len(libraries)} libraries, {len(hidden)} too many")
    return int(bool(hidden) or count == 0)


if __name__ == "__main__":
    sys.exit(main())
