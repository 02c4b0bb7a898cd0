#pragma once

#include <eddy/detail/assert.hpp>
#include <eddy/sync/detail/gate.hpp>
#include <eddy/sync/detail/gate_awaiter.hpp>

#include <optional>
#include <type_traits>
#include <utility>

namespace eddy {

/// An event with a value, which resumes all tasks that wait for it: `co_await e.wait()` returns a reference
/// to the value. It stays set until reset(). event<> is the same without a value.
///
/// - Order: set() resumes all waiters, in the order in which they came.
/// - Where a waiter resumes: in its own worker's loop, never the call to set(). It resumes even if the event
///   has been reset by then.
/// - Cancellation: a dropped wait leaves the queue, and takes nothing with it.
/// - Thread safety: any thread may call everything, also one that is no worker; but only one thread sets a
///   value between two reset()s. What happened before set() is visible after wait().
/// - Destruction: once no other thread will wait, set or reset again; also by the last waiter right after its
///   wait, while set() is still returning.
/// - Cost: no allocation; wait() is two loads if the event is set. No worker is ever blocked.
template <class T = void>
class event {
    static_assert(std::is_object_v<T> && !std::is_const_v<T>, "an event has a value of an object type");

public:
    event() noexcept = default;
    event(const event&) = delete;
    event& operator=(const event&) = delete;

    /// Resumes all waiters, with `value`. Throws what moving the value throws; the event is then not set.
    /// Requires: it is not set, and the waiters of before the last reset() are done with the old value, which
    /// this one replaces.
    void set(T value) {
        EDDY_ASSERT(!gate_.is_open(), "a value is set once until the event is reset");
        value_.emplace(std::move(value));
        gate_.open();
    }
    /// From now on waits are for the next set(). The value stays until then, for tasks that were released.
    /// Does nothing if the event is not set.
    void reset() noexcept { gate_.close(); }

    /// Whether it is set, at some moment during the call.
    [[nodiscard]] bool is_set() const noexcept { return gate_.is_open(); }

    class wait_awaiter : public detail::gate_awaiter<detail::gate> {
    public:
        explicit wait_awaiter(event& awaited) noexcept : gate_awaiter(awaited.gate_), event_(awaited) {}
        const T& await_resume() noexcept {
            gate_awaiter::await_resume();
            return *event_.value_;
        }

    private:
        event& event_;
    };
    /// Awaited: waits until the event is set and returns its value, which stays until the next set() or the
    /// event's end.
    [[nodiscard]] wait_awaiter wait() noexcept { return wait_awaiter(*this); }

    /// The same for a thread that is no worker: it is blocked meanwhile.
    const T& wait_blocking() noexcept {
        detail::wait_blocking(gate_);
        return *value_;
    }

private:
    detail::gate gate_;
    std::optional<T> value_;  // written while the gate is closed
};

template <>
class event<void> {
public:
    event() noexcept = default;
    event(const event&) = delete;
    event& operator=(const event&) = delete;

    /// Resumes all waiters, and lets later ones pass until the next reset(). Does nothing if it is set. One
    /// atomic operation if there are no waiters.
    void set() noexcept { gate_.open(); }
    /// From now on one waits for the next set(). Nothing happens if it is not set.
    void reset() noexcept { gate_.close(); }

    /// Whether it is set, at some moment during the call.
    [[nodiscard]] bool is_set() const noexcept { return gate_.is_open(); }

    /// Awaited: waits until the event is set.
    [[nodiscard]] detail::gate_awaiter<detail::gate> wait() noexcept {
        return detail::gate_awaiter<detail::gate>(gate_);
    }
    /// The same for a thread that is no worker: it is blocked meanwhile.
    void wait_blocking() noexcept { detail::wait_blocking(gate_); }

private:
    detail::gate gate_;
};

}  // namespace eddy
