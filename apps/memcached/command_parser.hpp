#pragma once

#include "memcached/command.hpp"

#include <cstddef>
#include <expected>
#include <string_view>

namespace eddy::apps::memcached {

/// Why a line is not carried out.
struct refusal {
    std::string_view answer;   // a whole line, of static storage; empty for noreply
    bool is_followed = false;  // by a data block of a known size, which is to be passed over
    std::size_t value_bytes = 0;
    bool ends_service = false;  // it speaks another protocol
};

namespace answers {
inline constexpr std::string_view error = "ERROR\r\n";
inline constexpr std::string_view bad_format = "CLIENT_ERROR bad command line format\r\n";
inline constexpr std::string_view bad_block = "CLIENT_ERROR bad data chunk\r\n";
inline constexpr std::string_view bad_delta = "CLIENT_ERROR invalid numeric delta argument\r\n";
inline constexpr std::string_view bad_expiry = "CLIENT_ERROR invalid exptime argument\r\n";
inline constexpr std::string_view bad_line = "CLIENT_ERROR bad command line\r\n";
inline constexpr std::string_view bad_flag = "CLIENT_ERROR invalid flag\r\n";
inline constexpr std::string_view bad_flags = "CLIENT_ERROR invalid or duplicate flag\r\n";
inline constexpr std::string_view duplicate_flag = "CLIENT_ERROR duplicate flag\r\n";
inline constexpr std::string_view bad_token = "CLIENT_ERROR bad token in command line format\r\n";
inline constexpr std::string_view bad_set_mode = "CLIENT_ERROR invalid mode for ms M token\r\n";
inline constexpr std::string_view bad_count_mode = "CLIENT_ERROR invalid mode for ma M token\r\n";
inline constexpr std::string_view bad_mode_size = "CLIENT_ERROR incorrect length for M token\r\n";
inline constexpr std::string_view long_opaque = "CLIENT_ERROR opaque token too long\r\n";
inline constexpr std::string_view many_flags = "CLIENT_ERROR options flags are too long\r\n";
inline constexpr std::string_view bad_key_code = "CLIENT_ERROR error decoding key\r\n";
inline constexpr std::string_view delete_usage =
    "CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]\r\n";
inline constexpr std::string_view long_line = "CLIENT_ERROR line too long\r\n";
inline constexpr std::string_view not_a_number =
    "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n";
inline constexpr std::string_view too_large = "SERVER_ERROR object too large for cache\r\n";
inline constexpr std::string_view no_memory = "SERVER_ERROR out of memory storing object\r\n";
inline constexpr std::string_view no_flush = "CLIENT_ERROR flush_all not allowed\r\n";
inline constexpr std::string_view end = "END\r\n";
inline constexpr std::string_view ok = "OK\r\n";
}  // namespace answers

/// Understands a line, without its end (memcached's doc/protocol.txt, 1.6). Pure: nothing is kept, nothing
/// copied. Of a key in base64 only the size is checked.
[[nodiscard]] std::expected<command, refusal> parse_command(std::string_view line) noexcept;

/// The flags of a meta command; the response to send if they are wrong. A flag that only another meta command
/// has is not wrong, and is ignored.
[[nodiscard]] std::expected<meta_options, std::string_view> parse_meta_flags(std::string_view flags) noexcept;

}  // namespace eddy::apps::memcached
