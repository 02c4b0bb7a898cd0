#pragma once

#include <eddy/core/as_result.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/task.hpp>
#include <eddy/detail/assert.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/stream/byte_stream.hpp>
#include <eddy/stream/detail/counted_write.hpp>
#include <eddy/stream/detail/write_buffer.hpp>
#include <eddy/stream/stream_error.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <system_error>
#include <type_traits>
#include <utility>

namespace eddy {

namespace detail {

/// Awaits that bytes have been taken over by a buffered_writer.
template <class Writer>
class [[nodiscard]] buffered_write {
public:
    buffered_write(Writer& writer, std::span<const std::byte> bytes) noexcept
        : writer_(writer), bytes_(bytes) {}
    /// Requires: it has not been awaited yet.
    buffered_write(buffered_write&& other) noexcept : writer_(other.writer_), bytes_(other.bytes_) {}
    buffered_write& operator=(buffered_write&&) = delete;
    ~buffered_write() = default;

    bool await_ready() { return writer_.try_put(bytes_); }
    transfer await_suspend(suspension point) {
        sending_.emplace(writer_.send(bytes_, false).operator co_await());
        return sending_->await_suspend(point);
    }
    std::size_t await_resume() {
        if (sending_)
            sending_->await_resume();
        return bytes_.size();
    }

private:
    Writer& writer_;
    std::span<const std::byte> bytes_;
    std::optional<task<>::awaiter> sending_;
};

}  // namespace detail

/// Gathers what is written and passes it to a sink in large pieces. A write that does not fit the buffer goes
/// to the sink from the caller's memory, together with what is in the buffer.
///
/// The buffer is sent by flush(), or to make room; the destructor sends nothing, so call flush() or
/// shutdown() before the end.
///
/// - Ownership: `buffered_writer(stream)` refers to a stream that outlives it,
///   `buffered_writer(std::move(s))` owns it. It outlives the writes on it.
/// - Thread safety: none; one write, flush or shutdown at a time.
/// - Cancellation: any write or flush may be dropped: what has been taken over and was not sent stays in the
///   buffer, and the next write or flush continues there; accepted() returns how many bytes have been taken
///   over. That holds for connections and pipes in memory, whose writes report their progress. After a drop
///   in the middle of another sink's write, all that follows ends with stream_error::write_was_dropped.
/// - Errors: those of the sink. What it has not taken stays in the buffer.
/// - Cost: nothing is allocated but the buffer, once, with the first write. A write for which there is room
///   is a copy; one for which there is none costs one coroutine frame beside the writes of the sink.
template <class Sink>
    requires byte_sink<std::remove_reference_t<Sink>>
class buffered_writer {
public:
    /// What it writes to.
    using sink_type = std::remove_reference_t<Sink>;
    /// The capacity if none is given.
    static constexpr std::size_t default_capacity_bytes = 8192;

    explicit buffered_writer(Sink&& sink, std::size_t capacity_bytes = default_capacity_bytes)
        : sink_(std::forward<Sink>(sink)), buffer_(capacity_bytes) {}
    /// Requires: no write is under way.
    buffered_writer(buffered_writer&&) noexcept = default;
    buffered_writer& operator=(buffered_writer&&) = delete;
    ~buffered_writer() = default;

    /// Takes over all the bytes. Returns their number. Waits only if there is no room for them in the buffer.
    /// Requires: `bytes` stays until then.
    [[nodiscard]] auto write(std::span<const std::byte> bytes) noexcept {
        return detail::buffered_write<buffered_writer>(*this, bytes);
    }
    /// The same; so that the writer is a byte_sink itself.
    [[nodiscard]] auto write_all(std::span<const std::byte> bytes) noexcept { return write(bytes); }
    /// Takes over all bytes of several buffers, in order. Returns their number. Requires: the array and what
    /// it refers to stay until then.
    [[nodiscard]] task<std::size_t> write_all(std::span<const_buffer> buffers) {
        std::size_t count = 0;
        for (const const_buffer& each : buffers)
            count += co_await write(std::span(static_cast<const std::byte*>(each.data()), each.size()));
        co_return count;
    }

