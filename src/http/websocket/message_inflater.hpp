#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

struct z_stream_s;

namespace eddy::http {

/// Inflates the messages of one direction (RFC 7692 section 7.2.2).
class message_inflater {
public:
    /// Throws std::bad_alloc.
    explicit message_inflater(int window_bits);
    message_inflater(const message_inflater&) = delete;
    message_inflater& operator=(const message_inflater&) = delete;
    ~message_inflater();

    /// Inflates from the front of `from` into `to`; takes what it has consumed off `from`. Returns how many
    /// bytes it has made. If `to` is full, there may be more without further input. What refers further back
    /// than the window is broken, unless this very call has made it.
    [[nodiscard]] std::size_t inflate(std::span<const std::byte>& from, std::span<std::byte> to);
    /// Ends a message by what its sender has left out, to be repeated while `to` is full.
    [[nodiscard]] std::size_t finish(std::span<std::byte> to);
    /// Whether this cannot be deflated data, behind what has been made of it.
    [[nodiscard]] bool is_broken() const noexcept { return is_broken_; }
    /// Prepares for the next message. With `forgets` the window of earlier messages is dropped.
    void end_message(bool forgets);

private:
    void begin_again();

    std::unique_ptr<z_stream_s> zlib_;
    unsigned ends_ = 0;  // of streams, within this message
    std::uint8_t tail_taken_ = 0;
    bool is_broken_ = false;
};

}  // namespace eddy::http
