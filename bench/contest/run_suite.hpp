#pragma once

#include "contest/contest.hpp"

namespace bench {

// The main function of a program that measures a suite. Gives the exit status: 0, 1 when a measurement could
// not be made, 2 for options that make no sense.
int run_suite(const suite& measured, int argc, char** argv);

}  // namespace bench
