// Events, latches, barriers and wait groups, and what is done once.

#include "scenarios/parts.hpp"
#include "support/scenario_suite.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/sync/auto_reset_event.hpp>
#include <eddy/sync/barrier.hpp>
#include <eddy/sync/event.hpp>
#include <eddy/sync/latch.hpp>
#include <eddy/sync/once.hpp>
#include <eddy/sync/wait_group.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::test::events_test {
namespace {

using namespace std::chrono_literals;

task<> awaits_event(event<std::string>& awaited, int& seen) {
    const tracked local;
    const std::string& text = co_await awaited.wait();
    seen += text == "a text that is too long for the string itself" ? 1 : 0;
}

task<> an_event_for_several() {
    event<std::string> come;
    int seen = 0;
    std::vector<handle<>> waiting;
    for (int at = 0; at < 4; ++at)
        waiting.push_back(spawn(awaits_event(come, seen), "waiting"));
    co_await yields(2);
    waiting[1].cancel();
    come.set("a text that is too long for the string itself");
    waiting[2].cancel();
    co_await waiting[0];
    co_await waiting[3];
    require(seen == 2, "another number of tasks has seen the value");
    come.reset();
    auto late = spawn(awaits_event(come, seen), "late");
    co_await yields(2);
    require(!late.done(), "a reset event lets go on");
    come.set("another");
    co_await late;
    require(seen == 2, "the value is an old one");
}

task<> an_event_that_does_not_come() {
    event<> never;
    const auto late = co_await as_result(with_timeout(never.wait(), 50us));
    require(!late && late.error() == std::errc::timed_out, "it was not late");
}

/// Has a signal until it ends, in whichever way.
class signal_holder {
public:
    signal_holder(auto_reset_event& held, int& inside) : held_(held), inside_(inside) {
        require(++inside_ == 1, "two have the signal");
    }
    signal_holder(const signal_holder&) = delete;
    signal_holder& operator=(const signal_holder&) = delete;
    ~signal_holder() {
        --inside_;
        held_.set();
    }

private:
    auto_reset_event& held_;
    int& inside_;
};

task<> holds_signal(auto_reset_event& signal, int& inside) {
    const tracked local;
    co_await signal.wait();
    const signal_holder held(signal, inside);
    co_await yields(2);
}

task<> a_signal_from_hand_to_hand() {
    auto_reset_event signal;
    int inside = 0;
    std::vector<handle<>> waiting;
    for (int at = 0; at < 4; ++at)
        waiting.push_back(spawn(holds_signal(signal, inside), "waiting"));
    co_await yields(2);
    signal.set();
    // It may have been given the signal, and not have gone on.
    waiting[0].cancel();
    for (int at = 1; at < 4; ++at)
        co_await waiting[static_cast<std::size_t>(at)];
    require(signal.try_wait(), "the signal got lost");
}

task<> arrives(latch& awaited) {
    const tracked local;
    co_await awaited.arrive_and_wait();
}

task<> awaits_latch(latch& awaited) {
    const tracked local;
    co_await awaited.wait();
}

task<> a_latch_of_several() {
    latch done(4);
    auto first = spawn(arrives(done), "first");
    auto second = spawn(arrives(done), "second");
    auto waiting = spawn(awaits_latch(done), "waiting");
    auto dropped = spawn(awaits_latch(done), "dropped");
    co_await yields(2);
    dropped.cancel();
    done.count_down();
    co_await arrives(done);
    co_await first;
    co_await second;
    co_await waiting;
    require(done.try_wait(), "the latch has closed again");
}

task<> meets(barrier<>& met, int phases, int& passed) {
    const tracked local;
    for (int phase = 0; phase < phases; ++phase) {
        co_await met.arrive_and_wait();
        ++passed;
    }
}

task<> arrives_and_tells(barrier<>& met, bool& has_arrived) {
    const tracked local;
    has_arrived = true;
    co_await met.arrive_and_wait();
}

task<> a_barrier_of_three() {
    barrier met(3);
    int passed = 0;
    auto first = spawn(meets(met, 3, passed), "first");
    auto second = spawn(meets(met, 3, passed), "second");
    co_await meets(met, 2, passed);
    met.arrive_and_drop();
    co_await first;
    co_await second;
    require(passed == 8, "another number of phases");
    // A dropped one has arrived.
    bool has_arrived = false;
    auto dropped = spawn(arrives_and_tells(met, has_arrived), "dropped");
    while (!has_arrived)
        co_await yield();
    dropped.cancel();
    co_await meets(met, 1, passed);
    require(passed == 9, "a dropped arrival was taken back");
}

/// A piece of work that is done when it ends, in whichever way.
class piece_of_work {
public:
    explicit piece_of_work(wait_group& work) noexcept : work_(work) {}
    piece_of_work(const piece_of_work&) = delete;
    piece_of_work& operator=(const piece_of_work&) = delete;
    ~piece_of_work() { work_.done(); }

private:
    wait_group& work_;
};

task<> works(wait_group& work, int count) {
    const tracked local;
    const piece_of_work piece(work);
    co_await yields(count);
}

task<> a_wait_group_used_twice() {
    wait_group work;
    for (int time = 0; time < 2; ++time) {
        std::vector<handle<>> working;
        for (int count = 0; count < 3; ++count) {
            working.push_back(spawn(works(work, count), "working"));
            work.add();
        }
        co_await work.wait();
        require(work.count() == 0, "there is work left");
        for (auto& each : working)
            co_await each;
    }
}

task<> prepares(int& prepared, int yields_before) {
    const tracked local;
    co_await yields(yields_before);
    ++prepared;
}

task<bool> calls_once(once& flag, int& prepared, int yields_before) {
    const tracked local;
    const bool ran = co_await flag.call(prepares, std::ref(prepared), yields_before);
    require(prepared == 1, "it went on before it was done");
    co_return ran;
}

task<> fails_once(once& flag) {
    static_cast<void>(co_await flag.call(fails_after_yields, 2));
}

task<> done_once_by_one_of_several() {
    once flag;
    int prepared = 0;
    auto first = spawn(calls_once(flag, prepared, 3), "first");
    auto second = spawn(calls_once(flag, prepared, 2), "second");
    auto third = spawn(calls_once(flag, prepared, 1), "third");
    co_await yields(2);
    first.cancel();
    const bool ran_second = co_await second;
    const bool ran_third = co_await third;
    require(prepared == 1 && !(ran_second && ran_third), "it was done twice");
    const bool ran_late = co_await calls_once(flag, prepared, 0);
    require(!ran_late, "it was done again");
}

task<> done_once_after_a_failure() {
    once flag;
    int prepared = 0;
    co_await expects_failure(fails_once(flag));
    auto second = spawn(calls_once(flag, prepared, 1), "second");
    const bool ran_second = co_await second;
    require(ran_second && flag.is_done(), "a failed call was taken for done");
}

// -- from another worker --

struct shared_gates {
    event<int> requested;
    latch reported{1};
};

task<> tells(std::shared_ptr<shared_gates> shared) {
    const tracked local;
    const int& seven = co_await shared->requested.wait();
    require(seven == 7, "another value");
    shared->reported.count_down();
}

task<> gates_between_workers() {
    const auto shared = std::make_shared<shared_gates>();
    auto telling = runtime::current().spawn_on(1, tells(shared));
    shared->requested.set(7);
    // Together, so that this one goes on if memory is out for the other.
    co_await when_all(shared->reported.wait(), std::move(telling));
}

const scenario_suite listed({
    listed_scenario("an_event_for_several", &an_event_for_several).suspensions_min(8),
    listed_scenario("an_event_that_does_not_come", &an_event_that_does_not_come).suspensions_min(1),
    listed_scenario("a_signal_from_hand_to_hand", &a_signal_from_hand_to_hand).suspensions_min(8),
    listed_scenario("a_latch_of_several", &a_latch_of_several).suspensions_min(6),
    listed_scenario("a_barrier_of_three", &a_barrier_of_three).suspensions_min(6),
    listed_scenario("a_wait_group_used_twice", &a_wait_group_used_twice).suspensions_min(8),
    listed_scenario("done_once_by_one_of_several", &done_once_by_one_of_several).suspensions_min(6),
    listed_scenario("done_once_after_a_failure", &done_once_after_a_failure).suspensions_min(4),
    listed_scenario("gates_between_workers", &gates_between_workers).workers(2).suspensions_min(1),
});

}  // namespace
}  // namespace eddy::test::events_test
