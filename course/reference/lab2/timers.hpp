#pragma once

#include "timer.hpp"
#include "timer_heap.hpp"
#include "timer_wheel.hpp"

namespace lab {

/// The queue that the loop uses.
using timer_queue = timer_wheel;

}  // namespace lab
