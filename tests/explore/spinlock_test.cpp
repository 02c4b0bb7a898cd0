#include "explore/explorer.hpp"

#include <eddy/detail/spinlock.hpp>

#include <gtest/gtest.h>

#include <mutex>

namespace eddy::explore::spinlock_test {
namespace {

struct guarded {
    detail::spinlock lock;
    int owners = 0;  // plain: ThreadSanitizer sees whether the lock orders them
    int entered = 0;
};

void enter(guarded& shared) {
    const std::lock_guard guard(shared.lock);
    EXPLORE_CHECK(++shared.owners == 1);
    ++shared.entered;
    --shared.owners;
}

TEST(spinlock, has_one_owner_of_three) {
    const result found = explore<guarded>(settings("spinlock"), {&enter, &enter, &enter},
                                          [](guarded& shared) { EXPLORE_CHECK(shared.entered == 3); });
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(spinlock, settles_once_nobody_holds_it) {
    const auto settle = [](guarded& shared) {
        shared.lock.settle();
        const std::lock_guard guard(shared.lock);
        EXPLORE_CHECK(shared.owners == 0);
    };
    const result found = explore<guarded>(settings("settling"), {&enter, settle});
    EXPECT_TRUE(found.has_passed) << found.report;
}

}  // namespace
}  // namespace eddy::explore::spinlock_test
