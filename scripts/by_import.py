#!/usr/bin/env python3
"""Writes a source with imports of eddy's modules where it includes eddy's headers.

    scripts/by_import.py [--std] SOURCE OUTPUT

With --std, `import std;` takes the place of the standard library's headers, too, but for those of C that have macros.
Without, all of those are included that eddy's headers would have brought along. Headers that are in no module
(eddy/http/json.hpp, say) stay included.
"""

import argparse
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

from tree_rules import modules  # noqa: E402
from tree_rules.tree import Tree  # noqa: E402

# Headers of C whose macros programs use.
WITH_MACROS = {"cassert", "cerrno", "cfloat", "cinttypes", "climits", "cmath", "csignal", "cstdarg", "cstdio", "cstdlib", "ctime"}

# What sources find in eddy's headers without an include of their own: the header, and the names that show that it is used.
BROUGHT_ALONG = {
    "algorithm": r"ranges::\w+|m(?:in|ax)\b|sort|copy|find\w*|fill",
    "array": "array", "atomic": r"atomic\w*", "chrono": "chrono|literals", "coroutine": "",
    "cstddef": "size_t|byte|nullptr_t", "cstdint": r"u?int\d+_t", "exception": r"exception\w*", "expected": r"(?:un)?expected",
    "functional": "function|ref|hash", "memory": r"(?:make_)?(?:unique|shared)\w*", "optional": "optional|nullopt", "ranges": "views",
    "span": "span|as_bytes|as_writable_bytes", "string": r"string\b|to_string|stoi", "string_view": "string_view",
    "system_error": r"system_error|error_code|errc|make_error_code", "tuple": "tuple|tie", "utility": "move|forward|exchange|pair|swap",
    "variant": r"variant\w*|visit|get|holds_alternative", "vector": "vector"}

_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<([^>]+)>[ \t]*$")


def module_of_header(tree):
    """The module that exports each header, by what stands in an #include."""
    return {path.removeprefix("include/"): module.name for module in modules.MODULES for path in modules.headers(tree, module)}


def by_import(text, module_of, with_std, name):
    """The text with imports behind its last #include, its lines numbered as they were."""
    imported = set()
    lines = text.split("\n")
    last = None
    for at, line in enumerate(lines):
        if line.lstrip().startswith("#include"):
            last = at
        include = _INCLUDE.match(line)
        if not include:
            continue
        header = include[1]
        if header in module_of:
            imported.add(module_of[header])
        elif with_std and re.fullmatch(r"[a-z_]+", header) and header not in WITH_MACROS:
            imported.add("std")
        else:
            continue
        lines[at] = ""
    if imported:
        standard = [] if with_std else [f"#include <{header}>" for header, names in BROUGHT_ALONG.items()
                                        if not names or re.search(rf"\bstd::(?:{names})", text)]
        imports = [f"import {module};" for module in sorted(imported)]
        lines[last + 1:last + 1] = [*standard, *imports, f'#line {last + 2} "{name}"']
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--std", action="store_true")
    parser.add_argument("source", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    tree = Tree(Path(__file__).resolve().parent.parent)
    text = by_import(arguments.source.read_text(encoding="utf-8"), module_of_header(tree), arguments.std, arguments.source)
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
