// What symmetric transfer is worth: a chain of ten awaits, each of a task that ends at once, with it and with a
// trampoline in its place. Of `by_trampoline` the least that it is compared with is the same task with symmetric transfer.
#include "bare_task.hpp"

#include <eddy/eddy.hpp>

#include <benchmark/benchmark.h>

namespace {

constexpr int chain_length = 10;

eddy::task<int> chain(int length) {
    if (length == 1)
        co_return 1;
    co_return 1 + co_await chain(length - 1);
}

template <class Transfer>
bare::task<int, Transfer> bare_chain(int length) {
    if (length == 1)
        co_return 1;
    co_return 1 + co_await bare_chain<Transfer>(length - 1);
}

template <class Transfer>
bare::task<void, Transfer> measure_bare_chain(benchmark::State& measured) {
    for (auto _ : measured)
        benchmark::DoNotOptimize(co_await bare_chain<Transfer>(chain_length));
}

void await_chain_of_ten(benchmark::State& state) {
    eddy::run([](benchmark::State& measured) -> eddy::task<> {
        for (auto _ : measured)
            benchmark::DoNotOptimize(co_await chain(chain_length));
    }(state));
}
BENCHMARK(await_chain_of_ten);

void await_chain_of_ten_bare(benchmark::State& state) {
    bare::run(measure_bare_chain<bare::symmetric>(state));
}
BENCHMARK(await_chain_of_ten_bare);

void await_chain_by_trampoline(benchmark::State& state) {
    bare::run(measure_bare_chain<bare::trampoline>(state));
}
BENCHMARK(await_chain_by_trampoline);

void await_chain_by_trampoline_bare(benchmark::State& state) {
    bare::run(measure_bare_chain<bare::symmetric>(state));
}
BENCHMARK(await_chain_by_trampoline_bare);

}  // namespace
