#include "explore/explorer.hpp"
#include "explore/model_worker.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/sync/auto_reset_event.hpp>

#include <gtest/gtest.h>

#include <array>
#include <optional>

namespace eddy::explore::auto_reset_event_test {
namespace {

struct signals {
    std::array<model_worker, 2> workers;
    std::optional<auto_reset_event> signal{std::in_place};
    detail::atomic<int> taken{0};
};

task<> take(signals& shared) {
    co_await shared.signal->wait();
    shared.taken.fetch_add(1);
}
void take_one(signals& shared) {
    shared.workers[current_thread()].run(take(shared));
}
void set(signals& shared) {
    shared.signal->set();
}
void expect_one_taken(signals& shared) {
    EXPLORE_CHECK(shared.taken.load() == 1 && !shared.signal->is_set());
}

TEST(auto_reset_event, gives_a_signal_to_one) {
    const result found =
        explore<signals>(settings("auto_reset_event, one waits"), {&take_one, &set}, &expect_one_taken);
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(auto_reset_event, gives_two_signals_to_two) {
    const auto take_and_set = [](signals& shared) {
        static constexpr auto both = [](signals& among) -> task<> {
            co_await take(among);
            among.signal->set();
        };
        shared.workers[0].run(both(shared));
    };
    const auto set_and_take = [](signals& shared) {
        static constexpr auto both = [](signals& among) -> task<> {
            among.signal->set();
            co_await take(among);
            among.signal->set();
        };
        shared.workers[1].run(both(shared));
    };
    const result found = explore<signals>(
        settings("auto_reset_event, two wait").preemptions(3), {take_and_set, set_and_take},
        [](signals& shared) { EXPLORE_CHECK(shared.taken.load() == 2 && shared.signal->is_set()); });
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(auto_reset_event, may_be_destroyed_by_who_has_waited) {
    static constexpr auto destroy = [](signals& shared) -> task<> {
        co_await shared.signal->wait();
        shared.signal.reset();
    };
    const auto last = [](signals& shared) { shared.workers[0].run(destroy(shared)); };
    const result found =
        explore<signals>(settings("auto_reset_event, destroyed after the wait"), {last, &set});
    EXPECT_TRUE(found.has_passed) << found.report;
}

// The signal of a dropped wait goes to the next that waits, or to the next that comes.
template <class Moment>
task<> drop_before_another(signals& shared, Moment moment) {
    handle<> dropped = spawn(take(shared));
    handle<> behind = spawn(take(shared));
    co_await moment();
    dropped.cancel();
    if (shared.taken.load() == 0)
        co_await behind;
    else
        behind.cancel();
}

TEST(auto_reset_event, passes_on_the_signal_of_a_dropped_wait) {
    const auto dropper = [](signals& shared) {
        shared.workers[0].run(drop_before_another(shared, [] { return yield(); }));
    };
    const result found =
        explore<signals>(settings("auto_reset_event, one dropped"), {dropper, &set}, &expect_one_taken);
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(auto_reset_event, passes_on_the_signal_of_a_wait_dropped_when_it_was_ready) {
    const auto dropper = [](signals& shared) {
        shared.workers[0].run(
            drop_before_another(shared, [&shared] { return model_worker::next_turn(shared.workers[0]); }));
    };
    const result found = explore<signals>(settings("auto_reset_event, one dropped when ready"),
                                          {dropper, &set}, &expect_one_taken);
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(auto_reset_event, passes_on_the_signal_of_a_dropped_wait_to_another_worker) {
    static constexpr auto drop = [](signals& shared) -> task<> {
        handle<> dropped = spawn(take(shared));
        co_await yield();
        const bool has_taken = dropped.done();
        dropped.cancel();
        if (has_taken)
            shared.signal->set();
    };
    const auto dropper = [](signals& shared) { shared.workers[0].run(drop(shared)); };
    const result found = explore<signals>(settings("auto_reset_event, three threads").preemptions(2),
                                          {dropper, &take_one, &set},
                                          [](signals& shared) { EXPLORE_CHECK(shared.taken.load() >= 1); });
    EXPECT_TRUE(found.has_passed) << found.report;
}

}  // namespace
}  // namespace eddy::explore::auto_reset_event_test
