// What it costs to start, run and free a short task through a set.
#include <eddy/eddy.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>

namespace {

using eddy::task;

task<> nothing() {
    co_return;
}

/// Batches of tasks, each joined: the cost of one task, with its share of a join.
void spawn_and_join(benchmark::State& state) {
    eddy::run([](benchmark::State& measured) -> task<> {
        const auto batch = static_cast<std::size_t>(measured.range(0));
        eddy::task_set set;
        while (measured.KeepRunningBatch(static_cast<benchmark::IterationCount>(batch))) {
            for (std::size_t at = 0; at < batch; ++at)
                set.spawn(nothing());
            co_await set.join();
        }
    }(state));
}
BENCHMARK(spawn_and_join)->Arg(1)->Arg(100);

/// One spawner that keeps a set at its limit.
void spawn_when_free(benchmark::State& state) {
    eddy::run([](benchmark::State& measured) -> task<> {
        eddy::task_set set(eddy::task_set_options().tasks_max(static_cast<std::size_t>(measured.range(0))));
        for (auto _ : measured)
            co_await set.spawn_when_free(nothing());
        co_await set.join();
    }(state));
}
BENCHMARK(spawn_when_free)->Arg(1)->Arg(100);

}  // namespace
