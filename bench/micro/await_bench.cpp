// What it costs to await, to yield and to spawn; and what the same costs with the least that a task can be.
#include "bare_task.hpp"

#include <eddy/eddy.hpp>

#include <benchmark/benchmark.h>

#include <chrono>
#include <expected>
#include <system_error>

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

void await_finished(benchmark::State& state) {
    eddy::run([](benchmark::State& measured) -> task<> {
        for (auto _ : measured)
            benchmark::DoNotOptimize(co_await one());
    }(state));
}
BENCHMARK(await_finished);

void await_finished_bare(benchmark::State& state) {
    bare::run([](benchmark::State& measured) -> bare::task<void> {
        for (auto _ : measured)
            benchmark::DoNotOptimize(co_await bare_one());
    }(state));
}
BENCHMARK(await_finished_bare);

void await_two_levels(benchmark::State& state) {
    eddy::run([](benchmark::State& measured) -> task<> {
        for (auto _ : measured)
            benchmark::DoNotOptimize(co_await two_levels());
    }(state));
}
BENCHMARK(await_two_levels);

void await_two_levels_bare(benchmark::State& state) {
    bare::run([](benchmark::State& measured) -> bare::task<void> {
        for (auto _ : measured)
            benchmark::DoNotOptimize(co_await bare_two_levels());
    }(state));
}
BENCHMARK(await_two_levels_bare);

void yield(benchmark::State& state) {
    eddy::run([](benchmark::State& measured) -> task<> {
        for (auto _ : measured)
            co_await eddy::yield();
    }(state));
}
BENCHMARK(yield);

void yield_bare(benchmark::State& state) {
    bare::run([](benchmark::State& measured) -> bare::task<void> {
        for (auto _ : measured)
            co_await bare::yield();
    }(state));
}
BENCHMARK(yield_bare);

void await_yielding(benchmark::State& state) {
    eddy::run([](benchmark::State& measured) -> task<> {
        for (auto _ : measured)
            co_await yields();
    }(state));
}
BENCHMARK(await_yielding);

void await_yielding_bare(benchmark::State& state) {
    bare::run([](benchmark::State& measured) -> bare::task<void> {
        for (auto _ : measured)
            co_await bare_yields();
    }(state));
}
BENCHMARK(await_yielding_bare);

void await_yielding_below(benchmark::State& state) {
    eddy::run([](benchmark::State& measured) -> task<> {
        for (auto _ : measured)
            co_await yields_below();
    }(state));
}
BENCHMARK(await_yielding_below);

void await_yielding_below_bare(benchmark::State& state) {
    bare::run([](benchmark::State& measured) -> bare::task<void> {
        for (auto _ : measured)
            co_await bare_yields_below();
    }(state));
}
BENCHMARK(await_yielding_below_bare);

void spawn_and_await(benchmark::State& state) {
    eddy::run([](benchmark::State& measured) -> task<> {
        for (auto _ : measured) {
            auto running = eddy::spawn(one());
            benchmark::DoNotOptimize(co_await running);
        }
    }(state));
}
BENCHMARK(spawn_and_await);

void when_all_of_ten(benchmark::State& state) {
    eddy::run([](benchmark::State& measured) -> task<> {
        for (auto _ : measured)
            benchmark::DoNotOptimize(co_await eddy::when_all(one(), one(), one(), one(), one(), one(), one(),
                                                             one(), one(), one()));
    }(state));
}
BENCHMARK(when_all_of_ten);

void yield_of_as_result(benchmark::State& state) {
    eddy::run([](benchmark::State& measured) -> task<> {
        for (auto _ : measured)
            benchmark::DoNotOptimize(co_await eddy::as_result(eddy::yield()));
    }(state));
}
BENCHMARK(yield_of_as_result);

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

void operation_alone(benchmark::State& state) {
    eddy::run([](benchmark::State& measured) -> task<> {
        for (auto _ : measured)
            benchmark::DoNotOptimize(co_await operation());
    }(state));
}
BENCHMARK(operation_alone);

void operation_with_timeout(benchmark::State& state) {
    eddy::run([](benchmark::State& measured) -> task<> {
        for (auto _ : measured)
            benchmark::DoNotOptimize(co_await eddy::with_timeout(operation(), 1s));
    }(state));
}
BENCHMARK(operation_with_timeout);

void with_timeout_around_a_task(benchmark::State& state) {
    eddy::run([](benchmark::State& measured) -> task<> {
        for (auto _ : measured)
            benchmark::DoNotOptimize(co_await eddy::with_timeout(one(), 1s));
    }(state));
}
BENCHMARK(with_timeout_around_a_task);

}  // namespace
