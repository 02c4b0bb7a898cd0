#pragma once

#include "contest/sample.hpp"

namespace bench {

// Every measurement of the suite for Asio's steady_timer with callbacks. `hint` is the io_context's: with or
// without locks. `is_deadline`: for a deadline that is given, not for a duration from now.
struct asio_callback_timers {
    static sample schedule_and_cancel(double seconds, int hint, bool is_deadline);
    static sample wait_and_cancel(double seconds, int hint, bool is_deadline);
    static sample fire(double seconds, int hint);
    static sample concurrent(double seconds, int timers);
    static sample many(double seconds);
};

// The same with coroutines, where that makes a difference.
struct asio_coroutine_timers {
    static sample fire(double seconds, int hint);
    static sample concurrent(double seconds, int timers);
};

}  // namespace bench
