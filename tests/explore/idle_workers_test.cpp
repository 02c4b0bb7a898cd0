#include "explore/explorer.hpp"

#include <eddy/detail/atomic.hpp>
#include <eddy/runtime/detail/idle_worker.hpp>
#include <eddy/runtime/detail/idle_workers.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

// Workers that sleep, and threads that have something for any of them.

namespace eddy::explore::idle_workers_test {
namespace {

constexpr unsigned call = 1;
constexpr unsigned other = 2;

struct workshop {
    detail::idle_workers idle_workers{2, 1};
    detail::atomic<int> waiting{0};  // things that any worker may do
    detail::atomic<int> done{0};
    std::array<detail::atomic<unsigned>, 2> messages{};  // what wakes a worker

    void put() {
        waiting.fetch_add(1);
        call_one();
    }
    void call_one() {
        if (const auto chosen =
                idle_workers.choose([this] { return static_cast<std::size_t>(std::max(waiting.load(), 0)); }))
            EXPLORE_CHECK((messages[*chosen].fetch_or(call) & call) == 0);
    }
    bool take() {
        if (waiting.load() == 0)
            return false;
        const bool has_taken = waiting.fetch_sub(1) > 0;
        if (has_taken) {
            call_one();  // another one for what is left
            done.fetch_add(1);
        } else {
            waiting.fetch_add(1);
        }
        return has_taken;
    }
    void tell(std::size_t worker) { messages[worker].fetch_or(other); }
};

// A worker, as far as it looks for what is shared, and sleeps.
class sleeper {
public:
    explicit sleeper(workshop& shared, std::size_t index) : shared_(shared), index_(index) {}

    // Returns whether it was given something.
    bool sleep() {
        const bool may_sleep = idle_.fall_asleep(
            shared_.idle_workers, index_, [this] { leave(); },
            [this] { return shared_.waiting.load() != 0 && shared_.idle_workers.may_search(); });
        if (may_sleep)
            for (unsigned looks = 0; shared_.messages[index_].load() == 0; ++looks)
                detail::relax(looks);
        if (idle_.is_listed())
            idle_.wake_up(shared_.idle_workers, index_);
        const unsigned received = shared_.messages[index_].exchange(0);
        if ((received & call) != 0)
            idle_.note_called();
        return (received & other) != 0;
    }
    void work_until_told() {
        bool is_notified = false;
        while (!is_notified) {
            while (take()) {
            }
            is_notified = sleep();
        }
    }

    bool take() {
        if (!is_searching_ && !(is_searching_ = shared_.idle_workers.try_start_searching()))
            return false;
        if (!shared_.take())
            return false;
        expect(1);
        return true;
    }

private:
    void expect(std::size_t things) {
        if (things != expected_)
            shared_.idle_workers.expect(things, expected_);
        expected_ = things;
    }
    void leave() {
        if (!std::exchange(is_searching_, false))
            return;
        expect(0);
        shared_.idle_workers.stop_searching();
    }

    workshop& shared_;
    std::size_t index_;
    bool is_searching_ = false;
    std::size_t expected_ = 0;
    detail::idle_worker idle_;
};

template <std::size_t Index>
void work(workshop& shared) {
    sleeper(shared, Index).work_until_told();
}

template <int Things, std::size_t... Workers>
void bring(workshop& shared) {
    for (int thing = 0; thing < Things; ++thing)
        shared.put();
    for (unsigned looks = 0; shared.done.load() != Things; ++looks)
        detail::relax(looks);
    (shared.tell(Workers), ...);
}

TEST(idle_workers, one_of_them_does_what_is_brought) {
    const result found = explore<workshop>(settings("a sleeper and who brings something"),
                                           {&work<0>, &bring<2, 0>}, [](workshop&) {});
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(idle_workers, two_do_what_is_brought) {
    const result found = explore<workshop>(settings("two sleepers and who brings something").preemptions(2),
                                           {&work<0>, &work<1>, &bring<1, 0, 1>}, [](workshop&) {});
    EXPECT_TRUE(found.has_passed) << found.report;
}

void work_twice(workshop& shared) {
    sleeper worker(shared, 0);
    while (shared.done.load() != 2)
        if (!worker.take())
            static_cast<void>(worker.sleep());
}
void put_one(workshop& shared) {
    shared.put();
}

TEST(idle_workers, one_does_what_two_bring) {
    const result found = explore<workshop>(settings("a sleeper and two who bring something").preemptions(3),
                                           {&work_twice, &put_one, &put_one}, [](workshop&) {});
    EXPECT_TRUE(found.has_passed) << found.report;
}

// It may have been chosen, so it calls another one.
void sleep_and_leave(workshop& shared) {
    sleeper(shared, 0).sleep();
    shared.call_one();
}
void tell_and_bring(workshop& shared) {
    shared.tell(0);
    bring<1, 1>(shared);
}

TEST(idle_workers, one_that_leaves_hands_its_call_on) {
    const result found = explore<workshop>(settings("a sleeper that leaves").preemptions(2),
                                           {&sleep_and_leave, &work<1>, &tell_and_bring}, [](workshop&) {});
    EXPECT_TRUE(found.has_passed) << found.report;
}

}  // namespace
}  // namespace eddy::explore::idle_workers_test
