#pragma once

#include <eddy/base/assert.hpp>
#include <eddy/base/atomic.hpp>
#include <eddy/base/spinlock.hpp>
#include <eddy/core/suspension.hpp>
#include <eddy/sync/waiter.hpp>

#include <atomic>
#include <cstdint>

namespace eddy {

/// A signal for one: each set() lets one waiter go on, or the next one that comes. Signals do not add up:
/// setting what is set changes nothing.
///
/// - Order: first come, first served. A signal goes to who has waited longest; nobody comes between.
/// - Where a waiter goes on: its own worker's loop resumes it, never the call to set().
/// - Cancellation: a dropped wait leaves the queue; a signal that it has just been given goes to the next, or
///   the event stays set.
/// - Thread safety: everything may be called by any thread, threads that are no workers among them. What
///   happened before set() is seen by who gets its signal.
/// - Destruction: by who knows that nobody else will come any more; also by the last waiter right after its
///   wait, while set() is still returning.
/// - Cost: no allocation; one atomic operation to set and one to wait while nobody waits. No thread is ever
///   blocked.
class auto_reset_event {
public:
    /// Not set, unless it is said.
    explicit auto_reset_event(bool is_set = false) noexcept : state_(is_set ? signalled : unset) {}
    auto_reset_event(const auto_reset_event&) = delete;
    auto_reset_event& operator=(const auto_reset_event&) = delete;
    ~auto_reset_event() { EDDY_ASSERT(waiting_.empty(), "nobody waits for an event that is destroyed"); }

    void set() noexcept {
        std::uint32_t expected = unset;
        if (!state_.compare_exchange_strong(expected, signalled, std::memory_order_release,
                                            std::memory_order_relaxed) &&
            expected == awaited)
            hand_on();
    }
    /// Takes the signal back if nobody has got it.
    void reset() noexcept { static_cast<void>(try_take()); }

    /// Takes the signal, if there is one.
    [[nodiscard]] bool try_wait() noexcept {
        if (!try_take())
            return false;
        lock_.settle();
        return true;
    }
    /// Whether there is a signal that nobody has got, at some moment during the call.
    [[nodiscard]] bool is_set() const noexcept { return state_.load(std::memory_order_relaxed) == signalled; }

    class wait_awaiter;
    /// Awaited: waits for a signal and takes it.
    [[nodiscard]] wait_awaiter wait() noexcept;

private:
    // What state_ says. It becomes `awaited`, and leaves it, under the lock only, so a waiter that has made
    // it so cannot be missed. Nobody may wait all the same, after a dropped wait.
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

class [[nodiscard]] auto_reset_event::wait_awaiter {
public:
    explicit wait_awaiter(auto_reset_event& wanted) noexcept : event_(wanted) {}
    /// Requires: it has not been awaited yet.
    wait_awaiter(wait_awaiter&& other) noexcept : event_(other.event_) {}
    wait_awaiter& operator=(wait_awaiter&&) = delete;
    ~wait_awaiter() {
        if (waiter_.withdraw(event_.lock_))
            event_.set();
    }

    bool await_ready() const noexcept { return event_.try_take(); }
    bool await_suspend(detail::suspension point) noexcept {
        waiter_.suspend(point);
        return !event_.take_or_wait(waiter_);
    }
    void await_resume() noexcept { waiter_.finish(event_.lock_); }

private:
    auto_reset_event& event_;
    detail::waiter waiter_;
};

inline auto_reset_event::wait_awaiter auto_reset_event::wait() noexcept {
    return wait_awaiter(*this);
}

}  // namespace eddy
