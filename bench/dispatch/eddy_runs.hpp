#pragma once

#include "contest/sample.hpp"
#include "dispatch/counting.hpp"
#include "dispatch/eddy_forms.hpp"

#include <eddy/eddy.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>

namespace bench {

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
        expect_all_ran(counter, submitted);
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
        expect_all_ran(shared.counter, shared.submitted);
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
        expect_all_ran(counter, submitted);
        return watch.stop(counter);
    }

    static eddy::runtime made_of(int threads) {
        return eddy::runtime(eddy::runtime_options().workers(static_cast<std::size_t>(threads)));
    }
};

}  // namespace bench
