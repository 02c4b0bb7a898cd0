// What it costs to await, to yield and to spawn.
#include <eddy/eddy.hpp>

#include <benchmark/benchmark.h>

namespace {

using eddy::task;

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

void await_finished(benchmark::State& state) {
    eddy::run([](benchmark::State& measured) -> task<> {
        for (auto _ : measured)
            benchmark::DoNotOptimize(co_await one());
    }(state));
}
BENCHMARK(await_finished);

void await_two_levels(benchmark::State& state) {
    eddy::run([](benchmark::State& measured) -> task<> {
        for (auto _ : measured)
            benchmark::DoNotOptimize(co_await two_levels());
    }(state));
}
BENCHMARK(await_two_levels);

void yield(benchmark::State& state) {
    eddy::run([](benchmark::State& measured) -> task<> {
        for (auto _ : measured)
            co_await eddy::yield();
    }(state));
}
BENCHMARK(yield);

void await_yielding(benchmark::State& state) {
    eddy::run([](benchmark::State& measured) -> task<> {
        for (auto _ : measured)
            co_await yields();
    }(state));
}
BENCHMARK(await_yielding);

void await_yielding_below(benchmark::State& state) {
    eddy::run([](benchmark::State& measured) -> task<> {
        for (auto _ : measured)
            co_await yields_below();
    }(state));
}
BENCHMARK(await_yielding_below);

void spawn_and_await(benchmark::State& state) {
    eddy::run([](benchmark::State& measured) -> task<> {
        for (auto _ : measured) {
            auto running = eddy::spawn(one());
            benchmark::DoNotOptimize(co_await running);
        }
    }(state));
}
BENCHMARK(spawn_and_await);

}  // namespace
