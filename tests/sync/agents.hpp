#pragma once

#include "support/seed.hpp"
#include "support/time_bound.hpp"
#include "sync/stress.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/io/host.hpp>
#include <eddy/runtime/runtime.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

// Stress of what opens for many at once: agents on all workers that play round after round together. A
// wake-up that is lost stops them all.

namespace eddy::test {

/// How many of an agent's own tasks wait beside it in a round.
inline constexpr std::size_t observers = 3;

/// How many rounds make stress_operations() waits; a twentieth of that on one CPU, where agents run in turn and a round
/// takes as many changes of the running thread as there are agents.
inline std::size_t stress_rounds(std::size_t workers) {
    const std::size_t share = io::available_cpus() == 1 ? 20 : 1;
    return stress_operations() / share / (workers * (1 + observers)) + 1;
}

/// Drops every third of the tasks and awaits the others.
inline task<> end_some(std::vector<handle<>>& waiting, stress_choice& choice) {
    for (auto& each : waiting) {
        if (choice.below(3) == 0)
            each.cancel();
        else
            co_await each;
    }
    waiting.clear();
}

template <class Shared>
using agent_function = task<> (*)(std::shared_ptr<Shared> shared, stress_choice choice);

template <class Shared>
task<> start_agents(std::shared_ptr<Shared> shared, agent_function<Shared> worker, std::uint64_t seed) {
    auto& here = runtime::current();
    std::vector<remote_handle<>> started;
    for (std::size_t at = 0; at < here.workers(); ++at)
        started.push_back(
            here.spawn_on(at, worker(shared, stress_choice(seed + at * 0x9e37'79b9'7f4a'7c15U))));
    for (auto& each : started)
        co_await each;
}

/// Runs an agent on each worker, to its end.
template <class Shared>
void run_workers(std::size_t workers, std::shared_ptr<Shared> shared, agent_function<Shared> worker) {
    const time_bound bound;
    auto generator = seeded_generator();
    const std::uint64_t seed = generator();
    runtime(runtime_options().workers(workers)).run(start_agents(shared, worker, seed));
}

}  // namespace eddy::test
