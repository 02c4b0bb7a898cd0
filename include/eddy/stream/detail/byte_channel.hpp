#pragma once

#include <eddy/core/detail/outcome_awaiter.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/detail/spinlock.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/sync/detail/waiter.hpp>

#include <cstddef>
#include <expected>
#include <memory>
#include <span>
#include <system_error>

namespace eddy::detail {

class channel_write;

/// One direction of a pipe in memory: a ring of bytes with a reader at one end and a writer at the other.
///
/// Bytes stay in the ring until a reader that has been resumed takes them, so a read that is dropped has
/// nothing to return. A write that waits is fed into the ring by the reader, from the writer's memory.
///
/// Thread safety: the two ends may be on different workers.
class byte_channel {
public:
    explicit byte_channel(std::size_t capacity);

    // -- the reader's --

    /// Whether a read can be answered without waiting.
    [[nodiscard]] bool has_answer() noexcept;
    /// Requires: no other task waits to read.
    void wait_to_read(waiter& reader) noexcept;
    /// The result of a read: a number of bytes, 0 at the end, else operation_canceled.
    [[nodiscard]] std::expected<std::size_t, std::error_code> take(std::span<std::byte> out) noexcept;
    /// Closes the reading end: the writer gets broken_pipe, a waiting reader operation_canceled.
    void refuse() noexcept;

    // -- the writer's --

    /// Takes what there is room for; true if the write is complete.
    [[nodiscard]] bool try_write(channel_write& write) noexcept;
    /// Requires: no other task waits to write.
    void wait_to_write(channel_write& write) noexcept;
    /// Closes the writing end: the reader reaches the end, a waiting writer gets operation_canceled.
    void end() noexcept;

    /// Whether the waiter waits and has not been resumed.
    [[nodiscard]] bool is_pending(const waiter& waits) noexcept;
    /// Ends the wait, if there is one: of a task that was resumed, or will not be.
    void leave(waiter& waits) noexcept { static_cast<void>(waits.withdraw(lock_)); }

private:
    [[nodiscard]] bool has_answer_locked() const noexcept { return size_ != 0 || is_ended_ || is_refused_; }
    [[nodiscard]] bool advance(channel_write& write, pending_wakes& wakes) noexcept;
    std::size_t put(std::span<const std::byte> bytes) noexcept;
    void feed_from_writer(pending_wakes& wakes) noexcept;
    static void release_first(waiter_list& waiting, pending_wakes& wakes) noexcept;

    spinlock lock_;
    std::unique_ptr<std::byte[]> ring_;
    std::size_t capacity_;
    std::size_t first_ = 0;
    std::size_t size_ = 0;
    bool is_ended_ = false;
    bool is_refused_ = false;
    waiter_list reader_;  // one at most
    waiter_list writer_;
    channel_write* writing_ = nullptr;  // the write that the waiter in writer_ belongs to
};

/// Awaits bytes of a channel.
class [[nodiscard]] channel_read : public outcome_awaiter<channel_read> {
public:
    channel_read(byte_channel& from, std::span<std::byte> out) noexcept;
    channel_read(channel_read&& other) noexcept : from_(other.from_), out_(other.out_) {}
    channel_read& operator=(channel_read&&) = delete;
    ~channel_read() { from_.leave(waiter_); }

    bool await_ready() const noexcept { return out_.empty() || (from_.has_answer() && consume_budget()); }
    void await_suspend(suspension point) noexcept {
        waiter_.suspend(point);
        if (!from_.has_answer() || !waiter_.gives_way())
            from_.wait_to_read(waiter_);
    }
    [[nodiscard]] static const char* what() noexcept { return "read"; }
    std::expected<std::size_t, std::error_code> outcome() noexcept {
        from_.leave(waiter_);
        return from_.take(out_);
    }
    [[nodiscard]] bool is_pending() const noexcept { return from_.is_pending(waiter_); }
    void interrupt() noexcept { from_.leave(waiter_); }

private:
    [[nodiscard]] bool consume_budget() const noexcept {
        return resume_loop::consume_budget(resume_loop::copy_cost(out_.size()));
    }

    byte_channel& from_;
    std::span<std::byte> out_;
    waiter waiter_;
};

/// Awaits room in a channel for some or all of several bytes.
class [[nodiscard]] channel_write : public outcome_awaiter<channel_write> {
public:
    channel_write(byte_channel& to, std::span<const std::byte> bytes, bool whole) noexcept
        : to_(to), single_(bytes), is_single_(true), is_whole_(whole) {}
    channel_write(byte_channel& to, std::span<const_buffer> buffers, bool whole) noexcept
        : to_(to), buffers_(buffers), is_whole_(whole) {}
    /// Requires: it has not been awaited yet.
    channel_write(channel_write&& other) noexcept
        : to_(other.to_),
          single_(other.single_),
          buffers_(other.buffers_),
          is_single_(other.is_single_),
          is_whole_(other.is_whole_) {}
    channel_write& operator=(channel_write&&) = delete;
    ~channel_write() { to_.leave(waiter_); }

    bool await_ready() noexcept { return to_.try_write(*this) && consume_budget(); }
    void await_suspend(suspension point) noexcept {
        waiter_.suspend(point);
        if (!is_complete_ || !waiter_.gives_way())
            to_.wait_to_write(*this);
    }
    std::expected<std::size_t, std::error_code> outcome() noexcept;
    [[nodiscard]] static const char* what() noexcept { return "write"; }
    [[nodiscard]] bool is_pending() const noexcept { return to_.is_pending(waiter_); }
    void interrupt() noexcept { to_.leave(waiter_); }

private:
    friend class byte_channel;
    [[nodiscard]] bool consume_budget() const noexcept {
        return resume_loop::consume_budget(resume_loop::copy_cost(sent_));
    }
    /// The first buffer that has bytes left, or null.
    [[nodiscard]] const_buffer* next() noexcept;

    byte_channel& to_;
    const_buffer single_;
    std::span<const_buffer> buffers_;
    bool is_single_ = false;
    bool is_whole_;
    bool is_complete_ = false;
    std::errc error_ = std::errc::operation_canceled;
    std::size_t sent_ = 0;
    waiter waiter_;
};

}  // namespace eddy::detail
