#include "runtime/pool_work.hpp"
#include "runtime/start_thread.hpp"

#include <eddy/detail/assert.hpp>
#include <eddy/detail/atomic.hpp>
#include <eddy/io/host.hpp>
#include <eddy/runtime/detail/offload_pool.hpp>

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace eddy {

// The threads, started one by one as they are needed. The first is started before anything is posted, so what
// is in a queue has a thread that will run it; where that fails, submitted work is refused, and a backend's
// work is done by the caller.
class offload_pool::machinery final : private detail::pool_work {
public:
    machinery(std::size_t threads_max, std::size_t long_threads_max, std::size_t queue_max)
        : pool_work(threads_max, long_threads_max, queue_max), threads_(threads_max) {}

    void post(io::blocking_item& item) noexcept {
        assert_not_ended();
        const bool is_first = is_without_threads();
        if (is_first && start_thread() != nullptr)
            return item.run(item);
        pool_work::post(item, work_kind::short_running, !is_first);
    }

    void submit(io::blocking_item& item, work_kind kind) {
        assert_not_ended();
        const bool is_first = is_without_threads();
        if (is_first)
            if (const std::exception_ptr failure = start_thread())
                std::rethrow_exception(failure);
        pool_work::submit(item, kind, !is_first);
    }

    void post_more(io::blocking_item& item, work_kind kind) noexcept {
        EDDY_ASSERT(current_ != nullptr, "a thread of the pool posts more of its work");
        pool_work::post_more(*current_, item, kind);
    }

    void post_behind(io::blocking_item& item, work_kind kind) noexcept { pool_work::post(item, kind, true); }

    void stop() noexcept {
        end();
        {
            const std::lock_guard guard(starting_);
            is_stopping_.store(true, std::memory_order_relaxed);
        }
        for (std::thread& each : threads_)
            if (each.joinable())
                each.join();
    }

    using pool_work::has_waiting;
    using pool_work::retract;
    using pool_work::threads_max;

    [[nodiscard]] offload_metrics metrics() const noexcept {
        offload_metrics now = pool_work::metrics();
        now.threads = started_.load(std::memory_order_relaxed);
        return now;
    }

private:
    /// What runs may post while the pool ends, since its thread looks for more afterwards; for what comes
    /// from outside there may be no thread any more.
    void assert_not_ended() const noexcept {
        EDDY_ASSERT(current_ != nullptr || !is_stopping_.load(std::memory_order_relaxed),
                    "nothing is offloaded once the runtime has ended");
    }
    [[nodiscard]] bool is_without_threads() const noexcept {
        return started_.load(std::memory_order_acquire) == 0;
    }
    void start_another() noexcept override {
        if (started_.load(std::memory_order_relaxed) < threads_.size())
            static_cast<void>(start_thread());
    }
    /// Why no thread can be started, or null.
    std::exception_ptr start_thread() noexcept;

    static constinit thread_local detail::pool_thread* current_;

    std::mutex starting_;
    std::vector<std::thread> threads_;
    detail::atomic<bool> is_stopping_{false};  // written under starting_
    detail::atomic<std::size_t> started_{0};
};

constinit thread_local detail::pool_thread* offload_pool::machinery::current_ = nullptr;

std::exception_ptr offload_pool::machinery::start_thread() noexcept {
    try {
        const io::signals_blocked no_signals;
        const std::lock_guard guard(starting_);
        const std::size_t index = started_.load(std::memory_order_relaxed);
        if (is_stopping_.load(std::memory_order_relaxed) || index == threads_.size())
            return nullptr;
        threads_[index] = detail::start_thread("offloaded functions", [this, &self = thread(index)] {
            io::name_this_thread("eddy-offload");
            current_ = &self;
            live(self);
        });
        started_.store(index + 1, std::memory_order_release);
        return nullptr;
    } catch (...) {
        return std::current_exception();
    }
}

offload_pool::offload_pool(std::size_t threads_max, std::size_t long_threads_max, std::size_t queue_max)
    : machinery_(std::make_unique<machinery>(threads_max, long_threads_max, queue_max)) {}

offload_pool::~offload_pool() {
    stop();
}

void offload_pool::post(io::blocking_item& item) noexcept {
    machinery_->post(item);
}

void offload_pool::submit(io::blocking_item& item, work_kind kind) {
    machinery_->submit(item, kind);
}

void offload_pool::post_more(io::blocking_item& item, work_kind kind) noexcept {
    machinery_->post_more(item, kind);
}

void offload_pool::post_behind(io::blocking_item& item, work_kind kind) noexcept {
    machinery_->post_behind(item, kind);
}

bool offload_pool::has_waiting(work_kind kind) const noexcept {
    return machinery_->has_waiting(kind);
}

bool offload_pool::retract(io::blocking_item& item) noexcept {
    return machinery_->retract(item);
}

std::size_t offload_pool::threads_max(work_kind kind) const noexcept {
    return machinery_->threads_max(kind);
}

offload_metrics offload_pool::metrics() const noexcept {
    return machinery_->metrics();
}

std::size_t offload_pool::count_under_way() const noexcept {
    const auto now = metrics();
    return now.waiting_for_room + now.queued_short + now.queued_long + now.running_short + now.running_long;
}

void offload_pool::stop() noexcept {
    machinery_->stop();
}

}  // namespace eddy
