// What it costs to arm and disarm a timer.
#include <eddy/runtime/detail/timer_wheel.hpp>

#include <benchmark/benchmark.h>

#include <chrono>

namespace {

using namespace std::chrono_literals;

void arm_and_disarm(benchmark::State& state) {
    const eddy::time_point now = eddy::clock::now();
    eddy::detail::timer_wheel wheel(now);
    eddy::detail::timer timer([](eddy::detail::timer&) noexcept {});
    for (auto _ : state) {
        wheel.arm(timer, now + 10s);
        wheel.disarm(timer);
    }
}
BENCHMARK(arm_and_disarm);

}  // namespace
