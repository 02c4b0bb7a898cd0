#pragma once

#include "timer.hpp"
#include "timer_heap.hpp"
#include "timer_wheel.hpp"

namespace lab {

/// The queue that the loop uses. Step 7: timer_wheel.
using timer_queue = timer_heap;

}  // namespace lab
