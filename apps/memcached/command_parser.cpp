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
    return std::unexpected(refusal{answer});
}

// A client that wants no reply gets none to a mistake either: it would take it for the reply to its next
// command.
parsed refuse(const command& cmd, std::string_view answer) noexcept {
    return refuse(cmd.is_quiet ? std::string_view() : answer);
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

parsed parse_get(command cmd, std::string_view rest) noexcept {
    cmd.rest = rest;
    // Nearly always one key.
    if (const std::string_view fault = fault_of_keys(rest); !fault.empty()) [[unlikely]]
        return refuse(fault);
    return cmd;
}

parsed parse_get_and_touch(command cmd, std::string_view rest) noexcept {
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
    cmd.expiry_s = *seconds;
    cmd.rest = rest;
    return cmd;
}

parsed parse_storage(command cmd, std::string_view rest) noexcept {
    cmd.key = take_word(rest);
    const std::string_view flags = take_word(rest);
    const std::string_view expiry = take_word(rest);
    const std::string_view size = take_word(rest);
    const std::string_view cas = cmd.verb == verb::cas ? take_word(rest) : "0";
    if (size.empty() || cas.empty())
        return refuse(answers::error);
    const auto bytes = number_of<std::size_t>(size);
    if (!bytes || *bytes > value_bytes_limit)
        return refuse(answers::bad_format);
    // From here on it is known where the next command begins.
    const std::string_view last = take_word(rest);
    if (!take_word(rest).empty())
        return parsed(std::unexpected(refusal{answers::error, true, *bytes}));
    cmd.is_quiet = last == quiet_word;
    const auto flag_bits = number_of<std::uint32_t>(flags);
    const auto seconds = number_of<std::int64_t>(expiry);
    const auto wanted_cas = number_of<std::uint64_t>(cas);
    if (!is_key(cmd.key) || !flag_bits || !seconds || !wanted_cas)
        return parsed(
            std::unexpected(refusal{cmd.is_quiet ? std::string_view() : answers::bad_format, true, *bytes}));
    cmd.client_flags = *flag_bits;
    cmd.expiry_s = *seconds;
    cmd.number = *wanted_cas;
    cmd.value_bytes = *bytes;
    return cmd;
}

parsed parse_arithmetic(command cmd, std::string_view rest) noexcept {
    cmd.key = take_word(rest);
    const std::string_view delta = take_word(rest);
    if (delta.empty())
        return refuse(answers::error);
    cmd.is_quiet = take_word(rest) == quiet_word;
    if (!is_key(cmd.key))
        return refuse(cmd, answers::bad_format);
    const auto number = number_of<std::uint64_t>(delta);
    if (!number)
        return refuse(cmd, answers::bad_delta);
    cmd.number = *number;
    return cmd;
}

parsed parse_touch(command cmd, std::string_view rest) noexcept {
    cmd.key = take_word(rest);
    const std::string_view expiry = take_word(rest);
    if (expiry.empty())
        return refuse(answers::error);
    cmd.is_quiet = take_word(rest) == quiet_word;
    if (!is_key(cmd.key))
        return refuse(cmd, answers::bad_format);
    const auto seconds = number_of<std::int64_t>(expiry);
    if (!seconds)
        return refuse(cmd, answers::bad_expiry);
    cmd.expiry_s = *seconds;
    return cmd;
}

// Old clients send a time of 0 behind the key.
parsed parse_delete(command cmd, std::string_view rest) noexcept {
    cmd.key = take_word(rest);
    if (cmd.key.empty())
        return refuse(answers::error);
    cmd.is_quiet = last_word(rest) == quiet_word;
    std::string_view word = take_word(rest);
    if (word == "0")
        word = take_word(rest);
    if ((!word.empty() && word != quiet_word) || !take_word(rest).empty())
        return refuse(cmd, answers::delete_usage);
    if (!is_key(cmd.key))
        return refuse(cmd, answers::bad_format);
    return cmd;
}

parsed parse_flush(command cmd, std::string_view rest) noexcept {
    cmd.is_quiet = last_word(rest) == quiet_word;
    std::string_view word = take_word(rest);
    if (!word.empty() && word != quiet_word) {
        const auto seconds = number_of<std::int64_t>(word);
        if (!seconds)
            return refuse(cmd, answers::bad_expiry);
        cmd.expiry_s = *seconds;
        static_cast<void>(take_word(rest));
    }
    if (!take_word(rest).empty())
        return refuse(answers::error);
    return cmd;
}

parsed parse_verbosity(command cmd, std::string_view rest) noexcept {
    std::string_view word = take_word(rest);
    if (word.empty())
        return refuse(answers::error);
    cmd.is_quiet = word == quiet_word || last_word(rest) == quiet_word;
    const auto level = number_of<std::uint32_t>(word);
    if (!level)
        return refuse(cmd, answers::bad_format);
    cmd.number = *level;
    return cmd;
}

parsed parse_memory_limit(command cmd, std::string_view rest) noexcept {
    std::string_view word = take_word(rest);
    if (word.empty())
        return refuse(answers::error);
    cmd.is_quiet = word == quiet_word || last_word(rest) == quiet_word;
    const auto megabytes = number_of<std::uint32_t>(word);
    if (!megabytes)
        return refuse(cmd, answers::error);
    cmd.number = *megabytes;
    return cmd;
}

parsed parse_rest(command cmd, std::string_view rest) noexcept {
    cmd.rest = rest;
    return cmd;
}

parsed parse_meta(command cmd, std::string_view rest) noexcept {
    cmd.key = take_word(rest);
    const bool is_set = cmd.verb == verb::meta_set;
    std::optional<std::size_t> bytes;
    if (is_set)
        bytes = number_of<std::size_t>(take_word(rest));
    const bool is_followed = bytes && *bytes <= value_bytes_limit;
    const auto refuse_here = [&](std::string_view answer) {
        return parsed(std::unexpected(refusal{answer, is_followed, bytes.value_or(0)}));
    };
    if (cmd.key.empty())
        return refuse(cmd.verb == verb::meta_debug ? answers::bad_format : answers::error);
    if (is_set && !is_followed)
        return refuse(answers::bad_format);
    const auto flags = parse_meta_flags(rest);
    if (!flags) {
        const bool is_exact = is_set || cmd.verb == verb::meta_get;
        return refuse_here(is_exact ? flags.error() : answers::bad_flags);
    }
    if (cmd.key.size() > (flags->has_binary_key ? coded_key_bytes_max : item::key_bytes_max))
        return refuse_here(answers::bad_format);
    const bool has_modes = is_set || cmd.verb == verb::meta_arithmetic;
    if (flags->mode != 0 && has_modes) {
        const std::string_view modes = is_set ? "EAPRS" : "ID";
        if (modes.find(flags->mode) == std::string_view::npos)
            return refuse_here(is_set ? answers::bad_set_mode : answers::bad_count_mode);
    }
    cmd.rest = rest;
    cmd.value_bytes = bytes.value_or(0);
    cmd.meta = *flags;
    cmd.is_quiet = flags->is_quiet;
    return cmd;
}

struct known_command {
    std::string_view name;
    memcached::verb verb;
    parsed (*parse)(command cmd, std::string_view rest) noexcept;
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
    {"cache_memlimit", verb::memory_limit, parse_memory_limit},
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
        command cmd;
        cmd.verb = known.verb;
        return known.parse(cmd, rest);
    }
    if (last_word(rest).starts_with("HTTP/"))
        return std::unexpected(refusal{{}, false, 0, true});
    return refuse(answers::error);
}

}  // namespace eddy::apps::memcached
