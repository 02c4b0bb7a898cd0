#!/usr/bin/env python3
"""Compares the names that the compiler finds in the headers with those that the rule of the modules reads there.

    scripts/modules/check_names.py [COMPILER]

The rule (scripts/tree_rules/modules.py) has no compiler and reads declarations itself: here the compiler's list of
declarations (clang's -ast-list) shows what it overlooks.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from tree_rules import modules  # noqa: E402
from tree_rules.tree import Tree  # noqa: E402

# Parameters of requires expressions, which the compiler lists as if they were the namespace's; and of operators only friends
# are at this scope, which argument-dependent look-up finds.
NO_DECLARATIONS = {"buffers", "bytes", "candidate", "made", "operation", "out", "point", "sequence", "sink", "source", "stream",
                   "subtype", "text", "value", "whole", "operator==", "operator<=>"}
INCLUDED = ("eddy", "eddy.testing", "eddy.http", "eddy.http2", "eddy.rpc", "eddy.etcd", "eddy.curl", "eddy.pq", "eddy.redis")


def declared(compiler, headers):
    """The qualified names of all declarations in the headers."""
    with tempfile.TemporaryDirectory() as directory:
        source = Path(directory, "all.cpp")
        source.write_text("".join(f"#include <{path.removeprefix('include/')}>\n" for path in headers), encoding="utf-8")
        command = [compiler, "-std=c++23", "-fsyntax-only", "-I", str(ROOT / "include"), "-I/usr/include/postgresql",
                   "-Xclang", "-ast-list", str(source)]
        listed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return set(listed.splitlines())


def main():
    compiler = sys.argv[1] if len(sys.argv) > 1 else "clang++-22"
    tree = Tree(ROOT)
    headers = [path for module in modules.MODULES if module.name in INCLUDED for path in modules.headers(tree, module)]
    read = {f"{namespace}::{name}" for module in modules.MODULES
            for namespace, names in modules.exported(tree, module).items() for name in names}
    namespaces = {name.rpartition("::")[0] for name in read}
    # Types begin with a small letter here, parameters of templates with a capital.
    overlooked = sorted(name for name in declared(compiler, headers)
                        if name.rpartition("::")[0] in namespaces and re.fullmatch(r"[a-z_]\w*|operator\S+", name.rpartition("::")[2])
                        and name.rpartition("::")[2] not in NO_DECLARATIONS | {"detail"}
                        and name not in read and name not in namespaces)
    for name in overlooked:
        print(f"modules: {name} is declared, and scripts/tree_rules/modules.py does not see it", file=sys.stderr)
    print(f"modules: {len(read)} names, {len(overlooked)} overlooked")
    sys.exit(1 if overlooked else 0)


if __name__ == "__main__":
    main()
