// Several parts of the library together, as programs put them together.

#include "scenarios/parts.hpp"
#include "support/gate.hpp"
#include "support/scenario_suite.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/task_set.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/async_generator.hpp>
#include <eddy/core/elements_of.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/sleep.hpp>

#include <chrono>
#include <deque>
#include <exception>
#include <functional>
#include <optional>
#include <utility>

namespace eddy::test::compositions_test {
namespace {

using namespace std::chrono_literals;

// -- a producer and consumers --

/// A queue whose one reader waits at a gate.
class mailbox {
public:
    void put(int item) {
        items_.push_back(item);
        open();
    }
    void close() noexcept {
        is_closed_ = true;
        open();
    }
    task<std::optional<int>> take() {
        while (items_.empty() && !is_closed_) {
            gate_.emplace();
            co_await *gate_;
        }
        if (items_.empty())
            co_return std::nullopt;
        const int item = items_.front();
        items_.pop_front();
        co_return item;
    }

private:
    void open() noexcept {
        if (gate_)
            gate_->open();
    }
    std::deque<int> items_;
    std::optional<gate> gate_;
    bool is_closed_ = false;
};

/// Closes it however the producer ends, so that no consumer waits for ever.
class closes_at_end {
public:
    explicit closes_at_end(mailbox& box) noexcept : box_(box) {}
    closes_at_end(const closes_at_end&) = delete;
    closes_at_end& operator=(const closes_at_end&) = delete;
    ~closes_at_end() { box_.close(); }

private:
    mailbox& box_;
};

task<> produces(mailbox& box, int count) {
    const closes_at_end closing(box);
    for (int at = 1; at <= count; ++at) {
        box.put(at);
        co_await yield();
    }
}

task<> handles_item(int item, int& sum) {
    const tracked local;
    co_await yield();
    sum += item;
}

task<> consumes(mailbox& box, task_set& handlers, int& sum) {
    for (;;) {
        const auto item = co_await box.take();
        if (!item)
            co_return;
        co_await handlers.spawn_when_free(handles_item(*item, sum));
    }
}

task<> a_producer_and_a_consumer() {
    int sum = 0;
    error_keeper keeper;
    mailbox box;
    task_set handlers(task_set_options().tasks_max(2), std::ref(keeper));
    co_await when_all(produces(box, 4), consumes(box, handlers, sum));
    handlers.close();
    co_await handlers.join();
    keeper.rethrow();
    require(sum == 10, "an item got lost");
}

// -- a pipeline of generators --

async_generator<int> numbers(int count) {
    const tracked local;
    for (int at = 1; at <= count; ++at) {
        co_await yield();
        co_yield at;
    }
}

async_generator<int> squares(async_generator<int> from) {
    const tracked local;
    while (const auto value = co_await from.next())
        co_yield *value** value;
}

async_generator<int> odd_ones(async_generator<int> from) {
    const tracked local;
    while (const auto value = co_await from.next()) {
        if (*value % 2 == 0)
            continue;
        co_await sleep_for(1us);
        co_yield *value;
    }
}

async_generator<int> both(async_generator<int> one, async_generator<int> other) {
    co_yield elements_of(std::move(one));
    co_yield elements_of(std::move(other));
}

task<int> sums(async_generator<int> values) {
    int sum = 0;
    while (const auto value = co_await values.next())
        sum += *value;
    co_return sum;
}

task<> a_pipeline_of_generators() {
    const int sum = co_await sums(odd_ones(squares(both(numbers(3), numbers(2)))));
    require(sum == 1 + 9 + 1, "the pipeline gave other values");
    auto cut = odd_ones(squares(numbers(100)));
    const auto first = co_await cut.next();
    require(first.has_value() && *first == 1, "the pipeline gave another value first");
    const auto two = co_await when_all(sums(squares(numbers(2))), sums(odd_ones(numbers(2))));
    require(std::get<0>(two) == 5 && std::get<1>(two) == 1, "pipelines side by side gave other values");
}

// -- a supervisor --

task<> serves(int& starts, int failures) {
    const tracked local;
    const bool fails = ++starts <= failures;
    co_await yield();
    if (fails)
        throw planned_failure();
    co_await sleep_for(20us);
}

/// Runs the work until it ends by itself, and pauses after each failure.
task<> supervises(int& starts, int failures) {
    for (bool is_done = false; !is_done;) {
        try {
            co_await serves(starts, failures);
            is_done = true;
        } catch (const planned_failure&) {
            // Once more.
        }
        if (!is_done)
            co_await sleep_for(10us);
    }
}

task<> a_supervisor_that_restarts() {
    int steady = 0;
    int shaky = 0;
    error_keeper keeper;
    task_set supervised(std::ref(keeper));
    supervised.spawn(supervises(steady, 0), "steady");
    supervised.spawn(supervises(shaky, 3), "shaky");
    co_await supervised.join();
    keeper.rethrow();
    require(steady == 1 && shaky == 4, "another number of starts");
}

/// Restarts from its handler what has failed.
class restarts {
public:
    restarts(std::optional<task_set>& set, int& starts, std::exception_ptr& unplanned) noexcept
        : set_(set), starts_(starts), unplanned_(unplanned) {}
    void operator()(const std::exception_ptr& error) const noexcept {
        try {
            rethrow_unplanned(error);
            set_->spawn(serves(starts_, 2));
        } catch (...) {
            unplanned_ = std::current_exception();
        }
    }

private:
    std::optional<task_set>& set_;
    int& starts_;
    std::exception_ptr& unplanned_;
};

task<> a_handler_that_restarts() {
    int starts = 0;
    std::exception_ptr unplanned;
    std::optional<task_set> set;
    set.emplace(restarts(set, starts, unplanned));
    set->spawn(serves(starts, 2));
    while (!set->empty())
        co_await sleep_for(10us);
    if (unplanned)
        std::rethrow_exception(unplanned);
    require(starts == 3, "another number of starts");
}

// -- fan-out with a deadline for each and one for all --

task<int> asks(int server, duration answer_time) {
    const tracked request;
    co_await sleep_for(answer_time);
    auto computing = [server] { return server; };
    auto calling = offload(std::move(computing));
    co_return co_await std::move(calling);
}

task<int> asks_within(int server, duration answer_time, duration limit) {
    const auto answer = co_await as_result(with_timeout(asks(server, answer_time), limit));
    co_return answer ? *answer : 0;
}

task<int> asks_all() {
    const auto [one, two, three] =
        co_await when_all(asks_within(1, 10us, 1h), asks_within(2, 1h, 100us), asks_within(4, 1us, 1h));
    co_return one + two + three;
}

task<> answers_of_several_servers() {
    auto asking = race(asks_all(), waits_for_long());
    const auto first = co_await with_timeout(std::move(asking), 1h);
    require(std::get<0>(first) == 5, "another answer came");
    require(tracked::living() == 0, "a request lives on");
}

const scenario_suite listed({
    listed_scenario("a_producer_and_a_consumer", &a_producer_and_a_consumer).suspensions_min(10),
    listed_scenario("a_pipeline_of_generators", &a_pipeline_of_generators).suspensions_min(10),
    listed_scenario("a_supervisor_that_restarts", &a_supervisor_that_restarts).suspensions_min(8),
    listed_scenario("a_handler_that_restarts", &a_handler_that_restarts).suspensions_min(5),
    listed_scenario("answers_of_several_servers", &answers_of_several_servers).suspensions_min(6),
});

}  // namespace
}  // namespace eddy::test::compositions_test
