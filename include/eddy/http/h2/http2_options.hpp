#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/detail/build.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace eddy::http {

/// How HTTP/2 is spoken, by a server or a client. Setters chain; the defaults are safe in public. Times and sizes of
/// messages are those of server_options and client_options.
class http2_options {
public:
    http2_options() noexcept = default;

    /// Requests that a client may have under way on one connection; 100 by default. A server refuses more
    /// (REFUSED_STREAM); a client, which also respects its server's limit, makes another connection.
    http2_options& streams_max(std::uint32_t count) noexcept {
        streams_max_ = count;
        return *this;
    }
    /// How much of a body the peer may send ahead of its reader; 256 KiB by default, 2^31 - 1 at most.
    http2_options& stream_window_bytes(std::uint32_t bytes) noexcept {
        stream_window_bytes_ = bytes;
        return *this;
    }
    /// The same for all bodies of a connection together: the most memory that they take; 1 MiB by default, 65,535
    /// at least.
    http2_options& connection_window_bytes(std::uint32_t bytes) noexcept {
        connection_window_bytes_ = bytes;
        return *this;
    }
    /// What header compression may remember, for each direction of a connection; 4096 by default.
    http2_options& header_table_bytes_max(std::uint32_t bytes) noexcept {
        header_table_bytes_max_ = bytes;
        return *this;
    }
    /// CONTINUATION frames of one head; 8 by default. Beyond: the connection ends.
    http2_options& continuations_max(std::size_t count) noexcept {
        continuations_max_ = count;
        return *this;
    }
    /// How many streams a second the peer may have reset, by RST_STREAM or by malformed messages, and ten
    /// times as many at once; 30 by default. Beyond: the connection ends with ENHANCE_YOUR_CALM.
    http2_options& resets_per_s_max(std::uint32_t count) noexcept {
        resets_per_s_max_ = count;
        return *this;
    }
    /// How many frames that carry nothing (SETTINGS, PING, PRIORITY, empty DATA, unknown types) a peer may send a
    /// second, and ten times as many at once; 100 by default. Beyond: the connection ends with
    /// ENHANCE_YOUR_CALM.
    http2_options& idle_frames_per_s_max(std::uint32_t count) noexcept {
        idle_frames_per_s_max_ = count;
        return *this;
    }

    // -- of a client --

    /// Speaks it to servers of http URLs, too. Off by default; with servers of https it is agreed on by ALPN.
    http2_options& prior_knowledge(bool is_on) noexcept {
        prior_knowledge_ = is_on;
        return *this;
    }
    /// A server from which nothing has come for so long gets a PING; 30 s by default.
    http2_options& ping_after(duration silence) noexcept {
        ping_after_ = silence;
        return *this;
    }
    /// How long it may be silent after that before the connection is closed; 10 s by default.
    http2_options& ping_timeout(duration limit) noexcept {
        ping_timeout_ = limit;
        return *this;
    }

    [[nodiscard]] std::uint32_t streams_max() const noexcept { return streams_max_; }
    [[nodiscard]] std::uint32_t stream_window_bytes() const noexcept { return stream_window_bytes_; }
    [[nodiscard]] std::uint32_t connection_window_bytes() const noexcept { return connection_window_bytes_; }
    [[nodiscard]] std::uint32_t header_table_bytes_max() const noexcept { return header_table_bytes_max_; }
    [[nodiscard]] std::size_t continuations_max() const noexcept { return continuations_max_; }
    [[nodiscard]] std::uint32_t resets_per_s_max() const noexcept { return resets_per_s_max_; }
    [[nodiscard]] std::uint32_t idle_frames_per_s_max() const noexcept { return idle_frames_per_s_max_; }
    [[nodiscard]] bool prior_knowledge() const noexcept { return prior_knowledge_; }
    [[nodiscard]] duration ping_after() const noexcept { return ping_after_; }
    [[nodiscard]] duration ping_timeout() const noexcept { return ping_timeout_; }

private:
    std::uint32_t streams_max_ = 100;
    std::uint32_t stream_window_bytes_ = 256 * 1024;
    std::uint32_t connection_window_bytes_ = 1 << 20;
    std::uint32_t header_table_bytes_max_ = 4096;
    std::size_t continuations_max_ = 8;
    std::uint32_t resets_per_s_max_ = 30;
    std::uint32_t idle_frames_per_s_max_ = 100;
    bool prior_knowledge_ = false;
    duration ping_after_ = std::chrono::seconds(30);
    duration ping_timeout_ = std::chrono::seconds(10);
};

}  // namespace eddy::http
