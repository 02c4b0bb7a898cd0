from sample import RuleTest
from tree_rules import words


class Comments(RuleTest):
    rule = words

    def test_each_banned_turn_is_flagged_with_its_replacement(self):
        for line, instead in (
            ("// Nobody waits here.", "no task"),
            ("int a = 1;  // somebody's", "another task"),
            ("/// Whoever waits is resumed.", "name the task"),
            ("/// A task who waits.", "or write 'that'"),
            ("/* The caller is told. */", "reports"),
            ("// It tells whether it is open.", "returns"),
            ("/// What was asked for.", "requested"),
            ("// Given back by and by.", "gradually"),
            ("// Tried in vain.", "has no effect"),
            ("// Then it lets go of the lock.", "releases"),
            ("// No memory is to be had.", "available"),
            ("/// Waits for the jobs, and lets them be.", "does not own"),
            ("// One had better look first.", "should"),
            ("// Any byte, be it the last.", "or"),
            ("/// Gives the number of bytes.", "returns"),
            ("/// Reads some bytes; gives their number.", "returns"),
        ):
            with self.subTest(line):
                self.assert_flagged({"src/io/ring.cpp": f"int b;\n{line}\n"}, "src/io/ring.cpp", 2, instead)

    def test_a_turn_may_be_broken_across_lines(self):
        self.assert_flagged({"include/eddy/io/a.hpp": "/// Freed by\n/// and by.\n"}, "include/eddy/io/a.hpp", 1, "gradually")

    def test_code_strings_names_and_examples_are_no_prose(self):
        self.assert_clean({"src/io/a.cpp": 'int asked(int who);\nauto a = "nobody";\n// `told` is called.\n'
                                           "// An example:\n//\n//     co_await asked.somebody();\n"})

    def test_similar_words_are_fine(self):
        self.assert_clean({"src/io/a.cpp": "// The whole of it, whose end is known. The caller gives up. Tell A from B. Let it run.\n"})

    def test_tests_and_benchmarks_are_not_looked_at(self):
        self.assert_clean({"tests/io/a_test.cpp": "// nobody\n", "bench/a.cpp": "// nobody\n"})


class Documents(RuleTest):
    rule = words

    def test_prose_is_looked_at(self):
        for path in ("README.md", "CONTRIBUTING.md", "docs/architecture/io.md", "docs/httpd.md", "docs/guide/time.md"):
            with self.subTest(path):
                self.assert_flagged({path: "# Title\n\nNobody waits.\n"}, path, 3, "no task")

    def test_code_names_links_and_the_changelog_are_not(self):
        self.assert_clean({"docs/httpd.md": "```sh\nwho\n```\nThe option `--who`, see [this](who.md).\n",
                           "CHANGELOG.md": "nobody\n", "docs/benchmarks.md": "nobody\n"})
