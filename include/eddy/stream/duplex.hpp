#pragma once

#include <eddy/io/buffer.hpp>
#include <eddy/stream/detail/byte_channel.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace eddy {

namespace detail {

/// Both directions of a pipe in memory.
struct duplex_channels {
    explicit duplex_channels(std::size_t capacity) : forward(capacity), backward(capacity) {}
    byte_channel forward;
    byte_channel backward;
};

/// Nothing to wait for.
class ended_at_once {
public:
    ended_at_once() noexcept {}
    bool await_ready() const noexcept { return true; }
    void await_suspend(suspension) const noexcept {}
    void await_resume() const noexcept {}
};

}  // namespace detail

/// One end of a pipe in memory, made by duplex(): a byte_stream that never meets the system.
///
/// - Ownership: moves, does not copy. Destroying it closes it; it outlives the operations on it.
/// - Thread safety: an end belongs to the worker that uses it; the two may be on different workers, and an
///   end on which nothing is under way may be moved to another. One read and one write at a time.
/// - Cancellation: a dropped read has taken nothing. Of a dropped write the other end gets a prefix, which may
///   be nothing or all of it.
/// - Errors: writing to an end that is closed, or after shutdown(), meets broken_pipe. What other tasks wait
///   for on this end when it is closed ends with operation_canceled.
/// - Cost: one copy into the pipe and one out of it; nothing is allocated once it is made.
class duplex_stream {
public:
    duplex_stream(duplex_stream&&) noexcept = default;
    duplex_stream& operator=(duplex_stream&& other) noexcept {
        duplex_stream taken(std::move(other));
        std::swap(channels_, taken.channels_);
        std::swap(is_first_, taken.is_first_);
        std::swap(is_closed_, taken.is_closed_);
        return *this;
    }
    ~duplex_stream() { close(); }

    /// Waits for bytes and puts at least one into `out`. Returns their number, 0 at the end. What was written
    /// before the other end closed is read before the end. Requires: `out` stays until then.
    [[nodiscard]] detail::channel_read read(std::span<std::byte> out) noexcept { return {incoming(), out}; }

    /// Waits for room and writes some of the bytes. Returns their number. Requires: `bytes` stays until then.
    [[nodiscard]] detail::channel_write write(std::span<const std::byte> bytes) noexcept {
        return {outgoing(), bytes, false};
    }
    /// The same from several buffers. Requires: the array and what it refers to stay until then; the array
    /// may be changed.
    [[nodiscard]] detail::channel_write write(std::span<const_buffer> buffers) noexcept {
        return {outgoing(), buffers, false};
    }
    /// Writes all the bytes. Returns their number.
    [[nodiscard]] detail::channel_write write_all(std::span<const std::byte> bytes) noexcept {
        return {outgoing(), bytes, true};
    }
    [[nodiscard]] detail::channel_write write_all(std::span<const_buffer> buffers) noexcept {
        return {outgoing(), buffers, true};
    }

    /// Ends the sending half, at once: the other end reads what was written, then the end.
    detail::ended_at_once shutdown() noexcept {
        outgoing().end();
        return {};
    }
    /// Ends both halves. What the other end has written and was not read is discarded.
    void close() noexcept;
    /// Whether neither close() nor its destructor was called.
    [[nodiscard]] bool is_open() const noexcept { return channels_ != nullptr && !is_closed_; }

private:
    friend std::pair<duplex_stream, duplex_stream> duplex(std::size_t capacity_bytes);

    duplex_stream(std::shared_ptr<detail::duplex_channels> channels, bool is_first) noexcept
        : channels_(std::move(channels)), is_first_(is_first) {}

    [[nodiscard]] detail::byte_channel& incoming() const noexcept {
        return is_first_ ? channels_->backward : channels_->forward;
    }
    [[nodiscard]] detail::byte_channel& outgoing() const noexcept {
        return is_first_ ? channels_->forward : channels_->backward;
    }

    std::shared_ptr<detail::duplex_channels> channels_;
    bool is_first_;
    bool is_closed_ = false;
};

/// Two ends that are connected with each other. Each direction holds up to `capacity_bytes`: a write beyond
/// that waits until the other end has read. Throws std::bad_alloc. Requires: the capacity is not 0.
[[nodiscard]] std::pair<duplex_stream, duplex_stream> duplex(std::size_t capacity_bytes);

}  // namespace eddy
