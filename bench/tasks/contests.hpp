#pragma once

#include "contest/contest.hpp"

namespace bench {

suite tasks_suite();

}  // namespace bench
