#pragma once

#include "http/server/output_buffer.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/io/buffer_pool.hpp>
#include <eddy/runtime/timer.hpp>
#include <eddy/sync/auto_reset_event.hpp>
#include <eddy/sync/mutex.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace eddy::http {

/// What nghttp2 sends of a head, with some to spare.
inline constexpr std::size_t sent_head_bytes_max = std::size_t{48} * 1024;

/// What sends and receives for a stream: its connection.
class http2_carrier {
public:
    /// There is something to send of the stream, or it has ended.
    virtual void stream_has_output(class http2_stream& stream) noexcept = 0;
    virtual void stream_was_read(http2_stream& stream, std::size_t bytes) noexcept = 0;
    virtual void reset_stream(http2_stream& stream, std::uint32_t code) noexcept = 0;

protected:
    ~http2_carrier() = default;
};

/// One stream of a connection, of either role: bytes on their way out and bytes that have arrived.
///
/// Out: what lies in the buffer, then what a sender passes by reference and waits for. In: one piece of memory
/// that grows up to the stream's window, and is handed to the reader as it is.
class http2_stream {
public:
    http2_stream() = default;
    http2_stream(const http2_stream&) = delete;
    http2_stream& operator=(const http2_stream&) = delete;

    /// Null once the connection has ended.
    http2_carrier* carrier = nullptr;
    std::int32_t id = 0;
    bool is_open = false;           // the session knows it
    bool has_head = false;          // the peer's, which is complete
    bool is_begun_here = false;     // a frame of it was sent
    bool is_reset_by_peer = false;  // by a frame

    // -- out --

    static constexpr std::uint64_t unknown_size = std::numeric_limits<std::uint64_t>::max();

    /// How many bytes of this side's body are left to be sent.
    std::uint64_t left_to_send = unknown_size;
    /// Lines of fields that follow the body.
    std::string trailers_to_send;

    [[nodiscard]] output_buffer& output() noexcept { return buffer_; }
    [[nodiscard]] std::size_t waiting_bytes() const noexcept {
        return buffer_.bytes().size() + extra_.size();
    }
    /// Whether all of this side's body is there.
    [[nodiscard]] bool is_own_body_complete() const noexcept {
        return is_ended_ || left_to_send == waiting_bytes();
    }
    /// Nothing follows what is there.
    void end_output() noexcept;
    [[nodiscard]] bool is_output_ended() const noexcept { return is_ended_; }
    /// Moves bytes from the front to a frame. Requires: as many wait.
    void take(std::size_t count, char* to, time_point now) noexcept;
    /// Sends what is in the buffer, then `bytes`. Waits until `bytes` are in frames; what is in the buffer
    /// goes without that. `is_broken` becomes true if it fails or is dropped. Throws std::system_error.
    /// `idle`: how long none may go; `end`: when it must be over. Beyond: std::errc::timed_out.
    [[nodiscard]] task<void> send_behind(std::string_view bytes, bool& is_broken,
                                         duration idle = duration::max(), time_point end = time_point::max());
    /// Sends what is in the buffer, as send_behind() without bytes does. Returns false if that has to wait, or fails.
    [[nodiscard]] bool try_flush() noexcept;
    /// Nothing can be sent any more: ends the wait of a sender.
    void end_sending() noexcept;

    /// The session waits for resume().
    bool is_deferred = false;
    /// Since when some bytes could not be sent, how many were since, and when the last ones were.
    time_point stuck_since{};
    time_point sent_at{};
    std::uint64_t sent_since_stuck = 0;
    void note_output(time_point now) noexcept;

    // -- in --

    using received = std::expected<buffer_lease, std::error_code>;

    /// Keeps what has arrived. Throws std::bad_alloc.
    void add(std::span<const std::byte> bytes);
    /// The same in front of what has arrived.
    void add_in_front(std::span<const std::byte> bytes);
    /// The peer has ended its side, or the stream was reset, which `failure` then says.
    void end_input(std::error_code failure = {}) noexcept;
    [[nodiscard]] bool is_input_ended() const noexcept { return is_input_ended_; }
    [[nodiscard]] std::error_code input_failure() const noexcept { return failure_; }
    [[nodiscard]] std::size_t arrived_bytes() const noexcept { return end_ - begin_; }
    /// Waits for bytes or the end. False where the deadline comes before.
    [[nodiscard]] task<bool> wait_for_input(time_point deadline);
    /// Waits for bytes; an empty lease at the end. Dropped: loses nothing.
    [[nodiscard]] task<received> receive(time_point deadline);
    [[nodiscard]] std::size_t try_take(std::span<std::byte> out) noexcept;
    /// Bytes that the peer has sent and was not yet allowed to replace.
    std::size_t unread_bytes = 0;

protected:
    ~http2_stream() = default;
    /// As new, for another stream.
    void clear() noexcept;

    void note_read(std::size_t bytes) noexcept;
    /// The front of what has arrived, up to `bytes_max`: stays where it is until take_back().
    [[nodiscard]] std::span<const std::byte> lend(std::size_t bytes_max) noexcept;
    /// What is lent was read. Does nothing where nothing is.
    void take_back() noexcept;
    [[nodiscard]] std::size_t lent_bytes() const noexcept { return lent_bytes_; }
    /// What has arrived, without a note that it was read. Requires: nothing is lent.
    [[nodiscard]] buffer_lease take_all() noexcept;
    /// Waits for bytes, the end, or wake_reader(). False where the deadline comes before.
    [[nodiscard]] task<bool> wait_for_arrival(time_point deadline);
    void wake_reader() noexcept { static_cast<void>(arrival_.cancel()); }

private:
    [[nodiscard]] task<void> wait_until_sent(duration idle, time_point end);

    output_buffer buffer_;
    std::string_view extra_;
    bool is_ended_ = false;
    bool is_sending_over_ = false;
    mutex sending_;
    auto_reset_event sent_;

    std::unique_ptr<std::byte[]> memory_;
    std::size_t capacity_ = 0;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::size_t lent_bytes_ = 0;                // of the front of what has arrived: with the reader
    std::unique_ptr<std::byte[]> lent_memory_;  // that was replaced meanwhile
    bool is_input_ended_ = false;
    std::error_code failure_;
    timer arrival_;
};

}  // namespace eddy::http
