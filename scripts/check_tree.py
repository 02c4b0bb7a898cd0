#!/usr/bin/env python3
"""Checks the rules of the tree: layers, banned calls, names, lengths, words, and what the documents claim.

    scripts/check_tree.py [DIRECTORY]              check the tree at DIRECTORY, or the one this file is in
    scripts/check_tree.py --update-snippets     renew the code in the documents from its files
    scripts/check_tree.py --update-modules      renew the interface units of the modules from the headers
"""

import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

from tree_rules import banned, documents, layers, modules, names, site, system_calls, words  # noqa: E402
from tree_rules.tree import Tree  # noqa: E402

RULES = (layers, system_calls, banned, names, words, documents, site, modules)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--update-snippets", action="store_true")
    parser.add_argument("--update-modules", action="store_true")
    arguments = parser.parse_args()

    tree = Tree(arguments.directory)
    if not tree.has("CMakeLists.txt"):
        sys.exit(f"check_tree: {arguments.directory} holds no CMakeLists.txt: not a tree to check")
    if arguments.update_snippets:
        for path in documents.documents(tree):
            (tree.root / path).write_text(documents.with_snippets(tree, path), encoding="utf-8")
        return

    if arguments.update_modules:
        modules.update(tree)
        return

    findings = sorted({finding for rule in RULES for finding in rule.check(tree)},
                      key=lambda finding: (finding.path, finding.line, finding.message))
    for finding in findings:
        print(finding)
    print(f"check_tree: {len(tree.files)} files, {len(findings)} findings")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
