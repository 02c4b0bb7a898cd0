#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/detail/timer_wheel.hpp>
#include <eddy/runtime/worker.hpp>

namespace eddy::http {

/// Calls a function of its owner some time after it was armed. Requires: it stays where it is.
template <class Owner>
class member_timer : private eddy::detail::timer {
public:
    using action = void (Owner::*)() noexcept;

    member_timer(Owner& owner, action ring) noexcept : timer(&fire), owner_(owner), ring_(ring) {}

    /// From the beginning of the worker's turn on. duration::max() arms nothing.
    void arm(eddy::detail::worker_core& here, duration length) noexcept {
        disarm();
        if (length != duration::max())
            here.timers().arm(*this, eddy::detail::deadline_after(here.turn_time(), length));
    }
    void disarm() noexcept { unlink(); }
    using timer::is_armed;

private:
    static void fire(timer& fired) noexcept {
        auto& self = static_cast<member_timer&>(fired);
        (self.owner_.*self.ring_)();
    }

    Owner& owner_;
    action ring_;
};

}  // namespace eddy::http
