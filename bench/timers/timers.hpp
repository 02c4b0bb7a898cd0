#pragma once

#include "measure/sample.hpp"

#include <eddy/runtime/runtime_options.hpp>

namespace bench {

// Asio's steady_timer with callbacks. `hint` is the io_context's: with or without locks. `is_deadline`: for a
// deadline that is given, not for a duration from now.
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

// eddy::timer.
struct eddy_timers {
    static sample schedule_and_cancel(double seconds, bool is_deadline);
    static sample wait_and_cancel(double seconds, bool is_deadline);
    static sample fire(double seconds, eddy::backend_kind backend);
    static sample concurrent(double seconds, int timers, eddy::backend_kind backend);
};

// Tasks that sleep.
struct eddy_sleeps {
    static sample fire(double seconds, eddy::backend_kind backend);
    static sample concurrent(double seconds, int timers, eddy::backend_kind backend);
    static sample many(double seconds, eddy::backend_kind backend);
};

}  // namespace bench
