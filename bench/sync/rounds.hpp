#pragma once

#include "measure/sample.hpp"
#include "sync/thread_pool.hpp"

#include <eddy/eddy.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace bench {

// How the benchmarks of primitives go: in rounds, each with a new object of a class that has
//   explicit round(round_size)
//   void run(std::size_t participant)              or, of primitives that eddy's tasks wait for,
//   eddy::task<> run(std::size_t participant)
// Each of the participants is on a worker of its own. A round is over once all have played.
struct round_size {
    std::size_t participants = 2;
    int busy_turns = 0;      // how long what is done before, after or under the lock takes
    std::int64_t items = 1;  // what a round counts for

    std::int64_t items_per_participant() const { return items / static_cast<std::int64_t>(participants); }
};

template <class Round>
concept run_by_tasks = requires(Round& round, std::size_t participant) {
    { round.run(participant) } -> std::same_as<eddy::task<>>;
};

// Threads of the standard library.
template <class Round>
sample rounds_on_threads(double seconds, round_size size) {
    thread_pool pool(size.participants);
    std::int64_t rounds = 0;
    const stopwatch watch;
    const time_window window(seconds);
    for (; !window.is_over(); ++rounds) {
        Round round(size);
        for (std::size_t participant = 0; participant < size.participants; ++participant)
            pool.submit(participant, [&round, participant] { round.run(participant); });
        pool.run();
    }
    return watch.stop(rounds * size.items);
}

template <class Round>
eddy::task<> participant_task(Round& round, std::size_t participant) {
    if constexpr (run_by_tasks<Round>)
        co_await round.run(participant);
    else
        round.run(participant);  // blocks the worker, which has nothing else to do
}

template <class Round>
eddy::task<> run_round(round_size size) {
    Round round(size);
    eddy::runtime& here = eddy::runtime::current();
    std::vector<eddy::remote_handle<>> others;
    for (std::size_t participant = 1; participant < size.participants; ++participant)
        others.push_back(here.spawn_on(participant, participant_task(round, participant)));
    co_await participant_task(round, 0);
    for (eddy::remote_handle<>& other : others)
        co_await other;
}

template <class Round>
eddy::task<sample> run_rounds(double seconds, round_size size) {
    std::int64_t rounds = 0;
    const stopwatch watch;
    const time_window window(seconds);
    for (; !window.is_over(); ++rounds)
        co_await run_round<Round>(size);
    co_return watch.stop(rounds * size.items);
}

// Tasks of eddy.
template <class Round>
sample rounds_on_workers(double seconds, round_size size) {
    return eddy::run(run_rounds<Round>(seconds, size), eddy::runtime_options().workers(size.participants));
}

}  // namespace bench
