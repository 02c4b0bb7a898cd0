#pragma once

#include "support/manual_loop.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>

namespace eddy::test {

/// Counts the living of its kind. One that is destroyed twice shows as one too few, and does no other harm.
class counted {
public:
    explicit counted(int& living) noexcept : living_(&living) { ++*living_; }
    counted(const counted& other) noexcept : living_(other.living_) { ++*living_; }
    counted(counted&& other) noexcept : living_(other.living_) { ++*living_; }
    counted& operator=(const counted&) = delete;
    ~counted() { --*living_; }

private:
    int* living_;
};

/// How many are left of those that `make(count)`, a task, has made.
template <class Make>
int living_after(Make make) {
    int living = 0;
    manual_loop loop;
    auto running = spawn(make(living));
    loop.run();
    running.get();
    return living;
}

}  // namespace eddy::test
