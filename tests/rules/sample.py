"""Makes small trees for the rules to look at."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from tree_rules.tree import Tree  # noqa: E402


class RuleTest(unittest.TestCase):
    """A test of one kind of rule, which the class names as `rule`."""

    rule = None

    def tree(self, files):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        for path, text in files.items():
            file = Path(directory.name) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return Tree(directory.name)

    def findings(self, files):
        return list(self.rule.check(self.tree(files)))

    def assert_flagged(self, files, path, line, words):
        """Exactly one finding, there, saying that."""
        found = self.findings(files)
        self.assertEqual(len(found), 1, msg="\n".join(map(str, found)) or "nothing was flagged")
        self.assertEqual((found[0].path, found[0].line), (path, line), msg=str(found[0]))
        self.assertIn(words, found[0].message)

    def assert_clean(self, files):
        self.assertEqual([str(finding) for finding in self.findings(files)], [])
