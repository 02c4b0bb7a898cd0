// Tasks that are asked to stop.

#include "scenarios/parts.hpp"
#include "support/scenario_suite.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/stop_scope.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/offload.hpp>

#include <stop_token>
#include <utility>

namespace eddy::test::stop_scopes_test {
namespace {

task<int> counts_until_stopped() {
    const tracked local;
    int count = 0;
    for (;;) {
        const bool is_requested = co_await check_stop();
        if (is_requested)
            co_return count;
        ++count;
    }
}

/// Allocates nothing once it has begun, so that the request always comes.
task<> requests_stop_after(stop_scope& scope, int turns) {
    for (int at = 0; at < turns; ++at)
        co_await yield();
    scope.request_stop();
}

task<> a_computation_that_is_stopped() {
    stop_scope scope;
    auto counting = spawn(scope.run(counts_until_stopped()), "counting");
    auto requesting = spawn(requests_stop_after(scope, 3), "requesting");
    const int count = co_await counting;
    co_await requesting;
    require(count >= 0 && scope.stop_requested(), "it stopped unasked");
}

task<int> spawns_within() {
    auto inner = spawn(counts_until_stopped(), "inner");
    const int own = co_await counts_until_stopped();
    const int other = co_await inner;
    const auto [left, right] = co_await when_all(counts_until_stopped(), counts_until_stopped());
    require(left == 0 && right == 0, "who starts later is not asked at once");
    co_return own + other;
}

task<> tasks_that_belong_with_who_spawned_them() {
    stop_scope scope;
    auto spawning = spawn(scope.run(spawns_within()), "spawning");
    co_await requests_stop_after(scope, 2);
    static_cast<void>(co_await spawning);
}

task<int> nests(stop_scope& inner) {
    const int counted = co_await inner.run(counts_until_stopped());
    const bool is_outer_asked = co_await check_stop();
    co_return is_outer_asked ? counted : -1;
}

task<> scopes_within_scopes() {
    stop_scope outer;
    stop_scope inner;
    auto nesting = spawn(outer.run(nests(inner)), "asked through the outer scope");
    co_await requests_stop_after(outer, 2);
    const int counted = co_await nesting;
    require(counted >= 0 && !inner.stop_requested(), "the outer scope was not asked");
    stop_scope other_outer;
    auto only_inner = spawn(other_outer.run(nests(inner)), "asked through the inner scope");
    co_await requests_stop_after(inner, 2);
    const int not_asked = co_await only_inner;
    require(not_asked == -1, "the inner request reached the outer scope");
}

task<> a_scope_that_goes_before_its_tasks() {
    handle<int> counting;
    std::stop_source shared;
    {
        const stop_scope scope(shared);
        counting = spawn(scope.run(counts_until_stopped()), "counting");
        co_await yields(2);
    }
    co_await yields(1);
    shared.request_stop();
    static_cast<void>(co_await counting);
}

/// What is dropped must end as well, so the request comes with the scope's holder's end.
class requests_at_end {
public:
    explicit requests_at_end(stop_scope& requested) noexcept : scope_(requested) {}
    requests_at_end(const requests_at_end&) = delete;
    requests_at_end& operator=(const requests_at_end&) = delete;
    ~requests_at_end() { scope_.request_stop(); }

private:
    stop_scope& scope_;
};

task<> a_call_elsewhere_that_is_stopped() {
    // Where no thread can be had, the worker makes the call: this one must be elsewhere.
    auto warming = offload([] {});
    co_await std::move(warming);
    stop_scope scope;
    auto call = [requested = scope.token()] {
        int rounds = 0;
        while (!requested.stop_requested())
            rounds = 1;
        return rounds;
    };
    const requests_at_end at_end(scope);
    auto requesting = spawn(requests_stop_after(scope, 2), "requesting");
    auto calling = offload(std::move(call));
    const int rounds = co_await std::move(calling);
    require(rounds >= 0, "the call gave another value");
    co_await requesting;
}

const scenario_suite listed({
    listed_scenario("a_computation_that_is_stopped", &a_computation_that_is_stopped).suspensions_min(4),
    listed_scenario("tasks_that_belong_with_who_spawned_them", &tasks_that_belong_with_who_spawned_them)
        .suspensions_min(6),
    listed_scenario("scopes_within_scopes", &scopes_within_scopes).suspensions_min(8),
    listed_scenario("a_scope_that_goes_before_its_tasks", &a_scope_that_goes_before_its_tasks)
        .suspensions_min(5),
    listed_scenario("a_call_elsewhere_that_is_stopped", &a_call_elsewhere_that_is_stopped).suspensions_min(3),
});

}  // namespace
}  // namespace eddy::test::stop_scopes_test
