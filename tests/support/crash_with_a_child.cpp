// Not a test: what orphans_test.py runs.
#include <gtest/gtest.h>

#include <cstdlib>

namespace {

TEST(a_test, crashes_while_its_child_runs) {
    ASSERT_EQ(std::system("sleep 300 &"), 0);
    std::abort();
}

}  // namespace
