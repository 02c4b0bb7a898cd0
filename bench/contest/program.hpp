#pragma once

#include "contest/sample.hpp"

#include <string>

namespace bench {

// A contender in a program of its own, for what is not C++. It is called as
//
//   PROGRAM THREADS SECONDS [ARGUMENT]...
//
// does the work once to warm up and then again and again until so many seconds are over, checks it, and
// prints one line: how many items it did, in how many seconds of wall clock and of processor time, and the
// bytes that it had resident at most. An exit status other than 0 is a failure.

// Where a program is that was built beside this one. Empty if it was not built.
std::string program_beside(const std::string& name);

// Runs it and reads its sample; `arguments` are separated by blanks. It inherits the processors that the
// caller may use and does not outlive it. Throws failure.
sample run_program(const std::string& path, const std::string& arguments);

}  // namespace bench
