#pragma once

#include "support/moment.hpp"

#include <eddy/io/detail/blocking_executor.hpp>
#include <eddy/runtime/detail/offload_pool.hpp>

#include <atomic>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

// What tests of the offload pool post to it.

namespace eddy::test {

/// An item made of a function, and when it ended. It outlives the pool.
class work_item : public io::blocking_item {
public:
    explicit work_item(std::function<void()> work) : blocking_item(&run_item), work_(std::move(work)) {}

    /// Until it has run. The item must not be posted again afterwards.
    void wait() const noexcept { ended_.wait(); }
    [[nodiscard]] int runs() const noexcept { return runs_; }

private:
    static void run_item(io::blocking_item& item) noexcept {
        auto& self = static_cast<work_item&>(item);
        ++self.runs_;
        self.work_();
        self.ended_.come();
    }

    std::function<void()> work_;
    std::atomic<int> runs_{0};
    moment ended_;
};

/// Holds a thread of the pool back from its construction to release().
class holder {
public:
    holder()
        : item_([this] {
              begun_.come();
              released_.wait();
          }) {}
    /// Returns once a thread is held.
    void hold(offload_pool& pool, work_kind kind = work_kind::short_running) {
        pool.submit(item_, kind);
        begun_.wait();
    }
    void release() { released_.come(); }
    [[nodiscard]] io::blocking_item& item() noexcept { return item_; }
    [[nodiscard]] bool has_begun() const noexcept { return begun_.has_come(); }

private:
    moment begun_;
    moment released_;
    work_item item_;
};

/// Numbers in the order in which threads noted them.
class order_of_runs {
public:
    std::function<void()> note(int number) {
        return [this, number] {
            const std::lock_guard guard(mutex_);
            noted_.push_back(number);
        };
    }
    [[nodiscard]] std::vector<int> noted() {
        const std::lock_guard guard(mutex_);
        return noted_;
    }

private:
    std::mutex mutex_;
    std::vector<int> noted_;
};

}  // namespace eddy::test
