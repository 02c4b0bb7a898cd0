#include "sync/thread_pool.hpp"

#include <utility>

namespace bench {

thread_pool::thread_pool(std::size_t workers) {
    for (std::size_t at = 0; at < workers; ++at)
        lanes_.push_back(std::make_unique<lane>());
    for (std::size_t at = 1; at < workers; ++at)
        threads_.emplace_back([this, at] { serve(*lanes_[at]); });
}

thread_pool::~thread_pool() {
    for (const std::unique_ptr<lane>& one : lanes_) {
        const std::lock_guard lock(one->mutex);
        one->is_closed = true;
        one->changed.notify_one();
    }
    for (std::thread& thread : threads_)
        thread.join();
}

void thread_pool::submit(std::size_t worker, std::function<void()> function) {
    pending_.fetch_add(1, std::memory_order_relaxed);
    lane& chosen = *lanes_[worker];
    {
        const std::lock_guard lock(chosen.mutex);
        chosen.functions.push(std::move(function));
    }
    chosen.changed.notify_one();
}

void thread_pool::run() {
    while (const std::function<void()> function = take(*lanes_[0], false))
        run_one(function);
    for (std::size_t left; (left = pending_.load(std::memory_order_acquire)) != 0;)
        pending_.wait(left, std::memory_order_acquire);
}

// An empty function when there is none and it may not wait, or the pool goes.
std::function<void()> thread_pool::take(lane& from, bool may_wait) {
    std::unique_lock lock(from.mutex);
    if (may_wait)
        from.changed.wait(lock, [&] { return from.is_closed || !from.functions.empty(); });
    if (from.functions.empty())
        return {};
    std::function<void()> taken = std::move(from.functions.front());
    from.functions.pop();
    return taken;
}

void thread_pool::run_one(const std::function<void()>& function) {
    function();
    if (pending_.fetch_sub(1, std::memory_order_acq_rel) == 1)
        pending_.notify_one();
}

void thread_pool::serve(lane& own) {
    while (const std::function<void()> function = take(own, true))
        run_one(function);
}

}  // namespace bench
