from sample import RuleTest
from tree_rules import system_calls


class SystemCalls(RuleTest):
    rule = system_calls

    def test_each_call_above_the_seam_is_flagged_with_the_topic_to_use(self):
        for line, topic in (
            ("::getrandom(&bits, sizeof(bits), 0);", "randomness"),
            ("if (RAND_bytes(key, 16) != 1)", "randomness"),
            ("std::random_device source;", "randomness"),
            ("clock_gettime(CLOCK_REALTIME, &now);", "clocks"),
            ("auto now = std::chrono::system_clock::now();", "clocks"),
            ("const time_point now = clock::now();", "clocks"),
            ("std::time(nullptr);", "clocks"),
            ("::getaddrinfo(host, port, &hints, &found);", "names"),
            ("const int opened = ::open(path, O_RDONLY);", "files"),
            ("::stat(path, &status);", "files"),
            ("std::ifstream from(path);", "files"),
            ("if (std::filesystem::exists(path))", "files"),
            ("std::fopen(path, \"r\");", "files"),
            ("::socket(AF_INET, SOCK_STREAM, 0);", "sockets"),
            ("::close(descriptor);", "descriptors"),
            ("::kill(id, SIGTERM);", "processes"),
            ("::isatty(0);", "terminals"),
        ):
            with self.subTest(line):
                self.assert_flagged({"src/http/a.cpp": f"int a;\n{line}\n"}, "src/http/a.cpp", 2, f"`{topic}`")

    def test_the_backends_may_call_it(self):
        self.assert_clean({"src/backend/posix/a.cpp": "int a = ::open(path, 0);\nauto b = clock::now();\n"})

    def test_programs_and_tests_may_call_it(self):
        self.assert_clean({"apps/a/a.cpp": "::open(path, 0);\n", "tests/a/a_test.cpp": "clock::now();\n"})

    def test_what_is_allowed_is_so_for_its_topic_only(self):
        self.assert_clean({"src/runtime/stall_watch.cpp": "clock::now();\n"})
        self.assert_flagged({"src/runtime/stall_watch.cpp": "::open(path, 0);\n"}, "src/runtime/stall_watch.cpp", 1, "`files`")

    def test_functions_of_our_own_with_such_names_are_fine(self):
        self.assert_clean({"src/fs/a.cpp": "directory::open(path);\nclient_pool::open();\nboot_clock::now();\nsockets->bind(at);\n"
                                           "stream.close();\nstd::filesystem::path place;\nnames->look_up(host);\n"})
