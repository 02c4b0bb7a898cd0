#pragma once

#include "support/counted_object.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace eddy::test {

/// A local of a scenario's: all must be gone between two runs, since a coroutine frame may be freed without
/// the destructors of what is in it. Any thread.
class tracked {
public:
    tracked() : counted_(living_) {}

    [[nodiscard]] static int living() noexcept { return living_; }
    /// A failure of the test if there is one. Counts afresh from here on.
    static void expect_none() {
        const int left = living_.exchange(0);
        EXPECT_EQ(left, 0) << "locals that live on after a run";
    }

private:
    static inline std::atomic<int> living_{0};
    counted_object counted_;
};

}  // namespace eddy::test
