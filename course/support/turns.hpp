#pragma once

#include "loop.hpp"
#include "task.hpp"

namespace lab_test {

/// Lets all other tasks run for so many turns.
inline lab::task<> turns(int count) {
    for (int turn = 0; turn < count; ++turn)
        co_await lab::yield();
}

}  // namespace lab_test
