#pragma once

#include <eddy/io/blocking_executor.hpp>

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

namespace eddy {

/// A fixed number of threads for what would block a worker: long computations, and calls for which the system
/// has no other form. Threads start when they are first needed. First posted, first begun.
///
/// Thread-safe.
class offload_pool final : public io::blocking_executor {
public:
    explicit offload_pool(std::size_t threads_max) noexcept;
    offload_pool(const offload_pool&) = delete;
    offload_pool& operator=(const offload_pool&) = delete;
    ~offload_pool() override;

    void post(io::blocking_item& item) noexcept override;
    [[nodiscard]] bool retract(io::blocking_item& item) noexcept override;

    /// How many items have been posted and are not done.
    [[nodiscard]] std::size_t count_under_way() noexcept;

    /// Runs what has been posted and ends the threads. Nothing may be posted afterwards.
    void stop() noexcept;

private:
    void work() noexcept;
    [[nodiscard]] bool start_thread_if_needed() noexcept;
    void run_next(std::unique_lock<std::mutex>& lock) noexcept;
    [[nodiscard]] bool is_empty() const noexcept { return queue_.next == &queue_; }

    std::mutex mutex_;
    std::condition_variable posted_;
    // A ring closed by this sentinel, guarded by mutex_, as is all below.
    io::blocking_item queue_{nullptr};
    std::size_t waiting_ = 0;  // items in the queue
    std::size_t idle_ = 0;     // threads that wait for one
    std::size_t running_ = 0;  // items with a thread
    bool is_stopping_ = false;
    std::size_t threads_max_;
    std::vector<std::thread> threads_;
};

}  // namespace eddy
