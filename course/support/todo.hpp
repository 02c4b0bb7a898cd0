#pragma once

#include <cstdio>
#include <unistd.h>

namespace course {

/// How a program ends that comes to a step which is not begun.
inline constexpr int exit_todo = 43;

/// Stands in a skeleton for what is still to be written: ends the program, and says which step it is.
[[noreturn]] inline void todo(const char* step) {
    std::printf("\ncourse: todo: %s\n", step);
    std::fflush(stdout);
    ::_exit(exit_todo);
}

}  // namespace course
