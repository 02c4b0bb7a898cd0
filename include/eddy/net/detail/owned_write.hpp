#pragma once

#include <eddy/core/detail/job.hpp>
#include <eddy/core/detail/outcome_awaiter.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/io/detail/operation.hpp>
#include <eddy/io/detail/result.hpp>
#include <eddy/io/owned_bytes.hpp>
#include <eddy/stream/detail/descriptor_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <system_error>
#include <utility>

namespace eddy::detail {

/// Bytes on their way, with the operations that send them. Where they are sent without a copy the kernel may
/// need them long after the write has ended (until the peer has acknowledged them), so they live here, until
/// both the writer and the kernel are done with them.
class owned_send {
public:
    owned_send(owned_bytes bytes, std::size_t zero_copy_above) noexcept;
    owned_send(const owned_send&) = delete;
    owned_send& operator=(const owned_send&) = delete;

    /// Requires: nothing was begun.
    void begin(descriptor_stream& to, job& waiter) noexcept;
    /// Whether nothing has been decided yet.
    [[nodiscard]] bool is_pending() const noexcept { return active_ != nullptr; }
    /// Ends it now. Requires: is_pending().
    void interrupt() noexcept;
    /// The end of the writer's interest: it is destroyed now or later.
    void abandon() noexcept;

    /// 0 if all was sent, or an error.
    [[nodiscard]] std::int32_t result() const noexcept { return result_; }
    [[nodiscard]] std::size_t size() const noexcept { return bytes_.size(); }

private:
    struct step : io::operation {
        step(io::opcode kind, owned_send& sender) noexcept : operation(kind, &on_sent), owner(sender) {
            whole = true;
        }
        owned_send& owner;
    };

    ~owned_send() = default;
    static void on_sent(io::operation& ended, const io::completion& outcome) noexcept;
    void submit(step& begun) noexcept;
    void count(std::int32_t sent) noexcept;
    void end_with(std::int32_t result) noexcept;
    void end_unless_needed() noexcept;

    owned_bytes bytes_;
    std::size_t sent_ = 0;
    descriptor_stream* to_ = nullptr;
    job* waiter_ = nullptr;
    step* active_ = nullptr;  // the one whose result is awaited
    std::int32_t result_ = 0;
    bool is_abandoned_ = false;
    step first_;
    // What the first one left; its operation is in use until the kernel has released the bytes.
    step rest_;
};

struct owned_send_end {
    void operator()(owned_send* sent) const noexcept { sent->abandon(); }
};

/// Awaits the sending of bytes that it owns.
class awaited_owned_write : public outcome_awaiter<awaited_owned_write> {
public:
    awaited_owned_write(descriptor_stream& state, owned_bytes bytes, std::size_t zero_copy_above)
        : state_(state), send_(new owned_send(std::move(bytes), zero_copy_above)) {}
    awaited_owned_write(awaited_owned_write&& other) noexcept = default;
    awaited_owned_write& operator=(awaited_owned_write&&) = delete;
    ~awaited_owned_write() {
        if (send_ != nullptr && send_->is_pending())
            send_->interrupt();
    }

    bool await_ready() const noexcept { return false; }
    void await_suspend(detail::suspension point) noexcept {
        send_->begin(state_, resume_loop::current().suspend(point));
    }
    std::expected<std::size_t, std::error_code> outcome() noexcept {
        if (send_->result() < 0)
            return std::unexpected(io::error_of(send_->result()));
        return send_->size();
    }
    [[nodiscard]] static const char* what() noexcept { return "write"; }
    [[nodiscard]] bool is_pending() const noexcept { return send_->is_pending(); }
    void interrupt() noexcept { send_->interrupt(); }

private:
    descriptor_stream& state_;
    std::unique_ptr<owned_send, owned_send_end> send_;
};

}  // namespace eddy::detail
