from sample import RuleTest
from tree_rules import banned


class Code(RuleTest):
    rule = banned

    def test_each_banned_thing_is_flagged_with_its_replacement(self):
        for line, words in (
            ("using namespace std;", "name what you use"),
            ("out << std::endl;", "'\\n'"),
            ("#if 0", "delete the code"),
            ("std::this_thread::sleep_for(10ms);", "no synchronisation"),
            ("this_thread::sleep_until(then);", "no synchronisation"),
            ("::usleep(10);", "no synchronisation"),
            ("sleep(1);", "no synchronisation"),
            ("TEST(ring, DISABLED_wraps) {}", "mend it or delete it"),
            ("int n = rand();", "print the seed"),
            ("if (co_await one)", "give the answer a name"),
            ("while (!co_await one.next(two()))", "give the answer a name"),
            ("if (one(two(), 3) == 4 && (co_await five).six())", "give the answer a name"),
            ("switch (one(co_await two))", "give the answer a name"),
            ("one = two ? co_await three() : four;", "write if and else"),
            ("co_await one(two ? three->four() : std::string_view());", "give the result a name"),
            ("co_await one(two ? three : std::string_view(four));", "give the result a name"),
            ("co_await one({two, 3});", "name the type"),
            ("co_await one([two = three()] { return two; });", "name the function"),
            ("co_await one(four, [&five, two] { return two; });", "name the function"),
            ("co_await one([=] { return two; });", "name the function"),
        ):
            with self.subTest(line):
                self.assert_flagged({"tests/io/ring_test.cpp": f"int a;\n{line}\n"}, "tests/io/ring_test.cpp", 2, words)

    def test_comments_and_strings_are_not_code(self):
        self.assert_clean({"tests/io/ring_test.cpp": "// no std::endl, no\n/* sleep(1)\n */\n"
                                                     'auto a = "std::endl";\nauto b = R"(sleep(1))";\n'})

    def test_an_apostrophe_between_digits_hides_nothing(self):
        self.assert_flagged({"tests/a_test.cpp": "int a = 1'000; out << std::endl; int b = 2'000;\n"}, "tests/a_test.cpp", 1, "flushes")

    def test_the_sleep_of_the_library_is_no_system_call(self):
        self.assert_clean({"tests/runtime/timer_test.cpp": "co_await eddy::sleep_for(10ms);\nco_await eddy::sleep(10ms);\n"})

    def test_similar_names_are_fine(self):
        self.assert_clean({"tests/a_test.cpp": "#if 01\n#endif\nusing namespace std::chrono_literals;\nusing namespace standards;\n"
                                               "operand(1);\n"})

    def test_what_is_awaited_may_capture_by_reference(self):
        self.assert_clean({"tests/a_test.cpp": "co_await one([] { return 2; });\nco_await one([&] { return two; });\n"
                                               "co_await one([this, &two = three] { return two; });\n"
                                               "co_await one(two[three]);\n"})

    def test_a_condition_may_declare_what_was_awaited_or_stand_before_an_await(self):
        self.assert_clean({"tests/a_test.cpp": "if (const bool is_so = co_await one)\n    ++two;\n"
                                               "while (auto next = co_await one.recv())\n    ++two;\n"
                                               "if (auto a = co_await one; a == 2)\n    ++two;\n"
                                               "if (one(two(), 3) == 4)\n    co_await five;\n"
                                               "co_await one(two(three) ? 4 : 5);\nco_await one({}, 2);\n"
                                               "while (one)\n    co_await two;\n"
                                               "for (int at = 0; !co_await one; ++at)\n    ++two;\n"})


class OpenEnds(RuleTest):
    rule = banned

    def test_one_without_an_owner_is_flagged_in_code_and_scripts(self):
        for path in ("src/io/a.cpp", "scripts/a.sh", "CMakeLists.txt", "README.md"):
            with self.subTest(path):
                self.assert_flagged({path: "fine\nTODO: mend\n"}, path, 2, "without an owner")

    def test_one_with_an_owner_is_fine(self):
        self.assert_clean({"src/io/a.cpp": "// TODO(ada): mend\n// FIXME(#12): this too\n"})
