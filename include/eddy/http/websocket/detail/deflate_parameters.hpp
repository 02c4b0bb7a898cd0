#pragma once

#include <eddy/detail/build.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace eddy::http {

/// How messages are compressed on one connection, as both ends have agreed (permessage-deflate, RFC 7692
/// section 7.1). A value.
class deflate_parameters {
public:
    static constexpr int window_bits_min = 8;
    static constexpr int window_bits_max = 15;

    deflate_parameters() noexcept = default;

    /// Whether the server, or the client, forgets what it has sent after each message (sections 7.1.1.1 and
    /// 7.1.1.2).
    deflate_parameters& server_no_context_takeover(bool forgets) noexcept {
        return server_forgets_ = forgets, *this;
    }
    deflate_parameters& client_no_context_takeover(bool forgets) noexcept {
        return client_forgets_ = forgets, *this;
    }
    /// The size of the window that each compresses with, as a power of two: 8 to 15 (section 7.1.2).
    deflate_parameters& server_window_bits(int bits) noexcept { return server_window_bits_ = bits, *this; }
    deflate_parameters& client_window_bits(int bits) noexcept { return client_window_bits_ = bits, *this; }

    /// Whether the server's window is named though it is the largest: an offer that names it is accepted by
    /// a response that does (section 7.1.2.1).
    deflate_parameters& names_server_window(bool names) noexcept {
        return names_server_window_ = names, *this;
    }

    [[nodiscard]] bool server_no_context_takeover() const noexcept { return server_forgets_; }
    [[nodiscard]] bool client_no_context_takeover() const noexcept { return client_forgets_; }
    [[nodiscard]] int server_window_bits() const noexcept { return server_window_bits_; }
    [[nodiscard]] int client_window_bits() const noexcept { return client_window_bits_; }
    [[nodiscard]] bool names_server_window() const noexcept { return names_server_window_; }

    friend bool operator==(const deflate_parameters&, const deflate_parameters&) = default;

private:
    int server_window_bits_ = window_bits_max;
    int client_window_bits_ = window_bits_max;
    bool server_forgets_ = false;
    bool client_forgets_ = false;
    bool names_server_window_ = false;
};

/// What one end offers of compression, before both agree, and its cost there.
///
/// Memory: with context takeover a connection that has sent a compressed message keeps about 4 x
/// 2^window_bits
/// + 512 x 2^memory_level bytes (256 KiB by default), and one that has received one about 2^window_bits +
/// 10 KiB. Without it, an idle connection keeps nothing.
class deflate_options {
public:
    deflate_options() noexcept = default;

    /// What is wanted at most: smaller windows and no_context_takeover of the peer's are always agreed to.
    deflate_options& wanted(const deflate_parameters& most) noexcept { return wanted_ = most, *this; }
    /// 1 (fast) to 9 (small); 6 by default.
    deflate_options& level(int value) noexcept { return level_ = value, *this; }
    /// 1 to 9; 8 by default.
    deflate_options& memory_level(int value) noexcept { return memory_level_ = value, *this; }
    /// Smaller messages are sent as they are. 256 by default.
    deflate_options& message_bytes_min(std::size_t bytes) noexcept {
        return message_bytes_min_ = bytes, *this;
    }

    [[nodiscard]] const deflate_parameters& wanted() const noexcept { return wanted_; }
    [[nodiscard]] int level() const noexcept { return level_; }
    [[nodiscard]] int memory_level() const noexcept { return memory_level_; }
    [[nodiscard]] std::size_t message_bytes_min() const noexcept { return message_bytes_min_; }

private:
    deflate_parameters wanted_;
    int level_ = 6;
    int memory_level_ = 8;
    std::size_t message_bytes_min_ = 256;
};

/// The server's part (section 5.1): takes the first offer of a Sec-WebSocket-Extensions field (all its lines,
/// joined by commas) that is valid and can be met. Nothing if there is none: the connection then works
/// without compression.
[[nodiscard]] std::optional<deflate_parameters> accept_deflate_offer(std::string_view offers,
                                                                     const deflate_parameters& wanted);
/// What the server answers in Sec-WebSocket-Extensions.
[[nodiscard]] std::string deflate_response(const deflate_parameters& agreed);

/// The client's part: its offer.
[[nodiscard]] std::string deflate_offer(const deflate_parameters& wanted);
/// What the server's response to that offer means.
class deflate_agreement {
public:
    /// The response is wrong: the connection must fail.
    deflate_agreement() noexcept : is_valid_(false) {}
    /// What was agreed on; nothing means no compression.
    explicit deflate_agreement(std::optional<deflate_parameters> agreed) noexcept
        : agreed_(agreed), is_valid_(true) {}

    [[nodiscard]] bool is_valid() const noexcept { return is_valid_; }
    [[nodiscard]] const std::optional<deflate_parameters>& agreed() const noexcept { return agreed_; }

private:
    std::optional<deflate_parameters> agreed_;
    bool is_valid_;
};
/// Requires: `answer` is the value of Sec-WebSocket-Extensions, all its lines, or empty if there is none.
[[nodiscard]] deflate_agreement check_deflate_response(std::string_view response,
                                                       const deflate_parameters& wanted);

}  // namespace eddy::http
