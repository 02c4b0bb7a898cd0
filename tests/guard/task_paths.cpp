// What tasks do with each other.
#include "guard/hot_path.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/async_generator.hpp>
#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>

#include <array>
#include <cstdint>

namespace eddy::guard {
namespace {

task<std::uint64_t> one() {
    co_return 1;
}

task<> await_tasks(std::uint64_t times) {
    for (std::uint64_t sum = 0; sum < times;)
        sum += co_await one();
}

[[gnu::noinline]] ready_or_task<std::uint64_t> at_once() {
    return std::uint64_t{1};
}

task<> await_ready_or_tasks(std::uint64_t times) {
    for (std::uint64_t sum = 0; sum < times;)
        sum += co_await at_once();
}

task<> yield_often(std::uint64_t times) {
    for (std::uint64_t at = 0; at < times; ++at)
        co_await yield();
}

task<> spawn_and_await(std::uint64_t times) {
    for (std::uint64_t sum = 0; sum < times;) {
        auto running = spawn(one());
        sum += co_await running;
    }
}

async_generator<std::uint64_t> numbers() {
    for (std::uint64_t at = 0;; ++at)
        co_yield at;
}

task<> pull_values(std::uint64_t times) {
    auto values = numbers();
    for (std::uint64_t at = 0; at < times; ++at)
        static_cast<void>(co_await values.next());
}

task<> await_two(std::uint64_t times) {
    for (std::uint64_t at = 0; at < times; ++at)
        static_cast<void>(co_await when_all(one(), one()));
}

template <task<> (*Loop)(std::uint64_t)>
void run_task(std::uint64_t times) {
    eddy::run(Loop(times));
}

constexpr std::array paths{
    hot_path{"await_task", &run_task<&await_tasks>},
    hot_path{"await_ready_or_task", &run_task<&await_ready_or_tasks>},
    hot_path{"yield", &run_task<&yield_often>},
    hot_path{"spawn_and_await", &run_task<&spawn_and_await>},
    hot_path{"async_generator_value", &run_task<&pull_values>},
    hot_path{"when_all_of_two", &run_task<&await_two>},
};

}  // namespace

std::span<const hot_path> task_paths() noexcept {
    return paths;
}

}  // namespace eddy::guard
