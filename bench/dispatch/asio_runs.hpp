#pragma once

#include "dispatch/counting.hpp"
#include "measure/sample.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/detail/concurrency_hint.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace bench {

// One increment by a function.
struct asio_callbacks {
    template <class Counter>
    static void submit(boost::asio::io_context& context, Counter& counter) {
        boost::asio::post(context, [&counter] { increment(counter); });
    }
};

// One increment by a coroutine.
struct asio_coroutines {
    template <class Counter>
    static void submit(boost::asio::io_context& context, Counter& counter) {
        boost::asio::co_spawn(context, increment_task(counter), boost::asio::detached);
    }

private:
    template <class Counter>
    static boost::asio::awaitable<void> increment_task(Counter& counter) {
        increment(counter);
        co_return;
    }
};

// Every measurement of the dispatch suite for Asio. `Form` is asio_callbacks or asio_coroutines.
template <class Form>
class asio_runs {
public:
    // One thread hands over a batch and runs it, again and again. `hint` is Asio's: with or without locks.
    static sample batches(double seconds, int batch, int hint) {
        boost::asio::io_context context(hint);
        std::int64_t counter = 0;
        std::int64_t submitted = 0;
        const stopwatch watch;
        const time_window window(seconds);
        while (!window.is_over()) {
            for (int at = 0; at < batch; ++at)
                Form::submit(context, counter);
            submitted += batch;
            context.poll();
            context.restart();
        }
        context.run();
        expect_all(submitted, counter, "ran");
        return watch.stop(counter);
    }

    // A feeder hands over batches, `threads` others run them.
    static sample scaling(double seconds, int threads, int batch) {
        boost::asio::io_context context;
        std::atomic<bool> running{true};
        std::atomic<std::int64_t> counter{0};
        std::int64_t submitted = 0;
        const auto submit_batch = [&] {
            for (int at = 0; at < batch; ++at)
                Form::submit(context, counter);
            submitted += batch;
        };
        submit_batch();
        const stopwatch watch;
        std::thread feeder([&] {
            const time_window window(seconds);
            while (!window.is_over()) {
                submit_batch();
                std::this_thread::yield();
            }
            running.store(false, std::memory_order_relaxed);
        });
        std::vector<std::thread> runners;
        for (int at = 0; at < threads; ++at)
            runners.emplace_back([&] {
                while (running.load(std::memory_order_relaxed))
                    poll(context);
                context.run();
            });
        feeder.join();
        for (std::thread& runner : runners)
            runner.join();
        expect_all(submitted, counter, "ran");
        return watch.stop(counter);
    }

    // Each of `threads` hands over a batch and runs what there is, its own or another's, again and again.
    static sample concurrent(double seconds, int threads, int batch) {
        boost::asio::io_context context;
        std::atomic<std::int64_t> counter{0};
        std::atomic<std::int64_t> submitted{0};
        const stopwatch watch;
        const time_window window(seconds);
        std::vector<std::thread> workers;
        for (int at = 0; at < threads; ++at)
            workers.emplace_back([&] {
                while (!window.is_over()) {
                    for (int posted = 0; posted < batch; ++posted)
                        Form::submit(context, counter);
                    submitted.fetch_add(batch, std::memory_order_relaxed);
                    poll(context);
                }
                context.run();
            });
        for (std::thread& worker : workers)
            worker.join();
        expect_all(submitted, counter, "ran");
        return watch.stop(counter);
    }

private:
    static void poll(boost::asio::io_context& context) {
        context.poll();
        context.restart();
    }
};

}  // namespace bench
