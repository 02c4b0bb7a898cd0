#pragma once

#include "contest/sample.hpp"

#include <eddy/runtime/runtime_options.hpp>

namespace bench {

// Every measurement of the suite for eddy::timer. `is_deadline`: for a deadline that is given, not for a
// duration from now.
struct eddy_timers {
    static sample schedule_and_cancel(double seconds, bool is_deadline);
    static sample wait_and_cancel(double seconds, bool is_deadline);
    static sample fire(double seconds, eddy::backend_kind backend);
    static sample concurrent(double seconds, int timers, eddy::backend_kind backend);
};

// The same for tasks that sleep.
struct eddy_sleeps {
    static sample fire(double seconds, eddy::backend_kind backend);
    static sample concurrent(double seconds, int timers, eddy::backend_kind backend);
    static sample many(double seconds, eddy::backend_kind backend);
};

}  // namespace bench
