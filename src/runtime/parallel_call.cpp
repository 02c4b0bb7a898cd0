#include <eddy/runtime/detail/offload_pool.hpp>
#include <eddy/runtime/detail/parallel_call.hpp>

#include <algorithm>

namespace eddy::detail {

/// A thread's part in the loop.
struct parallel_call::runner : io::blocking_item {
    runner() noexcept : blocking_item(&run_item) {}
    static void run_item(io::blocking_item& item) noexcept {
        auto& self = static_cast<runner&>(item);
        self.call->run(self);
    }
    parallel_call* call = nullptr;
};

parallel_call::parallel_call(std::size_t count, std::size_t grain) noexcept
    : pool_call(&begin_on_pool), count_(count), grain_(grain) {}

parallel_call::~parallel_call() = default;

void parallel_call::prepare(offload_pool& pool, work_kind kind) {
    constexpr std::size_t chunks_per_thread = 8;
    const std::size_t threads = pool.threads_max(kind);
    if (grain_ == 0)
        grain_ = std::max<std::size_t>(count_ / (threads * chunks_per_thread), 1);
    chunks_ = count_ / grain_ + (count_ % grain_ != 0 ? 1 : 0);
    runner_count_ = std::min(threads, chunks_);
    runners_ = std::make_unique<runner[]>(runner_count_);
    for (std::size_t at = 0; at < runner_count_; ++at)
        runners_[at].call = this;
    pool_ = &pool;
    kind_ = kind;
}

// Chunks under way count on: their results are thrown away.
void parallel_call::stop_early() noexcept {
    chunk_next_.store(chunks_, std::memory_order_relaxed);
}

// The call itself is the item that waits for room and can be taken back; the first runner begins in its
// place.
void parallel_call::begin_on_pool(io::blocking_item& item) noexcept {
    auto& self = static_cast<parallel_call&>(item);
    self.run(self.runners_[0]);
}

void parallel_call::begin_others() noexcept {
    constexpr int others = 2;
    for (int begun = 0; begun < others; ++begun) {
        if (chunk_next_.load(std::memory_order_relaxed) >= chunks_)
            return;
        const std::size_t index = runners_begun_.fetch_add(1, std::memory_order_relaxed);
        if (index >= runner_count_)
            return;
        runners_left_.fetch_add(1, std::memory_order_relaxed);
        pool_->post_more(runners_[index], kind_);
    }
}

void parallel_call::run(runner& self) noexcept {
    begin_others();
    for (;;) {
        const std::size_t index = chunk_next_.fetch_add(1, std::memory_order_relaxed);
        if (index >= chunks_)
            break;
        run_chunk_at(index);
        if (pool_->has_waiting(kind_) && chunk_next_.load(std::memory_order_relaxed) < chunks_)
            return pool_->post_behind(self, kind_);
    }
    if (runners_left_.fetch_sub(1, std::memory_order_acq_rel) == 1)
        go_home();
}

void parallel_call::run_chunk_at(std::size_t index) noexcept {
    const std::size_t first = index * grain_;
    try {
        run_chunk(first, first + std::min(grain_, count_ - first));
    } catch (...) {
        if (!has_failed_.exchange(true, std::memory_order_relaxed))
            error_ = std::current_exception();
        stop_early();
    }
}

}  // namespace eddy::detail