    /// Hands everything to the sink.
    [[nodiscard]] task<> flush() { return send({}, true); }
    /// Hands everything to the sink, and ends its sending half.
    [[nodiscard]] task<> shutdown()
        requires requires(sink_type& sink) { sink.shutdown(); }
    {
        co_await flush();
        co_await sink_.shutdown();
    }

    /// How many bytes of all writes were taken over.
    [[nodiscard]] std::uint64_t accepted() const noexcept { return accepted_; }
    /// What was taken over and not sent.
    [[nodiscard]] std::span<const std::byte> pending() const noexcept { return buffer_.bytes(); }
    /// The sink. Writing to it directly overtakes pending().
    [[nodiscard]] sink_type& sink() noexcept { return sink_; }

private:
    template <class Writer>
    friend class detail::buffered_write;
    template <class Operation, class Tally>
    friend class detail::counted_write;

    /// Notes that the sink is being written to, for an assertion.
    class writing {
    public:
        explicit writing(bool& is_writing) noexcept : is_writing_(is_writing) {
            EDDY_ASSERT(!is_writing_, "one write at a time on a writer");
            is_writing_ = true;
        }
        writing(const writing&) = delete;
        writing& operator=(const writing&) = delete;
        ~writing() { is_writing_ = false; }

    private:
        bool& is_writing_;
    };

    [[nodiscard]] bool try_put(std::span<const std::byte> bytes) {
        EDDY_ASSERT(!is_writing_, "one write at a time on a writer");
        if (is_uncertain_ || bytes.size() > buffer_.room())
            return false;
        put(bytes);
        return true;
    }
    void put(std::span<const std::byte> bytes) {
        buffer_.append(bytes);
        accepted_ += bytes.size();
    }

    /// Sends until there is room for what is left of `bytes`, or until nothing is left at all.
    task<> send(std::span<const std::byte> bytes, bool everything) {
        const writing here(is_writing_);
        if (is_uncertain_)
            throw std::system_error(stream_error::write_was_dropped, "write");
        passing_ = bytes;
        while (everything ? !buffer_.empty() : passing_.size() > buffer_.room()) {
            if constexpr (vectored_sink<sink_type>) {
                std::array<const_buffer, 2> both{const_buffer(buffer_.bytes()), const_buffer(passing_)};
                const std::size_t begin = buffer_.empty() ? 1 : 0;
                const std::span<const_buffer> filled(both.data() + begin, both.size() - begin);
                detail::counted_write step(detail::get_awaiter(sink_.write(filled)), *this);
                co_await step;
            } else {
                detail::counted_write step(detail::get_awaiter(sink_.write(next_piece())), *this);
                co_await step;
            }
        }
        put(std::exchange(passing_, {}));
    }

    /// What a sink gets that takes one buffer at a time: the buffer, full, or else what goes past it.
    [[nodiscard]] std::span<const std::byte> next_piece() {
        if (buffer_.empty())
            return passing_;
        const std::size_t count = std::min(passing_.size(), buffer_.room());
        put(passing_.first(count));
        passing_ = passing_.subspan(count);
        return buffer_.bytes();
    }

    // -- for counted_write --

    void wrote(std::size_t count) noexcept {
        const std::size_t buffered = std::min(count, buffer_.size());
        buffer_.consume(buffered);
        passing_ = passing_.subspan(count - buffered);
        accepted_ += count - buffered;
    }
    void dropped() noexcept { is_uncertain_ = true; }

    Sink sink_;
    detail::write_buffer buffer_;
    std::span<const std::byte> passing_;  // of the write under way, what was not taken over
    std::uint64_t accepted_ = 0;
    bool is_writing_ = false;
    bool is_uncertain_ = false;
};

template <class Sink>
buffered_writer(Sink&&) -> buffered_writer<Sink>;
template <class Sink>
buffered_writer(Sink&&, std::size_t) -> buffered_writer<Sink>;

}  // namespace eddy
