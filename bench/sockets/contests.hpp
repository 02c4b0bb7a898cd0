#pragma once

#include "contest/contest.hpp"

namespace bench {

suite sockets_suite();

}  // namespace bench
