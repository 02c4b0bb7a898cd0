#pragma once

#include <eddy/http/websocket/detail/deflate_parameters.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

struct z_stream_s;

namespace eddy::http {

/// Deflates the messages of one direction (RFC 7692 section 7.2.1).
class message_deflater {
public:
    /// Throws std::bad_alloc. Requires: can_deflate(window_bits).
    message_deflater(int window_bits, const deflate_options& options);
    message_deflater(const message_deflater&) = delete;
    message_deflater& operator=(const message_deflater&) = delete;
    ~message_deflater();

    /// zlib makes no window of 256 bytes: messages are sent as they are then, which is always allowed.
    [[nodiscard]] static bool can_deflate(int window_bits) noexcept { return window_bits > 8; }

    /// Puts a piece of a message, deflated so that it can be inflated up to its end, behind `out`; without
    /// the end that is left out of the last one. Throws std::bad_alloc.
    void deflate(std::span<const std::byte> piece, bool is_last, std::string& out);
    /// Forgets what was deflated before.
    void reset() noexcept;

private:
    std::unique_ptr<z_stream_s> zlib_;
};

}  // namespace eddy::http
