from sample import RuleTest
from tree_rules import layers


class Directions(RuleTest):
    rule = layers

    def test_a_module_may_use_those_below_it_directly_and_through_others(self):
        self.assert_clean({
            "include/eddy/net/tcp.hpp": "#include <eddy/base/clock.hpp>\n#include <eddy/io/read.hpp>\n#include <vector>\n",
            "src/net/tcp.cpp": '#include "runtime/worker.hpp"\n#include "helper.hpp"\n',
        })

    def test_a_header_that_includes_upward_is_flagged(self):
        self.assert_flagged({"include/eddy/core/task.hpp": "#pragma once\n#include <eddy/runtime/worker.hpp>\n"},
                            "include/eddy/core/task.hpp", 2, "'core' may not use 'runtime'")

    def test_a_source_that_includes_a_private_header_upward_is_flagged(self):
        self.assert_flagged({"src/io/read.cpp": '#include "backend/uring/ring.hpp"\n', "src/backend/uring/ring.hpp": ""},
                            "src/io/read.cpp", 1, "'io' may not use 'backend'")

    def test_neighbours_do_not_use_each_other(self):
        self.assert_flagged({"include/eddy/fs/file.hpp": "#include <eddy/net/tcp.hpp>\n"},
                            "include/eddy/fs/file.hpp", 1, "'fs' may not use 'net'")

    def test_an_include_in_a_comment_counts_for_nothing(self):
        self.assert_clean({"include/eddy/core/task.hpp": "// #include <eddy/runtime/worker.hpp>\n"})

    def test_the_gathering_header_is_for_users(self):
        self.assert_flagged({"src/net/tcp.cpp": "#include <eddy/eddy.hpp>\n"}, "src/net/tcp.cpp", 1, "gathers")

    def test_the_gathering_header_itself_may_include_all(self):
        self.assert_clean({"include/eddy/eddy.hpp": "#include <eddy/core/task.hpp>\n#include <eddy/http/server.hpp>\n"})

    def test_an_unknown_module_is_flagged(self):
        self.assert_flagged({"include/eddy/util/misc.hpp": ""}, "include/eddy/util/misc.hpp", 1, "'util' is unknown")

    def test_a_file_of_the_same_folder_is_no_module(self):
        self.assert_clean({"src/base/core/x.hpp": "", "src/base/a.hpp": '#include "core/x.hpp"\n'})


class Factory(RuleTest):
    rule = layers
    ring = {"src/backend/uring/ring.hpp": ""}

    def test_one_file_of_the_runtime_may_name_the_backends(self):
        self.assert_clean(self.ring | {"src/runtime/factory.cpp": '#include "backend/uring/ring.hpp"\n'})

    def test_a_second_one_is_flagged(self):
        self.assert_flagged(self.ring | {
            "src/runtime/factory.cpp": '#include "backend/uring/ring.hpp"\n',
            "src/runtime/worker.cpp": '#include <vector>\n#include "backend/uring/ring.hpp"\n',
        }, "src/runtime/worker.cpp", 2, "only one file of the runtime")

    def test_a_public_header_of_the_runtime_may_not(self):
        self.assert_flagged({"include/eddy/runtime/worker.hpp": '#include "backend/uring/ring.hpp"\n'},
                            "include/eddy/runtime/worker.hpp", 1, "may not use 'backend'")


class Programs(RuleTest):
    rule = layers

    def test_a_program_that_includes_a_private_header_is_flagged(self):
        self.assert_flagged({"apps/echo/main.cpp": '#include "runtime/worker.hpp"\n', "src/runtime/worker.hpp": ""},
                            "apps/echo/main.cpp", 1, "public headers only")

    def test_its_own_headers_and_public_ones_are_fine(self):
        self.assert_clean({
            "apps/echo/main.cpp": '#include "options.hpp"\n#include <eddy/eddy.hpp>\n',
            "apps/echo/options.hpp": "", "src/options.hpp": "",
        })


class System(RuleTest):
    rule = layers

    def test_system_headers_outside_the_backends_are_flagged(self):
        for header in ("sys/socket.h", "unistd.h", "liburing.h", "netinet/in.h", "linux/io_uring.h", "poll.h"):
            with self.subTest(header):
                self.assert_flagged({"include/eddy/net/tcp.hpp": f"#include <{header}>\n"},
                                    "include/eddy/net/tcp.hpp", 1, f"<{header}>")
                self.assert_flagged({"src/net/tcp.cpp": f"#include <{header}>\n"}, "src/net/tcp.cpp", 1, f"<{header}>")

    def test_backends_may_include_them_and_test_for_the_platform(self):
        self.assert_clean({"src/backend/uring/ring.cpp": "#include <liburing.h>\n#ifdef __linux__\n#endif\n"})

    def test_our_module_named_like_a_folder_of_the_system_is_ours(self):
        self.assert_clean({"src/net/tcp.cpp": '#include "net/socket.hpp"\n', "src/net/socket.hpp": ""})

    def test_standard_headers_are_no_system_headers(self):
        self.assert_clean({"src/net/tcp.cpp": "#include <csignal>\n#include <system_error>\n#include <semaphore>\n"})

    def test_a_platform_test_elsewhere_is_flagged(self):
        for text in ("#ifdef __linux__\n", "#if defined(_WIN32)\n", "#if 1\n#elif defined(__APPLE__)\n"):
            with self.subTest(text):
                self.assert_flagged({"src/runtime/worker.cpp": text}, "src/runtime/worker.cpp", text.count("\n"),
                                    "chosen in CMake")


class Table(RuleTest):
    rule = layers

    def test_no_module_reaches_itself(self):
        for module, used in layers.MAY_USE.items():
            for other in used:
                self.assertNotIn(module, layers.reachable(other))

    def test_what_the_documents_say_is_what_is_held(self):
        self.assert_clean({"include/eddy/io/read.hpp": "", "src/net/tcp.cpp": "", "ARCHITECTURE.md":
            "| module | holds | may use |\n|---|---|---|\n| `base` | lists | the standard library |\n"
            "| `io` | the contract | core |\n| `net`, `fs` | sockets; files | runtime, stream, io |\n"})

    def test_a_row_that_says_something_else_is_flagged(self):
        self.assert_flagged({"ARCHITECTURE.md": "# Layers\n| `io` | the contract | core, net |\n"},
                            "ARCHITECTURE.md", 2, "'io' may use core, net, and MAY_USE")

    def test_a_module_without_a_row_is_flagged(self):
        self.assert_flagged({"include/eddy/io/read.hpp": "", "ARCHITECTURE.md": "# Layers\n"},
                            "ARCHITECTURE.md", 1, "no row for 'io'")
