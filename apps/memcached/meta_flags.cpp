#include "memcached/command_parser.hpp"
#include "memcached/words.hpp"

#include <cstdint>

namespace eddy::apps::memcached {

namespace {

constexpr std::size_t flags_max = 24;
constexpr std::string_view known_flags = "bcfhklOqstuvNRTPLCFIMDJ";
constexpr std::size_t opaque_bytes_max = 32;

template <class Number>
std::string_view take_number(std::string_view token, Number& into) noexcept {
    const auto number = number_of<Number>(token);
    if (!number)
        return answers::bad_token;
    into = *number;
    return {};
}

std::string_view take_mode(std::string_view token, char& mode) noexcept {
    if (token.size() != 1)
        return answers::bad_mode_size;
    switch (token.front()) {
        case 'i':
        case '+':
            mode = 'I';
            break;
        case 'd':
        case '-':
            mode = 'D';
            break;
        default:
            mode = token.front();
    }
    return {};
}

// What is wrong with a flag; empty if nothing.
std::string_view take_flag(char letter, std::string_view token, meta_options& made) noexcept {
    switch (letter) {
        case 'b':
            made.has_binary_key = true;
            return {};
        case 'q':
            made.is_quiet = true;
            return {};
        case 'v':
            made.wants_value = true;
            return {};
        case 'u':
            made.leaves_order = true;
            return {};
        case 'I':
            made.invalidates = true;
            return {};
        case 'T':
            made.has_expiry = true;
            return take_number(token, made.expiry_s);
        case 'N':
            made.makes_on_miss = true;
            return take_number(token, made.made_expiry_s);
        case 'R':
            return take_number(token, made.renewal_s);
        case 'C':
            made.compares_cas = true;
            return take_number(token, made.cas);
        case 'F':
            return take_number(token, made.client_flags);
        case 'D':
            return take_number(token, made.delta);
        case 'J':
            return take_number(token, made.initial);
        case 'M':
            return take_mode(token, made.mode);
        case 'O':
            return token.size() > opaque_bytes_max ? answers::long_opaque : std::string_view();
        default:
            return {};
    }
}

}  // namespace

std::expected<meta_options, std::string_view> parse_meta_flags(std::string_view flags) noexcept {
    meta_options made;
    std::uint32_t seen = 0;  // a bit for each of them
    std::size_t count = 0;
    for (std::string_view word = take_word(flags); !word.empty(); word = take_word(flags)) {
        const std::size_t at = known_flags.find(word.front());
        if (at == std::string_view::npos)
            return std::unexpected(answers::bad_flag);
        if (++count > flags_max)
            return std::unexpected(answers::many_flags);
        if ((seen >> at & 1U) != 0)
            return std::unexpected(answers::duplicate_flag);
        seen |= std::uint32_t{1} << at;
        if (const auto fault = take_flag(word.front(), word.substr(1), made); !fault.empty())
            return std::unexpected(fault);
    }
    return made;
}

}  // namespace eddy::apps::memcached
