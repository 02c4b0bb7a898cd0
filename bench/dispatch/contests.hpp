#pragma once

#include "contest/contest.hpp"

namespace bench {

suite dispatch_suite();

}  // namespace bench
