#include "explore/explorer.hpp"

#include <eddy/detail/assert.hpp>
#include <eddy/detail/atomic.hpp>
#include <eddy/detail/spinlock.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

// The explorer finds what is known to be wrong, and leaves out no outcome that there is.

namespace eddy::explore::explorer_test {
namespace {

using detail::atomic;

struct counters {
    atomic<int> count{0};
};
void add_in_two_steps(counters& shared) {
    shared.count.store(shared.count.load() + 1);
}
void add_in_one_step(counters& shared) {
    shared.count.fetch_add(1);
}
void expect_two(counters& shared) {
    EXPLORE_CHECK(shared.count.load() == 2);
}

TEST(explorer, finds_an_increment_that_is_two_steps) {
    const result found =
        explore<counters>(settings("increment"), {&add_in_two_steps, &add_in_two_steps}, &expect_two);
    EXPECT_FALSE(found.has_passed);
    EXPECT_NE(found.report.find("shared.count.load() == 2"), std::string::npos) << found.report;
    EXPECT_NE(found.report.find("explorer_test.cpp"), std::string::npos) << found.report;
}

TEST(explorer, accepts_an_increment_that_is_one_step) {
    const result found =
        explore<counters>(settings("atomic increment"), {&add_in_one_step, &add_in_one_step}, &expect_two);
    EXPECT_TRUE(found.has_passed) << found.report;
    EXPECT_EQ(found.schedules, 2U);
}

TEST(explorer, leaves_out_the_orders_of_what_does_not_depend_on_each_other) {
    struct apart {
        atomic<int> first{0}, second{0};
    };
    const auto one = [](apart& shared) { shared.first.store(1); };
    const auto other = [](apart& shared) { shared.second.store(1); };
    EXPECT_EQ(explore<apart>(settings("apart"), {one, other}).schedules, 1U);
    EXPECT_EQ(explore<apart>(settings("apart, unreduced").unreduced(), {one, other}).schedules, 2U);
}

TEST(explorer, runs_a_failed_schedule_again) {
    const result found =
        explore<counters>(settings("again"), {&add_in_two_steps, &add_in_two_steps}, &expect_two);
    ASSERT_FALSE(found.has_passed);
    ::setenv("EDDY_EXPLORE_REPLAY", ("again:" + found.schedule).c_str(), 1);
    const result again =
        explore<counters>(settings("again"), {&add_in_two_steps, &add_in_two_steps}, &expect_two);
    ::unsetenv("EDDY_EXPLORE_REPLAY");
    EXPECT_FALSE(again.has_passed);
    EXPECT_EQ(again.schedules, 1U);
    EXPECT_EQ(again.report, found.report);
}

// A sleeper that looks whether there is work, and then says that it sleeps: work that comes in between wakes
// no thread.
struct sleeper {
    atomic<bool> has_work{false}, is_asleep{false}, is_woken{false};
};
void bring_work(sleeper& shared) {
    shared.has_work.store(true);
    if (shared.is_asleep.load())
        shared.is_woken.store(true);
}
void sleep_until_woken(sleeper& shared) {
    for (unsigned looks = 0; !shared.is_woken.load(); ++looks)
        detail::relax(looks);
}

TEST(explorer, finds_a_lost_wake_up) {
    const auto look_and_sleep = [](sleeper& shared) {
        if (shared.has_work.load())
            return;
        shared.is_asleep.store(true);
        sleep_until_woken(shared);
    };
    const result found = explore<sleeper>(settings("lost wake-up"), {look_and_sleep, &bring_work});
    EXPECT_FALSE(found.has_passed);
    EXPECT_NE(found.report.find("deadlock"), std::string::npos) << found.report;
}

TEST(explorer, accepts_a_second_look_before_the_sleep) {
    const auto sleep_and_look = [](sleeper& shared) {
        shared.is_asleep.store(true);
        if (!shared.has_work.load())
            sleep_until_woken(shared);
    };
    const result found = explore<sleeper>(settings("second look"), {sleep_and_look, &bring_work});
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(explorer, finds_a_change_without_a_notification) {
    struct flag {
        atomic<bool> is_set{false};
    };
    const auto wait = [](flag& shared) { shared.is_set.wait(false); };
    const auto forget = [](flag& shared) { shared.is_set.store(true); };
    const auto notify = [](flag& shared) {
        shared.is_set.store(true);
        shared.is_set.notify_one();
    };
    EXPECT_FALSE(explore<flag>(settings("forgotten notification"), {wait, forget}).has_passed);
    const result found = explore<flag>(settings("notification"), {wait, notify});
    EXPECT_TRUE(found.has_passed) << found.report;
}

// A stack whose pop() trusts that a top that looks the same is the same.
struct stack {
    struct node {
        node* next = nullptr;
        bool is_taken = false;
    };
    stack() noexcept {
        top.store(&first);
        first.next = &second;
    }
    node* pop() noexcept {
        node* taken = top.load();
        while (taken != nullptr && !top.compare_exchange_weak(taken, taken->next)) {
        }
        return taken;
    }
    void push(node& given) noexcept {
        given.next = top.load();
        while (!top.compare_exchange_weak(given.next, &given)) {
        }
    }
    node first, second;
    atomic<node*> top{nullptr};
};

TEST(explorer, finds_a_top_that_was_taken_and_put_back) {
    const auto take = [](stack& shared) {
        if (stack::node* const mine = shared.pop()) {
            EXPLORE_CHECK(!mine->is_taken);
            mine->is_taken = true;
        }
    };
    const auto take_two_and_put_one_back = [](stack& shared) {
        stack::node* const one = shared.pop();
        stack::node* const two = shared.pop();
        if (two != nullptr) {
            EXPLORE_CHECK(!two->is_taken);
            two->is_taken = true;
        }
        if (one != nullptr)
            shared.push(*one);
    };
    const auto pop_again = [](stack& shared) {
        if (stack::node* const left = shared.pop())
            EXPLORE_CHECK(!left->is_taken);
    };
    const result found = explore<stack>(settings("ABA"), {take, take_two_and_put_one_back}, pop_again);
    EXPECT_FALSE(found.has_passed);
    EXPECT_NE(found.report.find("is_taken"), std::string::npos) << found.report;
}

// The last holder of the lock destroys it. The one that unlocked before must be done with it by then.
template <class Lock>
struct shared_object {
    struct content {
        Lock lock;
        int users = 2;
    };
    std::optional<content> held{std::in_place};
};
template <class Lock>
void leave(shared_object<Lock>& shared) {
    shared.held->lock.lock();
    const bool is_last = --shared.held->users == 0;
    shared.held->lock.unlock();
    if (is_last) {
        shared.held->lock.settle();
        shared.held.reset();
    }
}
struct careless_lock : detail::spinlock {
    void unlock() noexcept {
        detail::spinlock::unlock();
        settle();  // the lock may be gone
    }
};

TEST(explorer, finds_an_unlock_after_the_end_of_the_lock) {
    using careless = shared_object<careless_lock>;
    const result found =
        explore<careless>(settings("careless unlock"), {&leave<careless_lock>, &leave<careless_lock>});
    EXPECT_FALSE(found.has_passed);
    EXPECT_NE(found.report.find("has been destroyed"), std::string::npos) << found.report;
    using careful = shared_object<detail::spinlock>;
    const result fine =
        explore<careful>(settings("careful unlock"), {&leave<detail::spinlock>, &leave<detail::spinlock>});
    EXPECT_TRUE(fine.has_passed) << fine.report;
}

TEST(explorer, finds_a_deadlock_of_two_locks) {
    struct two_locks {
        detail::spinlock first, second;
    };
    const auto one = [](two_locks& shared) {
        const std::lock_guard outer(shared.first);
        const std::lock_guard inner(shared.second);
    };
    const auto other = [](two_locks& shared) {
        const std::lock_guard outer(shared.second);
        const std::lock_guard inner(shared.first);
    };
    EXPECT_FALSE(explore<two_locks>(settings("two locks"), {one, other}).has_passed);
    EXPECT_TRUE(explore<two_locks>(settings("two locks in order"), {one, one}).has_passed);
    EXPECT_TRUE(
        explore<two_locks>(settings("two locks, no preemption").preemptions(0), {one, other}).has_passed);
    EXPECT_FALSE(
        explore<two_locks>(settings("two locks, one preemption").preemptions(1), {one, other}).has_passed);
}

TEST(explorer, reports_assertions_exceptions_and_what_is_left) {
    struct nothing {};
    const auto idle = [](nothing&) {};
    const auto thrower = [](nothing&) { throw std::runtime_error("oops"); };
    const auto hopeless = [](nothing&) { detail::fatal("cannot go on"); };
    const auto spinner = [](nothing&) {
        atomic<int> own{0};
        while (own.load() == 0) {
        }
    };
    EXPECT_NE(explore<nothing>(settings("thrower"), {idle, thrower}).report.find("oops"), std::string::npos);
    EXPECT_NE(explore<nothing>(settings("fatal"), {idle, hopeless}).report.find("cannot go on"),
              std::string::npos);
    EXPECT_NE(explore<nothing>(settings("spinner"), {idle, spinner}).report.find("for ever"),
              std::string::npos);
}

}  // namespace
}  // namespace eddy::explore::explorer_test
