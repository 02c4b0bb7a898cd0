#pragma once

#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/detail/assert.hpp>
#include <eddy/sync/detail/waiter.hpp>

namespace eddy::detail {

/// Waits until a Gate is open and takes nothing from it, so that a wait that is dropped has nothing to pass
/// on. A Gate has
///
///     bool is_open() const noexcept;
///     bool pass_or_wait(waiter& waits) noexcept;  // true if it is open; else the waiter waits in it
///     spinlock& lock() noexcept;                  // guards what waits; held while a gate opens
///
/// and opens under its lock if there may be waiters. So a task that has passed may destroy it after
/// waiter::finish().
template <class Gate>
class [[nodiscard]] gate_awaiter {
public:
    explicit gate_awaiter(Gate& awaited) noexcept : gate_(awaited) {}
    /// Requires: it has not been awaited yet.
    gate_awaiter(gate_awaiter&& other) noexcept : gate_(other.gate_) {}
    gate_awaiter& operator=(gate_awaiter&&) = delete;
    ~gate_awaiter() { static_cast<void>(waiter_.withdraw(gate_.lock())); }

    bool await_ready() const noexcept { return gate_.is_open() && resume_loop::consume_budget(); }
    bool await_suspend(suspension point) noexcept {
        waiter_.suspend_in_line(point);
        return !gate_.pass_or_wait(waiter_) || waiter_.gives_way();
    }
    void await_resume() noexcept { waiter_.finish(gate_.lock()); }

private:
    Gate& gate_;
    waiter waiter_;
};

/// The same for a thread that is no worker.
template <class Gate>
void wait_blocking(Gate& gate) noexcept {
    EDDY_CHECK(resume_loop::current_or_null() == nullptr, "a worker awaits, it does not block");
    waiter blocked;
    if (gate.is_open() || gate.pass_or_wait(blocked))
        gate.lock().settle();
    else
        blocked.block(gate.lock());
}

}  // namespace eddy::detail
