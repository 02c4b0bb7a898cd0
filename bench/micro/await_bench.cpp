// What it costs to await, to yield and to spawn; and what the same costs with the least that a task can be.
#include "bare_task.hpp"

#include <eddy/eddy.hpp>

#include <benchmark/benchmark.h>

#include <chrono>
#include <expected>
#include <system_error>
#include <type_traits>

namespace {

using eddy::task;
using namespace std::chrono_literals;

task<int> one() {
    co_return 1;
}
task<int> two_levels() {
    co_return co_await one();
}
task<> yields() {
    co_await eddy::yield();
}
task<> yields_below() {
    co_await yields();
}

bare::task<int> bare_one() {
    co_return 1;
}
bare::task<int> bare_two_levels() {
    co_return co_await bare_one();
}
bare::task<void> bare_yields() {
    co_await bare::yield();
}
bare::task<void> bare_yields_below() {
    co_await bare_yields();
}

/// Awaits what `Make` gives, again and again.
template <auto Make>
void awaits(benchmark::State& state) {
    eddy::run([](benchmark::State& measured) -> task<> {
        for (auto _ : measured)
            if constexpr (std::is_void_v<eddy::await_result_t<decltype(Make())>>)
                co_await Make();
            else
                benchmark::DoNotOptimize(co_await Make());
    }(state));
}

/// The same by the least that a task can be.
template <auto Make>
void awaits_bare(benchmark::State& state) {
    bare::run([](benchmark::State& measured) -> bare::task<void> {
        for (auto _ : measured)
            if constexpr (std::is_void_v<decltype(Make().await_resume())>)
                co_await Make();
            else
                benchmark::DoNotOptimize(co_await Make());
    }(state));
}

constexpr auto spawned = [] { return eddy::spawn(one()); };
constexpr auto plain_yield = [] { return eddy::yield(); };
constexpr auto bare_yield = [] { return bare::yield(); };
constexpr auto ten = [] {
    return eddy::when_all(one(), one(), one(), one(), one(), one(), one(), one(), one(), one());
};
constexpr auto yield_as_result = [] { return eddy::as_result(eddy::yield()); };

/// An operation that ends in the turn in which it was begun.
class operation {
public:
    operation() noexcept {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(eddy::detail::suspension point) noexcept {
        auto& loop = eddy::detail::resume_loop::current();
        loop.make_ready(loop.suspend(point));
    }
    int await_resume() const noexcept { return 1; }
    std::expected<int, std::error_code> outcome() const noexcept { return 1; }
    bool is_pending() const noexcept { return false; }
    void interrupt() noexcept {}
};

constexpr auto alone = [] { return operation(); };
constexpr auto with_timeout = [] { return eddy::with_timeout(operation(), 1s); };
constexpr auto task_with_timeout = [] { return eddy::with_timeout(one(), 1s); };

BENCHMARK(awaits<one>)->Name("await_finished");
BENCHMARK(awaits_bare<bare_one>)->Name("await_finished_bare");
BENCHMARK(awaits<two_levels>)->Name("await_two_levels");
BENCHMARK(awaits_bare<bare_two_levels>)->Name("await_two_levels_bare");
BENCHMARK(awaits<plain_yield>)->Name("yield");
BENCHMARK(awaits_bare<bare_yield>)->Name("yield_bare");
BENCHMARK(awaits<yields>)->Name("await_yielding");
BENCHMARK(awaits_bare<bare_yields>)->Name("await_yielding_bare");
BENCHMARK(awaits<yields_below>)->Name("await_yielding_below");
BENCHMARK(awaits_bare<bare_yields_below>)->Name("await_yielding_below_bare");
BENCHMARK(awaits<spawned>)->Name("spawn_and_await");
BENCHMARK(awaits<ten>)->Name("when_all_of_ten");
BENCHMARK(awaits<yield_as_result>)->Name("yield_of_as_result");
BENCHMARK(awaits<alone>)->Name("operation_alone");
BENCHMARK(awaits<with_timeout>)->Name("operation_with_timeout");
BENCHMARK(awaits<task_with_timeout>)->Name("with_timeout_around_a_task");

}  // namespace
