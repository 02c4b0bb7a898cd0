#pragma once

#include <eddy/base/assert.hpp>
#include <eddy/sync/gate.hpp>
#include <eddy/sync/gate_awaiter.hpp>

#include <optional>
#include <type_traits>
#include <utility>

namespace eddy {

/// Something that happens, brings a value, and lets everybody go on who waits for it: `co_await e.wait()`
/// gives a reference to the value. It stays set until reset(). event<> is the same without a value.
///
/// - Order: set() lets all waiters go on, in the order in which they came.
/// - Where a waiter goes on: its own worker's loop resumes it, never the call to set(). It goes on even if
/// the
///   event has been reset by then.
/// - Cancellation: a dropped wait leaves the queue. There is nothing that it could take along.
/// - Thread safety: everything may be called by any thread, threads that are no workers among them; but
///   between two reset()s one thread only sets a value. What happened before set() is seen after wait().
/// - Destruction: by who knows that nobody else will wait, set or reset any more; also by the last waiter
///   right after its wait, while set() is still returning.
/// - Cost: no allocation; wait() is two loads if the event is set. No worker is ever blocked.
template <class T = void>
class event {
    static_assert(std::is_object_v<T> && !std::is_const_v<T>, "an event has a value of an object type");

public:
    event() noexcept = default;
    event(const event&) = delete;
    event& operator=(const event&) = delete;

    /// Lets everybody go on, with `value`. Throws what moving the value throws; the event is not set then.
    /// Requires: it is not set, and whoever waited before the last reset() is done with the value of then,
    /// whose place this one takes.
    void set(T value) {
        EDDY_ASSERT(!gate_.is_open(), "a value is set once until the event is reset");
        value_.emplace(std::move(value));
        gate_.open();
    }
    /// From now on one waits for the next set(). The value stays until then, for who has been let go on.
    /// Nothing happens if the event is not set.
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
    /// Awaited: waits until the event is set and gives its value, which stays until the next set() or the
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

    /// Lets everybody go on who waits, and who comes before the next reset(). Nothing happens if it is set.
    /// One atomic operation if nobody waits.
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
