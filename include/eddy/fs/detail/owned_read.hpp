#pragma once

#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/detail/job.hpp>
#include <eddy/core/detail/outcome_awaiter.hpp>
#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/io/detail/awaited_operation.hpp>
#include <eddy/io/detail/backend.hpp>
#include <eddy/io/detail/operation.hpp>
#include <eddy/io/owned_bytes.hpp>

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <system_error>
#include <utility>

namespace eddy::detail {

/// A read into memory of its own. Belongs to its awaiter, or to itself once that has gone while the system
/// was at it: it then frees itself at the operation's last completion.
class owned_read final : public io::operation, public in_frame_cache {
public:
    /// Throws std::bad_alloc.
    owned_read(io::backend& backend, int file, std::uint64_t from, std::size_t count);

    void start(job& waiter) noexcept {
        waiter_ = &waiter;
        backend_.submit(*this);
    }
    /// Detaches it without waiting.
    void abandon() noexcept;
    /// Once it has ended: the error or the bytes, which are taken.
    [[nodiscard]] std::expected<owned_bytes, std::error_code> take() noexcept;

private:
    static void on_read(io::operation& ended, const io::completion& outcome) noexcept;

    io::backend& backend_;
    job* waiter_ = nullptr;
    std::int32_t result_ = 0;
    owned_bytes memory_;
};

/// Awaits bytes of a file in memory of their own.
class awaited_owned_read : public outcome_awaiter<awaited_owned_read> {
public:
    awaited_owned_read(io::backend& backend, int file, std::uint64_t from, std::size_t count)
        : read_(new owned_read(backend, file, from, count)) {}
    awaited_owned_read(awaited_owned_read&& other) noexcept : read_(std::exchange(other.read_, nullptr)) {}
    awaited_owned_read& operator=(awaited_owned_read&&) = delete;
    ~awaited_owned_read() {
        if (read_ != nullptr)
            read_->abandon();
    }

    bool await_ready() const noexcept { return false; }
    void await_suspend(detail::suspension point) noexcept {
        read_->start(resume_loop::current().suspend(point));
    }
    std::expected<owned_bytes, std::error_code> outcome() noexcept;
    [[nodiscard]] static const char* what() noexcept { return "read"; }
    [[nodiscard]] bool is_pending() const noexcept { return read_ != nullptr && !read_->is_idle(); }
    void interrupt() noexcept { std::exchange(read_, nullptr)->abandon(); }

private:
    owned_read* read_;
};

}  // namespace eddy::detail
