#pragma once

#include "contest/contest.hpp"

namespace bench {

// tinyCoro's pairs, with one player to a processor (two at least), and the throughput of channels.
suite sync_suite();

}  // namespace bench
