#pragma once

#include "dispatch/counting.hpp"
#include "measure/sample.hpp"

#include <eddy/eddy.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>

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

// Every measurement of the dispatch suite for eddy. `Form` is eddy_functions or eddy_tasks.
template <class Form>
class eddy_runs {
public:
    // The thread that owns the runtime hands over a batch from outside of it and runs it, again and again.
    static sample batches_from_outside(double seconds, int batch) {
        return repeat_batches(seconds, batch, [batch](eddy::runtime& to, std::int64_t& counter) {
            for (int at = 0; at < batch; ++at)
                Form::submit(to, counter);
        });
    }

    // The same by a function that already runs on the worker.
    static sample batches_from_inside(double seconds, int batch) {
        return repeat_batches(seconds, batch, [batch](eddy::runtime& to, std::int64_t& counter) {
            to.post([batch, &counter] {
                for (int at = 0; at < batch; ++at)
                    Form::submit_here(counter);
            });
        });
    }

    // A feeder hands over batches, `threads` workers run them.
    static sample scaling(double seconds, int threads, int batch) {
        eddy::runtime workers = made_of(threads);
        std::atomic<bool> running{true};
        std::atomic<std::int64_t> counter{0};
        std::int64_t submitted = 0;
        const auto submit_batch = [&] {
            for (int at = 0; at < batch; ++at)
                Form::submit(workers, counter);
            submitted += batch;
        };
        const stopwatch watch;  // workers begin at once, unlike Asio's runners, which start later
        submit_batch();
        std::thread feeder([&] {
            const time_window window(seconds);
            while (!window.is_over()) {
                submit_batch();
                std::this_thread::yield();
            }
            running.store(false, std::memory_order_relaxed);
        });
        while (running.load(std::memory_order_relaxed))
            workers.run();
        feeder.join();
        workers.run();
        expect_all(submitted, counter, "ran");
        return watch.stop(counter);
    }

    // Each of `threads` workers hands itself a batch and runs it, again and again.
    static sample concurrent(double seconds, int threads, int batch) {
        eddy::runtime workers = made_of(threads);
        const stopwatch watch;
        shared_batches shared(seconds, batch);
        for (std::size_t worker = 0; worker < workers.workers(); ++worker)
            workers.post_on(worker, [&shared] { Form::repeat_batches(shared); });
        workers.run();
        expect_all(shared.submitted, shared.counter, "ran");
        return watch.stop(shared.counter);
    }

private:
    template <class SubmitBatch>
    static sample repeat_batches(double seconds, int batch, SubmitBatch submit_batch) {
        eddy::runtime own = made_of(1);
        std::int64_t counter = 0;
        std::int64_t submitted = 0;
        const stopwatch watch;
        const time_window window(seconds);
        while (!window.is_over()) {
            submit_batch(own, counter);
            submitted += batch;
            own.poll();
        }
        own.run();
        expect_all(submitted, counter, "ran");
        return watch.stop(counter);
    }

    static eddy::runtime made_of(int threads) {
        return eddy::runtime(eddy::runtime_options().workers(static_cast<std::size_t>(threads)));
    }
};

}  // namespace bench
