#pragma once

#include <eddy/detail/allocation_window.hpp>
#include <eddy/testing/replace_new.hpp>

#include <gtest/gtest.h>

namespace eddy::test {

/// Expects that this thread allocates nothing while it lives, coroutine frames included. What does fails with
/// std::bad_alloc. For one source of a program, as it replaces operator new (ALONE in CMake).
class no_allocation {
public:
    no_allocation() noexcept { detail::allocation_window::open(1); }
    no_allocation(const no_allocation&) = delete;
    no_allocation& operator=(const no_allocation&) = delete;
    ~no_allocation() {
        detail::allocation_window::close();
        EXPECT_FALSE(detail::allocation_window::has_failed()) << "something was allocated";
    }
};

}  // namespace eddy::test
