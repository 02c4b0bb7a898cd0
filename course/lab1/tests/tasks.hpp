#pragma once

#include "support/test.hpp"
#include "task.hpp"

#include <stdexcept>

namespace lab_test {

inline lab::task<> note(bool& has_run) {
    has_run = true;
    co_return;
}

inline lab::task<int> seven() {
    co_return 7;
}

inline lab::task<int> failing() {
    throw std::runtime_error("no luck");
    co_return 1;
}

inline lab::task<> hold(course::tracked kept, course::gate& until) {
    static_cast<void>(kept);
    co_await until;
}

inline lab::task<int> twice(int value) {
    co_return 2 * value;
}

}  // namespace lab_test
