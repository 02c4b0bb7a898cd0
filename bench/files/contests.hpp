#pragma once

#include "contest/contest.hpp"
#include "files/samples.hpp"

namespace bench {

// What is known of the samples stays with the caller, who outlives the suite.
suite files_suite(const samples_on_disk& samples);

}  // namespace bench
