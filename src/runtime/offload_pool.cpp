#include <eddy/base/assert.hpp>
#include <eddy/io/host.hpp>
#include <eddy/runtime/offload_pool.hpp>

namespace eddy {

namespace {

void link_before(io::blocking_item& place, io::blocking_item& item) noexcept {
    item.next = &place;
    item.previous = place.previous;
    place.previous->next = &item;
    place.previous = &item;
}

void unlink(io::blocking_item& item) noexcept {
    item.previous->next = item.next;
    item.next->previous = item.previous;
    item.next = item.previous = nullptr;
}

}  // namespace

offload_pool::offload_pool(std::size_t threads_max) noexcept : threads_max_(threads_max) {
    queue_.next = queue_.previous = &queue_;
}

offload_pool::~offload_pool() {
    stop();
}

void offload_pool::post(io::blocking_item& item) noexcept {
    {
        std::unique_lock lock(mutex_);
        EDDY_ASSERT(!is_stopping_, "nothing is offloaded once the runtime ends");
        link_before(queue_, item);
        ++waiting_;
        if (!start_thread_if_needed()) [[unlikely]]
            return run_next(lock);  // where there is no thread at all, the caller has to do it
    }
    posted_.notify_one();
}

// Gives whether there is a thread that will run what was posted.
bool offload_pool::start_thread_if_needed() noexcept {
    if (waiting_ <= idle_ || threads_.size() >= threads_max_)
        return true;
    try {
        const io::signals_blocked no_signals;
        threads_.emplace_back([this] { work(); });
    } catch (...) {  // out of memory or threads: those that there are will run it, only later
    }
    return !threads_.empty();
}

void offload_pool::run_next(std::unique_lock<std::mutex>& lock) noexcept {
    io::blocking_item& item = *queue_.next;
    unlink(item);
    --waiting_;
    ++running_;
    lock.unlock();
    item.run(item);
    lock.lock();
    --running_;
}

bool offload_pool::retract(io::blocking_item& item) noexcept {
    const std::lock_guard lock(mutex_);
    if (item.next == nullptr)
        return false;
    unlink(item);
    --waiting_;
    return true;
}

void offload_pool::work() noexcept {
    io::name_this_thread("eddy-offload");
    std::unique_lock lock(mutex_);
    for (;;) {
        ++idle_;
        posted_.wait(lock, [this] { return !is_empty() || is_stopping_; });
        --idle_;
        if (is_empty())
            return;
        run_next(lock);
    }
}

std::size_t offload_pool::count_under_way() noexcept {
    const std::lock_guard lock(mutex_);
    return waiting_ + running_;
}

void offload_pool::stop() noexcept {
    {
        const std::lock_guard lock(mutex_);
        is_stopping_ = true;
    }
    posted_.notify_all();
    for (auto& thread : threads_)
        thread.join();
    threads_.clear();
}

}  // namespace eddy
