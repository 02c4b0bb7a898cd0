#pragma once

#include <cstdio>
#include <unistd.h>

namespace course {

/// Stands in a skeleton for what is still to be written: ends the program, and says which step it is.
[[noreturn]] inline void todo(const char* step) {
    std::printf("\ncourse: todo: %s\n", step);
    std::fflush(stdout);
    ::_exit(43);
}

}  // namespace course
