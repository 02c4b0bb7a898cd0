"""The examples of public headers are found, and what stands around them is checked."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import header_examples  # noqa: E402

HEADER = """#pragma once

/// A thing.
///
///     thing one(...);
///
///     one.go();
///
/// - Not an example, but
///   a list.
class thing;
    //
    //     two();
"""


class HeaderExamples(unittest.TestCase):
    def test_blocks_that_are_indented_are_examples(self):
        self.assertEqual(header_examples.examples(HEADER), [(5, "thing one(...);\n\none.go();"), (13, "two();")])

    def test_what_a_reader_fills_in_is_nothing(self):
        self.assertEqual(header_examples.filled_in("while (go()) ...\n    ...\nf(a...);"),
                         "while (go()) {}\n    {}\nf(a...);")

    def written(self, contexts):
        with tempfile.TemporaryDirectory() as root:
            directory = pathlib.Path(root) / "include/eddy/core"
            directory.mkdir(parents=True)
            (directory / "thing.hpp").write_text(HEADER)
            return header_examples.write(pathlib.Path(root), "core", contexts)

    def test_an_example_is_the_body_of_a_coroutine_or_what_its_context_says(self):
        plain = self.written({})
        self.assertIn("task<> example() {\n#line 13 \"core/thing.hpp\"\ntwo();\nco_return;\n}", plain)
        said = self.written({"core/thing.hpp": [None, {"given": "int a", "meaning": {"two()": "use(a)"}}]})
        self.assertNotIn("one.go()", said)
        self.assertIn("task<> example(int a) {\n#line 13 \"core/thing.hpp\"\nuse(a);\nco_return;\n}", said)

    def test_a_context_whose_example_has_gone_or_changed_is_an_error(self):
        for wrong in ({"core/thing.hpp": [{}]}, {"core/other.hpp": [{}]},
                      {"core/thing.hpp": [{"meaning": {"three()": "two()"}}, {}]}):
            with self.assertRaises(ValueError):
                self.written(wrong)


if __name__ == "__main__":
    unittest.main()
