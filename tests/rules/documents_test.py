from sample import RuleTest
from tree_rules import documents


class Paths(RuleTest):
    rule = documents

    def test_a_path_that_is_there_is_fine(self):
        self.assert_clean({
            "README.md": "See `src/io/read.cpp`, `src/io/`, `src/*/read.cpp`, `<eddy/io/read.hpp>`, `Makefile`.\n",
            "src/io/read.cpp": "", "include/eddy/io/read.hpp": "", "Makefile": "",
        })

    def test_a_path_that_is_gone_is_flagged(self):
        for gone in ("src/io/write.cpp", "docs/", "ARCHITECTURE.md", "<eddy/io/write.hpp>", "src/*/write.cpp", ".ci/run"):
            with self.subTest(gone):
                self.assert_flagged({"README.md": f"# eddy\nSee `{gone}`.\n", "src/io/read.cpp": ""},
                                    "README.md", 2, f"`{gone}` does not exist")

    def test_what_gitignore_names_is_generated_and_there(self):
        self.assert_clean({"README.md": "`site/files/10MiB.bin`\n", ".gitignore": "/build/\n/site/files/10MiB.bin\n"})

    def test_placeholders_commands_and_build_products_are_no_paths(self):
        self.assert_clean({"README.md": "`src/<module>/`, `build/release/bin/x`, `PORT=1`, `eddy::task<T>`\n"})

    def test_the_changelog_may_name_what_was(self):
        self.assert_clean({"CHANGELOG.md": "Removed `src/io/old.cpp`.\n"})


class Lengths(RuleTest):
    rule = documents

    def test_a_document_that_is_too_long_is_flagged(self):
        for path, lines in (("README.md", 120), ("docs/architecture/io.md", 100), ("docs/benchmarks.md", 300)):
            with self.subTest(path):
                self.assert_clean({path: "word\n" * lines})
                self.assert_flagged({path: "word\n" * (lines + 1)}, path, lines + 1, f"{lines} are the most")

    def test_others_may_be_as_long_as_they_are(self):
        self.assert_clean({"CHANGELOG.md": "word\n" * 1000})


class Links(RuleTest):
    rule = documents

    def test_a_link_to_nowhere_is_flagged(self):
        self.assert_flagged({"docs/a.md": "[b](b.md)\n"}, "docs/a.md", 1, "leads nowhere")

    def test_links_resolve_from_their_document(self):
        self.assert_clean({"docs/a.md": "[b](../b.md#two-words) [w](https://example.org/x)\n", "b.md": "# Two words\n"})

    def test_a_link_to_a_missing_heading_is_flagged(self):
        self.assert_flagged({"a.md": "[b](#three)\n# Two\n"}, "a.md", 1, "no heading #three")


class Make(RuleTest):
    rule = documents
    makefile = {"Makefile": "PORT ?= 1\nrun: build\n\techo\nbuild:\n"}

    def test_targets_that_are_there_are_fine(self):
        self.assert_clean(self.makefile | {"README.md": "`make run PORT=1`\n```sh\nmake build\n```\n"})

    def test_targets_that_are_not_are_flagged(self):
        self.assert_flagged(self.makefile | {"README.md": "# a\n`make serve`\n"}, "README.md", 2, "no target 'serve'")
        self.assert_flagged(self.makefile | {"README.md": "```sh\nmake serve  # x\n```\n"}, "README.md", 2, "'serve'")

    def test_prose_is_no_command(self):
        self.assert_clean(self.makefile | {"README.md": "All that\nmake sense of `it`.\n"})


class Snippets(RuleTest):
    rule = documents
    hello = {"examples/hello.cpp": "#include <a>\n// [snippet]\n    int main() {\n        f();\n    }\n// [/snippet]\n"}
    marked = "<!-- snippet: examples/hello.cpp -->\n"
    block = "```cpp\nint main() {\n    f();\n}\n```\n"

    def test_a_block_like_its_file_is_fine(self):
        self.assert_clean(self.hello | {"README.md": self.marked + self.block})

    def test_a_block_that_differs_is_flagged(self):
        self.assert_flagged(self.hello | {"README.md": self.marked + self.block.replace("f()", "g()")},
                            "README.md", 2, "--update-snippets")

    def test_a_block_from_nowhere_is_flagged(self):
        self.assert_flagged({"README.md": "text\n" + self.block}, "README.md", 2, "comes from a file")

    def test_a_block_whose_file_is_gone_is_flagged(self):
        self.assert_flagged({"README.md": self.marked + self.block}, "README.md", 2, "does not exist")

    def test_a_file_without_a_region_counts_whole(self):
        self.assert_clean({"README.md": "<!-- snippet: examples/a.cpp -->\n```cpp\nint a;\n```\n",
                           "examples/a.cpp": "int a;\n"})

    def test_updating_mends_the_block_and_touches_nothing_else(self):
        text = "before\n\n" + self.marked + "```cpp\nold\n```\n\nafter\n```sh\nls\n```\n"
        tree = self.tree(self.hello | {"README.md": text})
        self.assertEqual(documents.with_snippets(tree, "README.md"), text.replace("```cpp\nold\n```\n", self.block))


class NamedSnippets(RuleTest):
    rule = documents
    source = {"examples/two.cpp": "// [snippet: one]\nf();\n// [/snippet]\n\n// [snippet: other]\n    g();\n// [/snippet]\n"}
    one = "<!-- snippet: examples/two.cpp#one -->\n```cpp\nf();\n```\n"
    other = "<!-- snippet: examples/two.cpp#other -->\n```cpp\ng();\n```\n"

    def test_each_region_is_quoted_by_its_name(self):
        self.assert_clean(self.source | {"docs/a.md": self.one, "docs/b.md": self.other})

    def test_a_block_like_another_region_is_flagged(self):
        self.assert_flagged(self.source | {"a.md": self.one + self.other.replace("g()", "f()")}, "a.md", 6, "differs from")

    def test_a_region_that_is_not_there_is_flagged(self):
        self.assert_flagged({"a.md": self.one.replace("two", "a"), "examples/a.cpp": "f();\n"}, "a.md", 2, "no region")

    def test_a_region_that_nobody_quotes_is_flagged(self):
        self.assert_flagged(self.source | {"a.md": self.one}, "examples/two.cpp", 5, "no document quotes the region 'other'")

    def test_a_region_without_an_end_is_flagged(self):
        self.assert_flagged({"src/a.cpp": "int a;\n// [snippet: one]\nf();\n"}, "src/a.cpp", 2, "holds no other")

    def test_a_region_inside_another_is_flagged(self):
        self.assert_flagged({"src/a.cpp": "// [snippet: one]\n// [snippet: other]\nf();\n// [/snippet]\n"},
                            "src/a.cpp", 1, "holds no other")

    def test_two_regions_of_one_name_are_flagged(self):
        twice = "// [snippet: one]\nf();\n// [/snippet]\n"
        tree = {"examples/two.cpp": twice * 2, "a.md": self.one}
        self.assertEqual([finding.line for finding in self.findings(tree)], [1, 4])

    def test_updating_renews_each_from_its_region(self):
        tree = self.tree(self.source | {"a.md": self.one.replace("f()", "old()") + self.other.replace("g()", "old()")})
        self.assertEqual(documents.with_snippets(tree, "a.md"), self.one + self.other)
