from sample import RuleTest
from tree_rules import names


class Lengths(RuleTest):
    rule = names

    def test_five_hundred_lines_are_fine_and_one_more_is_flagged(self):
        self.assert_clean({"scripts/a.py": "a\n" * 500})
        self.assert_flagged({"scripts/a.py": "a\n" * 501}, "scripts/a.py", 501, "second concept")


class Headers(RuleTest):
    rule = names

    def test_a_header_without_pragma_once_is_flagged(self):
        self.assert_flagged({"include/eddy/io/read.hpp": "// Reads.\n#include <vector>\n"},
                            "include/eddy/io/read.hpp", 1, "#pragma once")

    def test_a_comment_may_stand_before_it(self):
        self.assert_clean({"include/eddy/io/read.hpp": "// Reads.\n#pragma once\n#include <vector>\n"})

    def test_names_are_snake_case(self):
        self.assert_flagged({"include/eddy/io/BufferRing.hpp": "#pragma once\n"},
                            "include/eddy/io/BufferRing.hpp", 1, "snake_case")


class LocalFunctions(RuleTest):
    rule = names
    house = {
        "include/eddy/io/read.hpp": "#pragma once\n", "include/eddy/io/write.hpp": "#pragma once\n",
        "src/io/read.cpp": "namespace {\n\nint one() {\n    return 1;\n}\n\nint move(int) noexcept {\n    return one();\n}\n\n}  // namespace\n",
        "src/io/CMakeLists.txt": "target_sources(eddy PRIVATE read.cpp write.cpp)\n",
        "src/fs/CMakeLists.txt": "target_sources(eddy PRIVATE copy.cpp)\n",
    }
    other = "namespace {\n\nvoid move(char* from,\n          char* to) {\n    f();\n}\n\n}  // namespace\n"

    def test_one_name_in_two_sources_of_a_library_is_flagged(self):
        self.assert_flagged(self.house | {"src/io/write.cpp": self.other}, "src/io/write.cpp", 3, "src/io/read.cpp")

    def test_the_folders_of_a_library_are_compiled_together(self):
        self.assert_flagged(self.house | {
            "include/eddy/fs/copy.hpp": "#pragma once\n", "src/io/write.cpp": "", "src/fs/copy.cpp": self.other,
        }, "src/io/read.cpp", 7, "src/fs/copy.cpp")

    def test_programs_are_compiled_apart(self):
        self.assert_clean(self.house | {
            "src/io/write.cpp": "", "apps/load/CMakeLists.txt": "eddy_app(load main.cpp)\n", "apps/load/main.cpp": self.other,
            "examples/CMakeLists.txt": "foreach(name one two)\n", "examples/one.cpp": self.other, "examples/two.cpp": self.other,
        })

    def test_calls_members_and_types_are_no_functions_of_their_own(self):
        self.assert_clean(self.house | {"src/io/write.cpp": (
            "namespace {\n\nstruct move_all {\n    void move();\n};\n\nint there() {\n    return move(1);\n}\n\n}  // namespace\n"
        )})


class Stems(RuleTest):
    rule = names
    house = {
        "include/eddy/io/read.hpp": "#pragma once\n",
        "src/io/read.cpp": "", "src/io/CMakeLists.txt": "target_sources(eddy PRIVATE read.cpp)\n",
        "tests/io/read_test.cpp": "", "tests/io/CMakeLists.txt": "eddy_test(read_test)\n",
    }

    def test_three_names_in_one_order_are_fine(self):
        self.assert_clean(self.house)

    def test_a_source_without_its_header_is_flagged(self):
        self.assert_flagged(self.house | {
            "src/io/write.cpp": "", "src/io/CMakeLists.txt": "target_sources(eddy PRIVATE read.cpp write.cpp)\n",
        }, "src/io/write.cpp", 1, "no header of 'io' is called or declares write")

    def test_a_source_and_a_test_may_be_named_after_what_a_header_declares(self):
        self.assert_clean(self.house | {
            "include/eddy/io/read.hpp": "#pragma once\nclass reader {};\nvoid write(int);\n",
            "src/io/reader.cpp": "", "src/io/CMakeLists.txt": "target_sources(eddy PRIVATE read.cpp reader.cpp)\n",
            "tests/io/write_test.cpp": "", "tests/io/CMakeLists.txt": "eddy_test(read_test)\neddy_test(write_test)\n",
        })

    def test_a_test_of_no_header_is_flagged(self):
        self.assert_flagged(self.house | {
            "tests/io/writes_test.cpp": "", "tests/io/CMakeLists.txt": "eddy_test(read_test)\neddy_test(writes_test)\n",
        }, "tests/io/writes_test.cpp", 1, "tests no header of 'io'")

    def test_a_header_of_the_same_name_in_another_module_does_not_count(self):
        self.assert_flagged(self.house | {
            "src/net/read.cpp": "", "src/net/CMakeLists.txt": "read.cpp",
        }, "src/net/read.cpp", 1, "no header of 'net' is called or declares read")

    def test_a_backend_may_define_what_io_declares(self):
        self.assert_clean(self.house | {"src/backend/posix/read.cpp": "", "src/backend/posix/CMakeLists.txt": "read.cpp"})

    def test_a_test_outside_the_modules_is_named_freely(self):
        self.assert_clean({"tests/install/moved_test.cpp": "", "tests/install/CMakeLists.txt": "eddy_test(moved_test)\n"})

    def test_the_suite_of_the_backends_is_named_freely(self):
        self.assert_clean({"tests/backend/accept_test.cpp": "", "tests/backend/CMakeLists.txt": "eddy_test(accept_test)\n"})


class Namespaces(RuleTest):
    rule = names

    def test_a_test_has_a_namespace_named_like_its_source(self):
        house = {"tests/apps/CMakeLists.txt": "eddy_test(echo_test)\n"}
        self.assert_flagged(house | {"tests/apps/echo_test.cpp": "int a;\nnamespace eddy {\n}\n"}, "tests/apps/echo_test.cpp", 1, "::echo_test")
        self.assert_clean(house | {"tests/apps/echo_test.cpp": "namespace eddy::echo_test {\n}\n"})


class Built(RuleTest):
    rule = names

    def test_a_test_that_is_not_built_is_flagged(self):
        self.assert_flagged({
            "tests/apps/httpd_test.cpp": "", "tests/apps/CMakeLists.txt": "eddy_test(echo_test)\n",
        }, "tests/apps/httpd_test.cpp", 1, "no CMakeLists.txt names it")

    def test_a_longer_name_does_not_stand_for_a_shorter(self):
        self.assert_flagged({
            "examples/echo.cpp": "", "examples/CMakeLists.txt": "add_executable(x my_echo.cpp)\n",
        }, "examples/echo.cpp", 1, "no CMakeLists.txt names it")

    def test_a_suffix_may_be_left_to_a_function(self):
        self.assert_clean({"fuzz/parser_fuzz.cpp": "", "fuzz/CMakeLists.txt": "eddy_fuzz(parser)\n"})

    def test_a_list_in_a_directory_above_may_name_it(self):
        self.assert_clean({"bench/peers/asio.cpp": "", "bench/CMakeLists.txt": "add_executable(a peers/asio.cpp)\n"})
