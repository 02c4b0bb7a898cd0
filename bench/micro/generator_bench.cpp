// What a value of a generator costs.
#include <eddy/eddy.hpp>

#include <benchmark/benchmark.h>

#include <cstdint>

namespace {

using eddy::async_generator;
using eddy::elements_of;
using eddy::generator;
using eddy::task;

generator<std::uint64_t> numbers() {
    for (std::uint64_t at = 0;; ++at)
        co_yield at;
}

generator<std::uint64_t> numbers_below(int depth) {
    if (depth > 0)
        co_yield elements_of(numbers_below(depth - 1));
    for (std::uint64_t at = 0;; ++at)
        co_yield at;
}

async_generator<std::uint64_t> awaited_numbers() {
    for (std::uint64_t at = 0;; ++at)
        co_yield at;
}

async_generator<std::uint64_t> awaited_numbers_below(int depth) {
    if (depth > 0)
        co_yield elements_of(awaited_numbers_below(depth - 1));
    for (std::uint64_t at = 0;; ++at)
        co_yield at;
}

void read(benchmark::State& state, generator<std::uint64_t> values) {
    auto value = values.begin();
    for (auto _ : state) {
        benchmark::DoNotOptimize(*value);
        ++value;
    }
}

task<> read_awaited(benchmark::State& state, async_generator<std::uint64_t> values) {
    for (auto _ : state)
        benchmark::DoNotOptimize(co_await values.next());
}

void generator_value(benchmark::State& state) {
    read(state, numbers());
}
BENCHMARK(generator_value);

void generator_value_ten_levels_deep(benchmark::State& state) {
    read(state, numbers_below(10));
}
BENCHMARK(generator_value_ten_levels_deep);

void generator_of_one_value(benchmark::State& state) {
    for (auto _ : state) {
        auto values = numbers();
        benchmark::DoNotOptimize(*values.begin());
    }
}
BENCHMARK(generator_of_one_value);

void async_generator_value(benchmark::State& state) {
    eddy::run(read_awaited(state, awaited_numbers()));
}
BENCHMARK(async_generator_value);

void async_generator_value_ten_levels_deep(benchmark::State& state) {
    eddy::run(read_awaited(state, awaited_numbers_below(10)));
}
BENCHMARK(async_generator_value_ten_levels_deep);

}  // namespace
