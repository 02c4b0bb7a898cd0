from sample import RuleTest
from tree_rules import layers, picture


class Directions(RuleTest):
    rule = layers

    def test_a_module_may_use_those_below_it_directly_and_through_others(self):
        self.assert_clean({
            "include/eddy/net/tcp.hpp": "#include <eddy/core/clock.hpp>\n#include <eddy/io/read.hpp>\n#include <vector>\n",
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

    def test_a_file_of_the_same_directory_is_no_module(self):
        self.assert_clean({"src/detail/core/x.hpp": "", "src/detail/a.hpp": '#include "core/x.hpp"\n'})


class Ground(RuleTest):
    rule = layers
    ground = {"include/eddy/detail/build.hpp": "#include <eddy/detail/built_with.hpp>\n",
              "include/eddy/detail/built_with.hpp": "#include <eddy/detail/build.hpp>\n"}

    def test_a_public_header_may_reach_it_through_another(self):
        self.assert_clean(self.ground | {"include/eddy/detail/a.hpp": "#include <eddy/detail/build.hpp>\n",
                                         "include/eddy/io/b.hpp": "#include <eddy/detail/a.hpp>\n"})

    def test_one_that_includes_none_of_ours_is_flagged(self):
        self.assert_flagged(self.ground | {"include/eddy/io/b.hpp": "#include <vector>\n"},
                            "include/eddy/io/b.hpp", 1, "include <eddy/detail/build.hpp>")


class Http(RuleTest):
    rule = layers
    head = {"include/eddy/http/message/head.hpp": "namespace eddy::http {\nclass head {};\n}\n"}

    def test_a_directory_uses_those_below_it(self):
        self.assert_clean(self.head | {"src/http/server/a.hpp": "#include <eddy/http/message/head.hpp>\n",
                                       "include/eddy/http/server.hpp": "#include <eddy/http/server/b.hpp>\n"})

    def test_an_include_upwards_is_flagged(self):
        self.assert_flagged({"src/http/message/a.hpp": '#include "http/server/b.hpp"\n', "src/http/server/b.hpp": ""},
                            "src/http/message/a.hpp", 1, "'http/message' may not use 'http/server'")

    def test_what_gathers_is_for_users(self):
        self.assert_flagged({"src/http/server/a.hpp": "#include <eddy/http/message.hpp>\n",
                             "include/eddy/http/message.hpp": ""}, "src/http/server/a.hpp", 1, "gathers")

    def test_a_file_beside_the_directories_is_flagged(self):
        self.assert_flagged({"src/http/misc/a.hpp": ""}, "src/http/misc/a.hpp", 1, "none of the directories")


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

    def test_what_is_internal_is_not_seen_from_outside(self):
        internal = {"include/eddy/io/detail/operation.hpp": "namespace eddy::io {\nclass operation {};\n}\n"}
        use = "#include <eddy/io/detail/operation.hpp>\n"
        for path in ("apps/echo/main.cpp", "docs/guide/files.md", "tests/install/consumer/core.cpp", "bench/echo/eddy.cpp"):
            with self.subTest(path):
                self.assert_flagged(internal | {path: use}, path, 1, "is internal")
        for path in ("include/eddy/net/tcp.hpp", "src/net/tcp.hpp", "bench/micro/operation_bench.hpp"):
            with self.subTest(path):
                self.assert_clean(internal | {path: use + "namespace eddy {\nclass tcp {};\n}\n"})

    def test_a_public_header_declares_what_a_user_may_name(self):
        path = "include/eddy/io/buffer.hpp"
        for code in ("namespace eddy::detail {\nclass pool {};\n}\n",
                     "namespace eddy {\nclass worker;\nnamespace detail {\nvoid f();\n}\n}\n"):
            with self.subTest(code):
                self.assert_flagged({path: code}, path, 1, "declares nothing")
                self.assert_clean({"include/eddy/io/detail/buffer.hpp": code})
        for code in ("#define EDDY_BUFFER 1\n", "namespace eddy {\nclass buffer {};\n}\n", "#include <eddy/io/read.hpp>\n",
                     "namespace eddy {\nnamespace detail {\nclass pool {};\n}\nusing buffer = detail::pool;\n}\n"):
            with self.subTest(code):
                self.assert_clean({path: code})

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

    def test_our_module_named_like_a_directory_of_the_system_is_ours(self):
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

    pages = {f"docs/architecture/{module}.md": "" for module in layers.MAY_USE}

    def test_what_the_documents_say_is_what_is_held(self):
        self.assert_clean(self.pages | {"include/eddy/io/read.hpp": "", "src/os/child.cpp": "", layers.DOCUMENT:
            "| module | holds | may use |\n|---|---|---|\n| `base` | lists | the standard library |\n"
            "| [`io`](io.md) | the contract | core |\n| `os`, `fs` | children; files | runtime, stream, io |\n"})

    def test_a_row_that_says_something_else_is_flagged(self):
        self.assert_flagged(self.pages | {layers.DOCUMENT: "# Layers\n| `io` | the contract | core, net |\n"},
                            layers.DOCUMENT, 2, "'io' may use core, net, and MAY_USE")

    def test_a_module_without_a_row_is_flagged(self):
        self.assert_flagged(self.pages | {"include/eddy/io/read.hpp": "", layers.DOCUMENT: "# Layers\n"},
                            layers.DOCUMENT, 1, "no row for 'io'")

    def test_a_module_without_a_page_is_flagged(self):
        self.assert_flagged({"include/eddy/io/read.hpp": "", layers.DOCUMENT: "| `io` | the contract | core |\n"},
                            layers.DOCUMENT, 1, "docs/architecture/io.md is missing")


class Picture(RuleTest):
    rule = layers

    def test_the_picture_of_the_table_is_fine(self):
        self.assert_clean({layers.PICTURE: picture.draw(layers.MAY_USE)})

    def test_a_picture_of_another_table_is_flagged(self):
        other = layers.MAY_USE | {"net": ["io"]}
        self.assert_flagged({layers.PICTURE: picture.draw(other)}, layers.PICTURE, 1, "run scripts/draw_modules.py")

    def test_each_module_is_in_it_with_a_caption(self):
        self.assertEqual(set(picture.CAPTIONS), set(layers.MAY_USE))
        drawn = picture.draw(layers.MAY_USE)
        for module in layers.MAY_USE:
            self.assertIn(f">{module}</text>", drawn)

    def test_an_arrow_that_follows_from_two_others_is_left_out(self):
        table = {"a": [], "b": ["a"], "c": ["a", "b"]}
        self.assertEqual(picture.direct(table), [("b", "a"), ("c", "b")])
        self.assertEqual(picture.levels(table), [["a"], ["b"], ["c"]])
