#!/usr/bin/env python3
"""Writes the code examples in comments of public headers as C++ that is compiled.

    header_examples.py ROOT OUT_DIR MODULE...

An example is a block in a comment that is indented by five spaces and has an empty comment line in front of it. It is
the body of a coroutine in the namespace of its module, unless tests/header_examples/contexts.py says what stands around
it. "..." in it means what a reader fills in: nothing.
"""

import importlib.util
import pathlib
import re
import sys

_CODE = re.compile(r"^\s*///?     ?(\s*\S.*)$")
_EMPTY = re.compile(r"^\s*///?\s*$")


def examples(text):
    """The blocks of a header: (line, code) of each."""
    lines = text.split("\n")
    found = []
    at = 0
    while at < len(lines):
        if not (_CODE.match(lines[at]) and at > 0 and _EMPTY.match(lines[at - 1])):
            at += 1
            continue
        begin = at
        block = []
        while at < len(lines) and (_CODE.match(lines[at]) or (
                _EMPTY.match(lines[at]) and at + 1 < len(lines) and _CODE.match(lines[at + 1]))):
            code = _CODE.match(lines[at])
            block.append(code[1] if code else "")
            at += 1
        found.append((begin + 1, "\n".join(block)))
    return found


def filled_in(code):
    """The code without "..." that stands for something."""
    return re.sub(r"(?<![\w.])\.\.\.(?![\w.)>])", "{}", code)


def source(header, line, number, code, context):
    """An example with what stands around it."""
    for written, meant in context.get("meaning", {}).items():
        if written not in code:
            raise ValueError(f"{header}:{line}: the example has no longer {written!r}")
        code = code.replace(written, meant)
    code = filled_in(code)
    if not context.get("is_expression"):
        body = code
    else:
        body = "\n".join(f"static_cast<void>({one});" for one in re.sub(r" *//.*", "", code).split("\n"))
    spaces = context.get("namespaces", "")
    lines = [f"namespace example_{number} {{", spaces, context.get("before", ""), f'#line {line} "{header}"']
    if context.get("is_global"):
        lines.append(body)
    else:
        lines[3:3] = [f"[[maybe_unused]] {context.get('result', 'task<>')} example({context.get('given', '')}) {{"]
        lines += [body, context.get("end", "co_return;"), "}"]
    return "\n".join(lines + ["}"])


def write(root, module, contexts):
    """The examples of a module as one translation unit."""
    headers = sorted((root / "include/eddy" / module).rglob("*.hpp"))
    known = {name: list(all_of) for name, all_of in contexts.items() if name.split("/")[0] == module}
    parts = []
    includes = []
    number = 0
    for header in headers:
        name = str(header.relative_to(root / "include/eddy"))
        found = examples(header.read_text())
        said = known.pop(name, [{}] * len(found))
        if len(said) != len(found):
            raise ValueError(f"{name}: {len(found)} examples, and contexts.py has {len(said)}")
        includes += [f"#include <eddy/{name}>"] if found else []
        for (line, code), context in zip(found, said):
            number += 1
            if context is not None:
                parts.append(source(name, line, number, code, context))
    if known:
        raise ValueError(f"contexts.py has headers without examples: {', '.join(known)}")
    return "\n".join([f"// The examples in comments of the headers of '{module}', by scripts/header_examples.py.",
                      "#include <eddy/eddy.hpp>", *(["#include <eddy/http.hpp>"] if module in ("http", "rpc", "etcd") else []),
                      *(["#include <eddy/http/http2.hpp>"] if module == "rpc" else []),
                      *includes, '#include "header_examples/surroundings.hpp"', "",
                      # What an example declares it need not use.
                      '#pragma GCC diagnostic ignored "-Wunused-variable"',
                      '#pragma GCC diagnostic ignored "-Wunused-but-set-variable"', "",
                      "namespace eddy::header_examples {", *parts, "}", ""])


def main(root, out, modules):
    spec = importlib.util.spec_from_file_location("contexts", root / "tests/header_examples/contexts.py")
    contexts = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(contexts)
    for module in modules:
        made = write(root, module, contexts.CONTEXTS)
        path = out / f"{module}.cpp"
        if not path.exists() or path.read_text() != made:  # what is unchanged is not compiled again
            path.write_text(made)


if __name__ == "__main__":
    try:
        main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:])
    except ValueError as error:
        sys.exit(f"header_examples.py: {error}")
