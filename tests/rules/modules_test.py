from sample import RuleTest
from tree_rules import modules


def names(code):
    return {f"{namespace}::{name}" for namespace, name in modules.names(code)}


class Names(RuleTest):
    rule = modules

    def test_types_functions_variables_aliases_and_concepts_are_found(self):
        self.assertEqual(names("""
            #include <x>
            namespace eddy {
            class later;
            class [[nodiscard]] shown final : public later { int hidden; void member() {} };
            template <class T> requires std::is_object_v<T> && (!odd<T>)
            struct of { enum inner { none }; };
            enum class direction : unsigned char { in, out };
            enum loose { first = 1, second };
            using alias = std::vector<int>;
            template <class T> concept nice = requires(T& x) { { x.y() } -> same<int>; };
            inline constexpr int limit = 3;
            extern const char* pointer;
            void function(int (*f)(int), options o = {}, int x = g(1));
            template <class T>
            [[nodiscard]] auto trailing(T x) -> std::pair<T, int> { return {x, 1}; }
            constexpr direction operator|(direction a, direction b) noexcept;
            bool operator()(int);
            }
        """), {f"eddy::{name}" for name in (
            "later", "shown", "of", "direction", "loose", "first", "second", "alias", "nice", "limit", "pointer", "function", "trailing",
            "operator|", "operator()")})

    def test_specialisations_members_defined_outside_and_details_are_not(self):
        self.assertEqual(names("""
            namespace eddy {
            template <> struct of<int> {};
            template <class T> void of<T>::member() {}
            namespace detail { class hidden {}; }
            static_assert(sizeof(int) == 4);
            namespace io { class nested; }
            }
            namespace eddy::http::detail { void also_hidden(); }
            template <> struct std::hash<eddy::shown> {};
        """), {"eddy::io::nested"})

    def test_what_follows_a_function_with_defaults_is_found(self):
        self.assertEqual(names("namespace eddy { void f(options o = {}) { g(); } struct next { int x; }; }"),
                         {"eddy::f", "eddy::next"})


class Units(RuleTest):
    rule = modules

    HEADER = "#pragma once\nnamespace eddy {\nclass task {};\nclass handle;\n}\n"

    def test_a_unit_that_was_written_from_the_headers_is_right(self):
        tree = self.tree({"include/eddy/core/task.hpp": self.HEADER})
        modules.update(tree)
        self.assert_clean({"include/eddy/core/task.hpp": self.HEADER,
                           "modules/eddy.cppm": (tree.root / "modules/eddy.cppm").read_text()})

    def test_a_name_that_is_not_exported_is_flagged_where_it_is_declared(self):
        tree = self.tree({"include/eddy/core/task.hpp": self.HEADER})
        modules.update(tree)
        unit = (tree.root / "modules/eddy.cppm").read_text().replace("using eddy::handle;\n", "")
        self.assert_flagged({"include/eddy/core/task.hpp": self.HEADER, "modules/eddy.cppm": unit},
                            "include/eddy/core/task.hpp", 4, "does not export eddy::handle")

    def test_a_header_without_a_unit_is_flagged(self):
        self.assert_flagged({"include/eddy/core/task.hpp": self.HEADER}, "modules/eddy.cppm", 1, "no interface unit")

    def test_a_unit_with_what_no_header_has_is_flagged(self):
        tree = self.tree({"include/eddy/core/task.hpp": self.HEADER})
        modules.update(tree)
        unit = (tree.root / "modules/eddy.cppm").read_text() + "export int more;\n"
        self.assert_flagged({"include/eddy/core/task.hpp": self.HEADER, "modules/eddy.cppm": unit},
                            "modules/eddy.cppm", 1, "not what the public headers say")


class Macros(RuleTest):
    rule = modules

    def test_a_macro_beside_declarations_is_flagged(self):
        self.assert_flagged({"include/eddy/testing/replace_new.hpp": "#define EDDY_X 1\nnamespace eddy { int x; }\n"},
                            "include/eddy/testing/replace_new.hpp", 1, "a header of its own")

    def test_a_header_of_macros_is_fine(self):
        self.assert_clean({"include/eddy/testing/replace_new.hpp": "#pragma once\n#define EDDY_X 1\n"})
