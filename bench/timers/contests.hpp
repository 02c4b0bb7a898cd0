#pragma once

#include "contest/contest.hpp"

namespace bench {

// Timers that are set and cancelled, that fire at once, that fire side by side, and a million of them.
suite timers_suite();

}  // namespace bench
