#include "runtime/idle_threads.hpp"

#include "explore/explorer.hpp"

#include <eddy/detail/atomic.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>

// Threads of the offload pool that find no work and sleep, and threads that bring some.

namespace eddy::explore::idle_threads_test {
namespace {

struct piece {
    detail::atomic<bool> is_done{false};
};

/// Two places where a piece of work may wait, and two threads that look at them, the first in this order, the
/// second in the other.
struct two_places {
    detail::idle_threads idle;
    std::array<detail::sleeper, 2> threads;
    std::array<piece, 3> pieces;
    std::array<detail::atomic<piece*>, 2> places{};

    piece* find(std::size_t first, detail::look how) {
        if (how == detail::look::likely)  // which may overlook anything
            return nullptr;
        for (const std::size_t at : {first, 1 - first})
            if (piece* const taken = places[at].exchange(nullptr))
                return taken;
        return nullptr;
    }
    piece* wait(std::size_t self) {
        return idle.wait_for_work(
            threads[self], [&](detail::look how) { return find(self, how); }, [&] { idle.wake_one(); });
    }
    void post(std::size_t at, piece& brought) {
        places[at].store(&brought);
        idle.wake_one();
    }
    void await(const piece& awaited) const {
        for (unsigned looks = 0; !awaited.is_done.load(); ++looks)
            detail::relax(looks);
    }
};

template <std::size_t Self>
void live(two_places& shared) {
    while (piece* const found = shared.wait(Self))
        found->is_done.store(true);
}
void bring_one_then_another(two_places& shared) {
    for (const std::size_t at : {0, 1}) {
        shared.post(at, shared.pieces[at]);
        shared.await(shared.pieces[at]);
    }
    shared.idle.end();
}

TEST(idle_threads, one_finds_what_is_brought_while_it_falls_asleep) {
    const result found = explore<two_places>(settings("an idle thread and who brings work").preemptions(3),
                                             {&live<0>, &bring_one_then_another});
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(idle_threads, two_find_what_is_brought_while_they_fall_asleep) {
    const result found = explore<two_places>(settings("two idle threads and who brings work").preemptions(1),
                                             {&live<0>, &live<1>, &bring_one_then_another});
    EXPECT_TRUE(found.has_passed) << found.report;
}

// One piece lay there when both were about to sleep. One that finds it by itself, and was woken for another
// piece, does not keep that from the other thread: each piece ends only with the other.
struct two_that_need_each_other : two_places {
    two_that_need_each_other() { places[0].store(&pieces[0]); }
    detail::atomic<int> begun{0};
};

template <std::size_t Self>
void work_together(two_that_need_each_other& shared) {
    if (shared.wait(Self) == nullptr)
        return;
    shared.begun.fetch_add(1);
    for (unsigned looks = 0; shared.begun.load() != 2; ++looks)
        detail::relax(looks);
}
void bring_the_other(two_that_need_each_other& shared) {
    shared.post(1, shared.pieces[1]);
}

TEST(idle_threads, one_that_was_woken_for_work_which_it_leaves_calls_another) {
    const result found =
        explore<two_that_need_each_other>(settings("two idle threads that need each other").preemptions(2),
                                          {&work_together<0>, &work_together<1>, &bring_the_other});
    EXPECT_TRUE(found.has_passed) << found.report;
}

}  // namespace
}  // namespace eddy::explore::idle_threads_test
