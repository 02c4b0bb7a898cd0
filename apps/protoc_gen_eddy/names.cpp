#include "protoc_gen_eddy/names.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace eddy::protoc_gen {
namespace {

// Keywords, then macros of the C library that look like names, then names that the generated classes have already.
constexpr auto reserved_names = std::to_array<std::string_view>({"alignas",
                                                                 "alignof",
                                                                 "and",
                                                                 "and_eq",
                                                                 "asm",
                                                                 "auto",
                                                                 "bitand",
                                                                 "bitor",
                                                                 "bool",
                                                                 "break",
                                                                 "case",
                                                                 "catch",
                                                                 "char",
                                                                 "char16_t",
                                                                 "char32_t",
                                                                 "char8_t",
                                                                 "class",
                                                                 "co_await",
                                                                 "co_return",
                                                                 "co_yield",
                                                                 "compl",
                                                                 "concept",
                                                                 "const",
                                                                 "const_cast",
                                                                 "consteval",
                                                                 "constexpr",
                                                                 "constinit",
                                                                 "continue",
                                                                 "decltype",
                                                                 "default",
                                                                 "delete",
                                                                 "do",
                                                                 "double",
                                                                 "dynamic_cast",
                                                                 "else",
                                                                 "enum",
                                                                 "explicit",
                                                                 "export",
                                                                 "extern",
                                                                 "false",
                                                                 "float",
                                                                 "for",
                                                                 "friend",
                                                                 "goto",
                                                                 "if",
                                                                 "inline",
                                                                 "int",
                                                                 "long",
                                                                 "mutable",
                                                                 "namespace",
                                                                 "new",
                                                                 "noexcept",
                                                                 "not",
                                                                 "not_eq",
                                                                 "nullptr",
                                                                 "operator",
                                                                 "or",
                                                                 "or_eq",
                                                                 "private",
                                                                 "protected",
                                                                 "public",
                                                                 "register",
                                                                 "requires",
                                                                 "return",
                                                                 "short",
                                                                 "signed",
                                                                 "sizeof",
                                                                 "static",
                                                                 "static_assert",
                                                                 "static_cast",
                                                                 "struct",
                                                                 "switch",
                                                                 "template",
                                                                 "this",
                                                                 "thread_local",
                                                                 "throw",
                                                                 "true",
                                                                 "try",
                                                                 "typedef",
                                                                 "typeid",
                                                                 "typename",
                                                                 "union",
                                                                 "unsigned",
                                                                 "using",
                                                                 "virtual",
                                                                 "void",
                                                                 "volatile",
                                                                 "wchar_t",
                                                                 "while",
                                                                 "xor",
                                                                 "xor_eq",
                                                                 "assert",
                                                                 "errno",
                                                                 "linux",
                                                                 "major",
                                                                 "makedev",
                                                                 "minor",
                                                                 "offsetof",
                                                                 "setjmp",
                                                                 "stderr",
                                                                 "stdin",
                                                                 "stdout",
                                                                 "unix",
                                                                 "va_arg",
                                                                 "va_copy",
                                                                 "va_end",
                                                                 "va_start",
                                                                 "add_bidirectional",
                                                                 "add_client_streaming",
                                                                 "add_server_streaming",
                                                                 "add_unary",
                                                                 "channel_",
                                                                 "methods",
                                                                 "name"});

bool is_upper(char letter) {
    return letter >= 'A' && letter <= 'Z';
}

bool is_lower(char letter) {
    return letter >= 'a' && letter <= 'z';
}

bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

/// Whether a word begins at this capital letter.
bool begins_word(std::string_view name, std::size_t at) {
    if (at == 0 || name[at - 1] == '_')
        return false;
    if (is_lower(name[at - 1]) || is_digit(name[at - 1]))
        return true;
    return at + 1 < name.size() && is_lower(name[at + 1]);
}

}  // namespace

std::string snake_case(std::string_view name) {
    std::string snake;
    for (std::size_t at = 0; at < name.size(); ++at) {
        const char letter = name[at];
        // Two underscores beside each other are the compiler's.
        if (letter == '_' && snake.ends_with('_'))
            continue;
        if (!is_upper(letter)) {
            snake += letter;
            continue;
        }
        if (begins_word(name, at))
            snake += '_';
        snake += static_cast<char>(letter - 'A' + 'a');
    }
    return snake;
}

std::string method_name(std::string_view name, std::string_view client_class,
                        std::string_view service_class) {
    std::string snake = snake_case(name);
    if (std::ranges::find(reserved_names, snake) != reserved_names.end() || snake == client_class ||
        snake == service_class)
        snake += '_';
    return snake;
}

}  // namespace eddy::protoc_gen
