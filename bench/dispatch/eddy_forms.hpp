#pragma once

#include "contest/sample.hpp"
#include "dispatch/counting.hpp"

#include <eddy/eddy.hpp>

#include <atomic>
#include <cstdint>

namespace bench {

// What the workers of a concurrent measurement share.
struct shared_batches {
    explicit shared_batches(double seconds, int batch_size) : window(seconds), batch(batch_size) {}

    time_window window;
    int batch;
    std::atomic<std::int64_t> counter{0};
    std::atomic<std::int64_t> submitted{0};
};

// One increment by a function.
struct eddy_functions {
    // From any thread, to a worker of the runtime's choice.
    template <class Counter>
    static void submit(eddy::runtime& to, Counter& counter) {
        to.post([&counter] { increment(counter); });
    }
    // On a worker, to the same.
    template <class Counter>
    static void submit_here(Counter& counter) {
        eddy::post([&counter] { increment(counter); });
    }

    // On a worker: hands over a batch and comes again behind it, until the time is over.
    static void repeat_batches(shared_batches& shared) {
        if (shared.window.is_over())
            return;
        for (int at = 0; at < shared.batch; ++at)
            submit_here(shared.counter);
        shared.submitted.fetch_add(shared.batch, std::memory_order_relaxed);
        eddy::post([&shared] { repeat_batches(shared); });
    }
};

// One increment by a task.
struct eddy_tasks {
    // Tasks are made on the worker on which they run, so from elsewhere a function that makes it is sent.
    template <class Counter>
    static void submit(eddy::runtime& to, Counter& counter) {
        to.post([&counter] { submit_here(counter); });
    }
    template <class Counter>
    static void submit_here(Counter& counter) {
        eddy::spawn(increment_task(counter)).detach();
    }

    static void repeat_batches(shared_batches& shared) { eddy::spawn(spawn_batches(shared)).detach(); }

private:
    template <class Counter>
    static eddy::task<> increment_task(Counter& counter) {
        increment(counter);
        co_return;
    }
    static eddy::task<> spawn_batches(shared_batches& shared) {
        while (!shared.window.is_over()) {
            for (int at = 0; at < shared.batch; ++at)
                submit_here(shared.counter);
            shared.submitted.fetch_add(shared.batch, std::memory_order_relaxed);
            co_await eddy::yield();
        }
    }
};

}  // namespace bench
