"""What the pages "Coming from" say one writes here stands in a program that is compiled and run."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ROW = re.compile(r"^\|(.*)\|([^|]*)\|$", re.MULTILINE)


def words(text):
    return " ".join(text.split())


class ComingFrom(unittest.TestCase):
    def test_what_the_tables_have_is_compiled(self):
        program = words((ROOT / "examples/coming_from.cpp").read_text())
        pages = sorted((ROOT / "docs/guide").glob("coming-from-*.md"))
        self.assertGreaterEqual(len(pages), 5)
        for page in pages:
            table = [match for match in ROW.finditer(page.read_text()) if "---" not in match[0] and "you write" not in match[0]]
            self.assertGreater(len(table), 8, page.name)
            for row in table:
                for code in re.findall(r"`([^`]+)`", row[2]):
                    with self.subTest(page=page.name, code=code):
                        self.assertIn(words(code), program)


if __name__ == "__main__":
    unittest.main()
