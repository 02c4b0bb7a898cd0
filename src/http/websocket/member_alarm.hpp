#pragma once

#include <eddy/base/clock.hpp>
#include <eddy/runtime/deadline.hpp>
#include <eddy/runtime/timer_wheel.hpp>
#include <eddy/runtime/worker.hpp>

namespace eddy::http {

/// Calls a function of its owner some time after it was armed. Requires: it stays where it is.
template <class Owner>
class member_alarm : private eddy::detail::timer {
public:
    using action = void (Owner::*)() noexcept;

    member_alarm(Owner& owner, action ring) noexcept : timer(&fire), owner_(owner), ring_(ring) {}

    /// From the beginning of the worker's turn on. A time of zero arms nothing.
    void arm(worker& here, duration length) noexcept {
        disarm();
        if (length > duration::zero())
            here.timers().arm(*this, eddy::detail::deadline_after(here.turn_time(), length));
    }
    void disarm() noexcept { unlink(); }
    using timer::is_armed;

private:
    static void fire(timer& fired) noexcept {
        auto& self = static_cast<member_alarm&>(fired);
        (self.owner_.*self.ring_)();
    }

    Owner& owner_;
    action ring_;
};

}  // namespace eddy::http
