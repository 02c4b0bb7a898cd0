#pragma once

#include <eddy/core/detail/suspension.hpp>
#include <eddy/detail/assert.hpp>
#include <eddy/detail/atomic.hpp>
#include <eddy/detail/spinlock.hpp>
#include <eddy/sync/detail/waiter.hpp>

#include <atomic>
#include <cstdint>
#include <utility>

namespace eddy {

/// A signal for one: each set() resumes one waiter, or lets the next one pass. Signals do not add up: setting
/// it twice equals setting it once.
///
/// - Order: first come, first served. A signal goes to the task that has waited longest; no other gets it in
///   between.
/// - Where a waiter resumes: in its own worker's loop, never the call to set().
/// - Cancellation: a dropped wait leaves the queue; a signal that it had already received goes to the next,
///   or the event stays set.
/// - Thread safety: any thread may call everything, also one that is no worker. What happened before set() is
///   visible to the task that gets its signal.
/// - Destruction: once no other thread will use it again; also by the last waiter right after its wait, while
///   set() is still returning.
/// - Cost: no allocation; one atomic operation to set and one to wait while there are no waiters. No thread
///   is ever blocked.
class auto_reset_event {
public:
    /// Not set, unless it is said.
    explicit auto_reset_event(bool is_set = false) noexcept : state_(is_set ? signalled : unset) {}
    auto_reset_event(const auto_reset_event&) = delete;
    auto_reset_event& operator=(const auto_reset_event&) = delete;
    ~auto_reset_event() { EDDY_CHECK(waiting_.empty(), "no task waits for an event that is destroyed"); }

    /// Resumes the waiter that has waited longest; the event stays set if there is none.
    void set() noexcept {
        std::uint32_t expected = unset;
        if (!state_.compare_exchange_strong(expected, signalled, std::memory_order_release,
                                            std::memory_order_relaxed) &&
            expected == awaited)
            hand_on();
    }
    /// Clears the signal if no task has received it.
    void reset() noexcept { static_cast<void>(try_take()); }

    /// Takes the signal, if there is one.
    [[nodiscard]] bool try_wait() noexcept {
        if (!try_take())
            return false;
        lock_.settle();
        return true;
    }
    /// Whether there is a signal that no task has received, at some moment during the call.
    [[nodiscard]] bool is_set() const noexcept { return state_.load(std::memory_order_relaxed) == signalled; }

    class signal_request;
    class wait_awaiter;
    /// Awaited: waits for a signal and takes it.
    [[nodiscard]] wait_awaiter wait() noexcept;

private:
    // The values of state_. It becomes `awaited`, and leaves it, under the lock only, so a waiter that has
    // made it so cannot be missed. After a dropped wait the list may be empty all the same.
    static constexpr std::uint32_t unset = 0;
    static constexpr std::uint32_t signalled = 1;
    static constexpr std::uint32_t awaited = 2;  // unset, that is

    [[nodiscard]] bool try_take() noexcept {
        std::uint32_t expected = signalled;
        return state_.compare_exchange_strong(expected, unset, std::memory_order_acquire,
                                              std::memory_order_relaxed);
    }
    /// Takes the signal, or puts the waiter into the queue: false.
    [[nodiscard]] bool take_or_wait(detail::waiter& waits) noexcept;
    void hand_on() noexcept;

    detail::atomic<std::uint32_t> state_;
    detail::spinlock lock_;
    detail::waiter_list waiting_;
};

/// A wait for the event that select() can offer among others.
class auto_reset_event::signal_request : public detail::waiter {
public:
    /// Waits for `target`, which outlives it.
    explicit signal_request(auto_reset_event& target) noexcept
        : waiter(std::in_place_type<signal_request>), wanted(target) {}
    /// Whether it keeps waiting, since another task was faster.
    [[nodiscard]] bool comes_back() noexcept { return wanted.take_or_wait(*this); }

    /// The event.
    auto_reset_event& wanted;
};

class [[nodiscard]] auto_reset_event::wait_awaiter {
public:
    explicit wait_awaiter(auto_reset_event& wanted) noexcept : request_(wanted) {}
    /// Requires: it has not been awaited yet.
    wait_awaiter(wait_awaiter&& other) noexcept : request_(other.event()) {}
    wait_awaiter& operator=(wait_awaiter&&) = delete;
    ~wait_awaiter() {
        if (request_.withdraw(event().lock_))
            event().set();
    }

    bool await_ready() const noexcept { return detail::resume_loop::consume_budget() && event().try_take(); }
    bool await_suspend(detail::suspension point) noexcept {
        request_.suspend(point);
        return request_.gives_way() || !event().take_or_wait(request_);
    }
    void await_resume() noexcept { request_.finish(event().lock_); }

private:
    [[nodiscard]] auto_reset_event& event() const noexcept { return request_.wanted; }

    signal_request request_;
};

inline auto_reset_event::wait_awaiter auto_reset_event::wait() noexcept {
    return wait_awaiter(*this);
}

}  // namespace eddy
