#include "runtime/backend_factory.hpp"
#include "runtime/shuffle_seed.hpp"
#include "runtime/shuffled_order.hpp"

#include <eddy/io/host.hpp>
#include <eddy/runtime/runtime.hpp>

#include <algorithm>
#include <barrier>
#include <exception>
#include <future>
#include <string>
#include <thread>

namespace eddy {

namespace {

std::size_t or_cpus(std::size_t wanted, std::size_t at_least) {
    return wanted != 0 ? wanted : std::max(io::available_cpus(), at_least);
}

/// Tells a worker to leave its loop.
struct stop_message : detail::inbox_item {
    stop_message() noexcept : inbox_item(&received) {}
    static void received(inbox_item& item, bool) noexcept {
        static_cast<stop_message&>(item).has_come = true;
    }
    bool has_come = false;  // the receiver's
};

}  // namespace

// How a runtime ends. The thread that made it is worker 0.
//
// 1. Worker 0 sends `stop` to the others. Every worker leaves its loop, drops its tasks and drains its
// backend.
//    From here on no worker sleeps, so nobody is woken any more, but for a wake-up already under way.
// 2. When all have done so (first phase of the barrier), worker 0 ends the offload pool, whose threads were
// the
//    last that could be about to wake a worker.
// 3. When that is done (second phase), each destroys its backend on its own thread, as io_uring wants it.
// 4. Worker 0 joins the threads and frees the messages that nobody received.
struct runtime::threads {
    threads(runtime_options options, io::blocking_executor& blocking)
        : factory(options.backend(), options.io(), blocking),
          turn_budget(options.turn_budget()),
          shuffle_seed(detail::shuffle_seed(options.shuffle_seed())),
          ends(static_cast<std::ptrdiff_t>(or_cpus(options.workers(), 1))),
          stops(or_cpus(options.workers(), 1)) {}

    /// Makes a worker of the calling thread's.
    std::unique_ptr<worker> make_worker(runtime& owner, std::size_t index) {
        const std::uint64_t seed = detail::shuffle_seed_of(index, shuffle_seed);
        auto order = seed != 0 ? std::make_unique<detail::shuffled_order>(seed) : nullptr;
        return std::make_unique<worker>(owner, index, factory.make(seed), turn_budget, std::move(order));
    }

    void end_worker(worker& ended, offload_pool* pool) noexcept {
        ended.shut_down();
        ends.arrive_and_wait();
        if (pool != nullptr)
            pool->stop();
        ends.arrive_and_wait();
        ended.close_backend();
    }

    detail::backend_factory factory;
    std::size_t turn_budget;
    std::uint64_t shuffle_seed;
    std::barrier<> ends;
    std::vector<stop_message> stops;
    std::vector<std::thread> running;
};

runtime::runtime(runtime_options options)
    : offload_pool_(or_cpus(options.offload_threads(), 2), options.offload_long_threads_max(),
                    options.offload_queue_max()),
      threads_(std::make_unique<threads>(options, offload_pool_)) {
    const std::size_t count = threads_->stops.size();
    workers_.resize(count);
    workers_[0] = threads_->make_worker(*this, 0);

    std::exception_ptr failure;
    std::size_t failed = 0;
    const io::signals_blocked no_signals;
    for (std::size_t index = 1; index < count; ++index) {
        // One after the other: the first failure ends the start, and `workers_` needs no lock.
        std::promise<void> started;
        auto has_started = started.get_future();
        try {
            threads_->running.emplace_back([this, index, &started] {
                io::name_this_thread(("eddy-" + std::to_string(index)).c_str());
                try {
                    workers_[index] = threads_->make_worker(*this, index);
                } catch (...) {
                    started.set_exception(std::current_exception());
                    return;
                }
                started.set_value();
                worker& self = *workers_[index];
                const worker::presence here(self);
                self.run_until([&] { return threads_->stops[index].has_come; });
                threads_->end_worker(self, nullptr);
            });
            has_started.get();
        } catch (...) {
            failure = std::current_exception();
            failed = index;
            break;
        }
    }
    if (!failure)
        return;
    // The workers that never came do not take part in the end.
    for (std::size_t index = failed; index < count; ++index)
        threads_->ends.arrive_and_drop();
    workers_.resize(failed);
    end();
    std::rethrow_exception(failure);
}

runtime::~runtime() {
    end();
}

void runtime::end() noexcept {
    const worker::presence here(*workers_[0]);
    for (std::size_t index = 1; index < workers_.size(); ++index)
        workers_[index]->post(threads_->stops[index]);
    threads_->end_worker(*workers_[0], &offload_pool_);
    for (auto& thread : threads_->running)
        thread.join();
    bool any = true;
    while (any) {
        any = false;
        for (auto& ended : workers_)
            any |= ended->discard_inbox();
    }
}

std::string_view runtime::backend_name() const noexcept {
    return to_string(threads_->factory.kind());
}

}  // namespace eddy
