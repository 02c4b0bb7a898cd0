#pragma once

#include "memcached/answer.hpp"
#include "memcached/command.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace eddy::apps::memcached {

/// The key of a meta command, decoded into `room` if it comes in base64; empty, with the answer appended, if
/// it is no key. Requires: room for item::key_bytes_max.
[[nodiscard]] std::string_view meta_key(answer& out, const command& cmd, std::span<char> room);

/// What the response to a meta command echoes where there is no item, or not all of it: the key, opaque
/// tokens, the cas.
struct meta_echo {
    meta_echo(const command& cmd, std::string_view key) noexcept
        : key(key), is_binary(cmd.meta.has_binary_key) {}

    std::string_view key;
    bool is_binary;
    std::optional<std::uint64_t> cas;
};

/// " O..." and " k..." if the flags request them, and " c..." if there is a cas.
void append_echo(answer& out, std::string_view flags, const meta_echo& echoed);

/// " k" and the key, in base64 if it is binary, which " b" says.
void append_key(answer& out, std::string_view key, bool is_binary);

/// The key alone, in base64 if it is binary.
void append_printable_key(answer& out, std::string_view key, bool is_binary);

}  // namespace eddy::apps::memcached
