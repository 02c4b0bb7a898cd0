// What is published to many: broadcasts and watches.

#include "scenarios/parts.hpp"
#include "support/scenario_suite.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/sync/broadcast.hpp>
#include <eddy/sync/watch.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <utility>

namespace eddy::test::broadcasts_test {
namespace {

using namespace std::chrono_literals;

/// A value that is counted, and whose copies allocate.
class heard {
public:
    explicit heard(int number) : number_(std::make_unique<int>(number)) {}
    heard(const heard& other) : number_(std::make_unique<int>(*other.number_)) {}
    heard(heard&&) noexcept = default;
    heard& operator=(const heard&) = delete;
    heard& operator=(heard&& other) noexcept {
        number_ = std::move(other.number_);
        return *this;
    }
    ~heard() = default;
    [[nodiscard]] int number() const noexcept { return *number_; }

private:
    std::unique_ptr<int> number_;
    tracked counted_;
};

task<std::uint64_t> receives_all(broadcast_receiver<heard> from) {
    const tracked local;
    std::uint64_t accounted = 0;
    for (;;) {
        const auto item = co_await from.recv();
        if (item.is_closed())
            co_return accounted;
        accounted += item ? 1 : item.missed();
    }
}

task<> sends(broadcast<heard> news, int count, int between) {
    const tracked local;
    for (int at = 0; at < count; ++at) {
        news.send(heard(at));
        if (at % between == 0)
            co_await yield();
    }
    news.close();  // a parameter lives as long as its task, which may be kept after its end
}

task<> several_that_hear_of_everything() {
    broadcast<heard> news(2);
    auto one = receives_all(news.subscribe());
    auto other = receives_all(news.subscribe());
    auto slow = news.subscribe();
    auto all = when_all(std::move(one), std::move(other), sends(std::move(news), 5, 2));
    const auto reported = co_await std::move(all);
    require(std::get<0>(reported) == 5 && std::get<1>(reported) == 5, "a value was lost");
    const std::uint64_t by_slow = co_await receives_all(std::move(slow));
    require(by_slow == 5, "a value was lost to the slow one");
}

task<> hears_nothing_in_time() {
    broadcast<heard> news(2);
    auto receiver = news.subscribe();
    const auto late = co_await as_result(with_timeout(receives_all(news.subscribe()), 50us));
    require(!late && late.error() == std::errc::timed_out, "there was news");
    news.send(heard(1));
    const auto item = co_await receiver.recv();
    require(item && item->number() == 1, "another value came");
}

task<> a_receiver_that_is_dropped_as_it_is_told() {
    broadcast<heard> news(2);
    auto kept = news.subscribe();
    {
        auto dropped = spawn(receives_all(news.subscribe()));
        co_await yield();
        news.send(heard(1));
    }
    const auto item = co_await kept.recv();
    require(item && item->number() == 1, "another value came");
}

/// A task for which its worker had no memory comes as cancelled.
template <class T>
task<T> result_of(remote_handle<T> held) {
    try {
        co_return co_await held;
    } catch (const std::system_error& error) {
        if (error.code() == std::errc::operation_canceled)
            throw std::bad_alloc();
        throw;
    }
}

task<> a_receiver_on_another_worker() {
    broadcast<heard> news(8);
    auto there = runtime::current().spawn_on(1, receives_all(news.subscribe()));
    co_await sends(std::move(news), 4, 1);
    const std::uint64_t reported = co_await result_of(std::move(there));
    require(reported == 4, "a value was lost on the way");
}

task<int> watches_until(watch_receiver<heard> from, int wanted) {
    const tracked local;
    const bool holds =
        co_await from.wait_for([&wanted](const heard& value) { return value.number() >= wanted; });
    co_return holds ? from.get().number() : -1;
}

task<> sets(watch<heard> state, int last) {
    const tracked local;
    for (int number = 1; number < last; ++number) {
        state.set(heard(number));
        co_await yield();
    }
    state.update([](heard& value) { value = heard(value.number() + 1); });
    state.close();
}

task<> several_that_watch() {
    watch<heard> state(heard(0));
    auto two = watches_until(state.subscribe(), 2);
    auto three = watches_until(state.subscribe(), 3);
    auto never = watches_until(state.subscribe(), 9);
    auto all = when_all(std::move(two), std::move(three), std::move(never), sets(std::move(state), 4));
    const auto seen = co_await std::move(all);
    require(std::get<0>(seen) >= 2 && std::get<1>(seen) >= 3, "it was told too early");
    require(std::get<2>(seen) == -1, "what never was is said to have been");
}

task<> a_watch_across_workers() {
    watch<heard> state(heard(0));
    auto there = runtime::current().spawn_on(1, watches_until(state.subscribe(), 3));
    auto dropped = runtime::current().spawn_on(1, watches_until(state.subscribe(), 3));
    co_await sets(std::move(state), 3);
    const int seen = co_await result_of(std::move(there));
    require(seen == 3, "the last value was missed");
}

task<> a_change_against_a_deadline() {
    watch<heard> state(heard(0));
    auto receiver = state.subscribe();
    const auto late = co_await as_result(with_timeout(watches_until(state.subscribe(), 1), 50us));
    require(!late && late.error() == std::errc::timed_out, "it has changed");
    state.set(heard(1));
    const bool has_changed = co_await receiver.changed();
    require(has_changed, "the change was missed");
}

const scenario_suite listed({
    listed_scenario("several_that_hear_of_everything", &several_that_hear_of_everything).suspensions_min(3),
    listed_scenario("hears_nothing_in_time", &hears_nothing_in_time),
    listed_scenario("a_receiver_that_is_dropped_as_it_is_told", &a_receiver_that_is_dropped_as_it_is_told),
    listed_scenario("a_receiver_on_another_worker", &a_receiver_on_another_worker).workers(2),
    listed_scenario("several_that_watch", &several_that_watch).suspensions_min(3),
    listed_scenario("a_watch_across_workers", &a_watch_across_workers).workers(2),
    listed_scenario("a_change_against_a_deadline", &a_change_against_a_deadline),
});

}  // namespace
}  // namespace eddy::test::broadcasts_test
