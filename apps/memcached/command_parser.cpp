#include "memcached/command_parser.hpp"

#include "memcached/item.hpp"
#include "memcached/words.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

namespace eddy::apps::memcached {

namespace {

using parsed = std::expected<command, refusal>;

constexpr std::string_view quiet_word = "noreply";
constexpr std::size_t value_bytes_limit = std::numeric_limits<std::int32_t>::max() - 2;
// The key of a meta command, in base64, has up to a third more.
constexpr std::size_t coded_key_bytes_max = (item::key_bytes_max + 2) / 3 * 4;

parsed refuse(std::string_view answer) noexcept {
    return std::unexpected(refusal{answer, false, 0});
}

bool is_key(std::string_view word) noexcept {
    return !word.empty() && word.size() <= item::key_bytes_max;
}

// What is wrong with a list of keys; empty if nothing.
std::string_view fault_of_keys(std::string_view keys) noexcept {
    std::string_view word = take_word(keys);
    if (word.empty())
        return answers::error;
    for (; !word.empty(); word = take_word(keys))
        if (!is_key(word))
            return answers::bad_format;
    return {};
}

parsed parse_get(command asked, std::string_view rest) noexcept {
    asked.rest = rest;
    // Nearly always one key.
    if (const std::string_view fault = fault_of_keys(rest); !fault.empty()) [[unlikely]]
        return refuse(fault);
    return asked;
}

parsed parse_get_and_touch(command asked, std::string_view rest) noexcept {
    const std::string_view expiry = take_word(rest);
    if (expiry.empty())
        return refuse(answers::error);
    const std::string_view fault = fault_of_keys(rest);
    const auto seconds = number_of<std::int64_t>(expiry);
    if (!seconds)
        return refuse(answers::bad_expiry);
    // Without keys it is answered as if none was found.
    if (fault == answers::bad_format)
        return refuse(fault);
    asked.expiry_s = *seconds;
    asked.rest = rest;
    return asked;
}

parsed parse_storage(command asked, std::string_view rest) noexcept {
    asked.key = take_word(rest);
    const std::string_view flags = take_word(rest);
    const std::string_view expiry = take_word(rest);
    const std::string_view size = take_word(rest);
    const std::string_view cas = asked.verb == verb::cas ? take_word(rest) : "0";
    if (size.empty() || cas.empty())
        return refuse(answers::error);
    const auto bytes = number_of<std::size_t>(size);
    if (!bytes || *bytes > value_bytes_limit)
        return refuse(answers::bad_format);
    // From here on it is known where the next command begins.
    const auto refuse_with_block = [&](std::string_view answer) {
        return parsed(std::unexpected(refusal{answer, true, *bytes}));
    };
    const auto flag_bits = number_of<std::uint32_t>(flags);
    const auto seconds = number_of<std::int64_t>(expiry);
    const auto wanted_cas = number_of<std::uint64_t>(cas);
    if (!is_key(asked.key) || !flag_bits || !seconds || !wanted_cas)
        return refuse_with_block(answers::bad_format);
    asked.is_quiet = take_word(rest) == quiet_word;
    if (!take_word(rest).empty())
        return refuse_with_block(answers::error);
    asked.client_flags = *flag_bits;
    asked.expiry_s = *seconds;
    asked.number = *wanted_cas;
    asked.value_bytes = *bytes;
    return asked;
}

parsed parse_arithmetic(command asked, std::string_view rest) noexcept {
    asked.key = take_word(rest);
    const std::string_view delta = take_word(rest);
    if (delta.empty())
        return refuse(answers::error);
    if (!is_key(asked.key))
        return refuse(answers::bad_format);
    const auto number = number_of<std::uint64_t>(delta);
    if (!number)
        return refuse(answers::bad_delta);
    asked.number = *number;
    asked.is_quiet = take_word(rest) == quiet_word;
    return asked;
}

parsed parse_touch(command asked, std::string_view rest) noexcept {
    asked.key = take_word(rest);
    const std::string_view expiry = take_word(rest);
    if (expiry.empty())
        return refuse(answers::error);
    if (!is_key(asked.key))
        return refuse(answers::bad_format);
    const auto seconds = number_of<std::int64_t>(expiry);
    if (!seconds)
        return refuse(answers::bad_expiry);
    asked.expiry_s = *seconds;
    asked.is_quiet = take_word(rest) == quiet_word;
    return asked;
}

// Old clients send a time of 0 behind the key.
parsed parse_delete(command asked, std::string_view rest) noexcept {
    asked.key = take_word(rest);
    if (asked.key.empty())
        return refuse(answers::error);
    if (!is_key(asked.key))
        return refuse(answers::bad_format);
    std::string_view word = take_word(rest);
    if (word == "0")
        word = take_word(rest);
    asked.is_quiet = word == quiet_word;
    if ((!word.empty() && !asked.is_quiet) || !take_word(rest).empty())
        return refuse(answers::delete_usage);
    return asked;
}

parsed parse_flush(command asked, std::string_view rest) noexcept {
    std::string_view word = take_word(rest);
    if (!word.empty() && word != quiet_word) {
        const auto seconds = number_of<std::int64_t>(word);
        if (!seconds)
            return refuse(answers::bad_expiry);
        asked.expiry_s = *seconds;
        asked.has_number = true;
        word = take_word(rest);
    }
    asked.is_quiet = word == quiet_word;
    if (!take_word(rest).empty())
        return refuse(answers::error);
    return asked;
}

parsed parse_verbosity(command asked, std::string_view rest) noexcept {
    std::string_view word = take_word(rest);
    if (word.empty())
        return refuse(answers::error);
    if (word != quiet_word) {
        const auto level = number_of<std::uint32_t>(word);
        if (!level)
            return refuse(answers::bad_format);
        asked.number = *level;
        asked.has_number = true;
        word = take_word(rest);
    }
    asked.is_quiet = word == quiet_word;
    return asked;
}

parsed parse_rest(command asked, std::string_view rest) noexcept {
    asked.rest = rest;
    return asked;
}

constexpr std::string_view allowed_flags(verb asked) noexcept {
    switch (asked) {
        case verb::meta_get:
            return "bcfhklOqstuvNRTPL";
        case verb::meta_set:
            return "bcCFIkOqTMNPL";
        case verb::meta_delete:
            return "bCIkOqTPL";
        case verb::meta_arithmetic:
            return "bCNJDTMqtcvkOPL";
        default:
            return "bPL";
    }
}

parsed parse_meta(command asked, std::string_view rest) noexcept {
    asked.key = take_word(rest);
    const bool is_set = asked.verb == verb::meta_set;
    std::optional<std::size_t> bytes;
    if (is_set)
        bytes = number_of<std::size_t>(take_word(rest));
    const bool is_followed = bytes && *bytes <= value_bytes_limit;
    const auto refuse_here = [&](std::string_view answer) {
        return parsed(std::unexpected(refusal{answer, is_followed, bytes.value_or(0)}));
    };
    if (asked.key.empty())
        return refuse(asked.verb == verb::meta_get ? answers::error : answers::bad_format);
    if (is_set && !is_followed)
        return refuse(answers::bad_format);
    const auto flags = parse_meta_flags(rest, allowed_flags(asked.verb));
    if (!flags)
        return refuse_here(flags.error());
    if (asked.key.size() > (flags->has_binary_key ? coded_key_bytes_max : item::key_bytes_max))
        return refuse_here(answers::bad_format);
    if (flags->mode != 0) {
        const std::string_view modes = is_set ? "EAPRS" : "ID";
        if (modes.find(flags->mode) == std::string_view::npos)
            return refuse_here(answers::bad_mode);
    }
    asked.rest = rest;
    asked.value_bytes = bytes.value_or(0);
    asked.meta = *flags;
    asked.is_quiet = flags->is_quiet;
    return asked;
}

struct known_command {
    std::string_view name;
    memcached::verb verb;
    parsed (*parse)(command asked, std::string_view rest) noexcept;
};

// In the order of how often they are used.
constexpr auto known_commands = std::to_array<known_command>({
    {"get", verb::get, parse_get},
    {"set", verb::set, parse_storage},
    {"gets", verb::gets, parse_get},
    {"mg", verb::meta_get, parse_meta},
    {"ms", verb::meta_set, parse_meta},
    {"md", verb::meta_delete, parse_meta},
    {"ma", verb::meta_arithmetic, parse_meta},
    {"mn", verb::meta_noop, parse_rest},
    {"delete", verb::remove, parse_delete},
    {"incr", verb::incr, parse_arithmetic},
    {"decr", verb::decr, parse_arithmetic},
    {"add", verb::add, parse_storage},
    {"cas", verb::cas, parse_storage},
    {"gat", verb::gat, parse_get_and_touch},
    {"gats", verb::gats, parse_get_and_touch},
    {"touch", verb::touch, parse_touch},
    {"replace", verb::replace, parse_storage},
    {"append", verb::append, parse_storage},
    {"prepend", verb::prepend, parse_storage},
    {"stats", verb::stats, parse_rest},
    {"version", verb::version, parse_rest},
    {"flush_all", verb::flush_all, parse_flush},
    {"verbosity", verb::verbosity, parse_verbosity},
    {"me", verb::meta_debug, parse_meta},
    {"quit", verb::quit, parse_rest},
});

}  // namespace

std::expected<command, refusal> parse_command(std::string_view line) noexcept {
    std::string_view rest = line;
    const std::string_view name = take_word(rest);
    for (const known_command& known : known_commands) {
        if (known.name != name)
            continue;
        command asked;
        asked.verb = known.verb;
        return known.parse(asked, rest);
    }
    return refuse(answers::error);
}

}  // namespace eddy::apps::memcached
