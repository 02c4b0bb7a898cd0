#pragma once

#include <eddy/io/buffer.hpp>
#include <eddy/io/detail/awaited_operation.hpp>
#include <eddy/io/detail/owned_descriptor.hpp>
#include <eddy/runtime/worker.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::detail {

/// What a stream over a descriptor that is no socket (a pipe's end, a terminal) keeps where it cannot move:
/// the descriptor, and what was read for a wait that was dropped.
///
/// Thread safety: belongs to its worker.
class descriptor_stream {
public:
    descriptor_stream(worker& home, owned_descriptor opened) noexcept;
    descriptor_stream(const descriptor_stream&) = delete;
    descriptor_stream& operator=(const descriptor_stream&) = delete;
    ~descriptor_stream() { close(); }

    [[nodiscard]] io::backend& backend() const noexcept { return home_.backend(); }
    /// Negative once it is closed.
    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

    /// What is under way ends with operation_canceled.
    void close() noexcept;

    /// Whether a read can be served without a system call.
    [[nodiscard]] bool has_answer() const noexcept { return has_bytes() || end_ != still_open; }
    [[nodiscard]] bool has_bytes() const noexcept { return begin_ != kept_.size(); }
    /// The result. Requires: has_answer() and no operation has been begun instead.
    [[nodiscard]] std::int32_t take(std::span<std::byte> out) noexcept;
    [[nodiscard]] std::span<const std::byte> kept() const noexcept {
        return std::span(kept_).subspan(begin_);
    }
    /// Requires: so many are kept.
    void skip(std::size_t count) noexcept;
    /// Keeps bytes in front of all others for the next read.
    void put_back(std::span<const std::byte> bytes) noexcept;
    /// Keeps the end, or an error, for the next read.
    void note_end(std::int32_t result) noexcept { end_ = result; }

    /// Whether no process has opened the other end of a named pipe yet: a read would report the end too
    /// early.
    [[nodiscard]] bool expects_writer() const noexcept { return expects_writer_; }
    void expect_writer(bool is_expected) noexcept { expects_writer_ = is_expected; }

    // -- what every build checks; else the program ends with a message --

    void require_home() const noexcept { worker::require_current(&home_); }
    void require_no_read() const noexcept {
        if (reading != nullptr) [[unlikely]]
            fatal("one read at a time on a stream");
    }
    void require_no_write() const noexcept {
        if (writing != nullptr) [[unlikely]]
            fatal("one write at a time on a stream");
    }

    /// What is under way, for close() to end. At most one each.
    io::operation* reading = nullptr;
    io::operation* writing = nullptr;
    /// Whether it is worth trying to read, or write, at once.
    io::speculation read_speculation;
    io::speculation write_speculation;

private:
    static constexpr std::int32_t still_open = 1;

    worker& home_;
    int descriptor_;
    bool expects_writer_ = false;
    std::int32_t end_ = still_open;
    std::vector<std::byte> kept_;
    std::size_t begin_ = 0;
};

/// Awaits bytes in the caller's memory.
class descriptor_read : public io::awaited_operation<io::operation> {
public:
    descriptor_read(descriptor_stream& stream, std::span<std::byte> out) noexcept;
    descriptor_read(descriptor_read&& other) noexcept
        : awaited_operation(std::move(other)),
          stream_(other.stream_) {}  // NOLINT(bugprone-use-after-move): the base took its part only
    descriptor_read& operator=(descriptor_read&&) = delete;
    ~descriptor_read();

    bool await_ready() noexcept;
    void await_suspend(detail::suspension point) noexcept;
    std::size_t await_resume();
    std::expected<std::size_t, std::error_code> outcome() noexcept;
    void interrupt() noexcept;

private:
    static void on_step(io::operation& ended, const io::completion& step) noexcept;
    [[nodiscard]] std::int32_t take() noexcept;

    descriptor_stream& stream_;
    bool is_under_way_ = false;
};

/// Awaits the writing of bytes.
class descriptor_write : public io::awaited_operation<io::operation> {
public:
    descriptor_write(descriptor_stream& stream, std::span<const std::byte> bytes, bool is_whole) noexcept;
    /// Of all bytes of several buffers, one buffer at a time.
    descriptor_write(descriptor_stream& stream, std::span<const_buffer> buffers) noexcept;
    descriptor_write(descriptor_write&& other) noexcept
        : awaited_operation(std::move(other)),
          stream_(other.stream_),  // NOLINT(bugprone-use-after-move): the base took its part only
          later_(other.later_) {}  // NOLINT(bugprone-use-after-move): likewise
    descriptor_write& operator=(descriptor_write&&) = delete;
    ~descriptor_write();

    bool await_ready() noexcept;
    void await_suspend(detail::suspension point) noexcept;
    std::size_t await_resume();
    std::expected<std::size_t, std::error_code> outcome() noexcept;
    void interrupt() noexcept;

private:
    static void on_step(io::operation& ended, const io::completion& step) noexcept;
    /// Counts bytes that were written. Whether some are left.
    bool advance(std::int32_t count) noexcept;
    void take_next_buffer() noexcept;
    [[nodiscard]] std::int32_t take() noexcept;

    descriptor_stream& stream_;
    std::span<const_buffer> later_;
    std::size_t written_ = 0;
};

}  // namespace eddy::detail
