#pragma once

#include <eddy/io/detail/blocking_executor.hpp>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace eddy::testing {

/// A blocking executor with one thread, which a test can hold back to have items posted but not begun.
class test_executor final : public io::blocking_executor {
public:
    test_executor() : thread_([this] { work(); }) {}
    ~test_executor() override {
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
            held_ = false;
        }
        changed_.notify_all();
        thread_.join();
    }

    void post(io::blocking_item& item) noexcept override {
        const std::lock_guard lock(mutex_);
        items_.push_back(&item);
        changed_.notify_all();
    }

    bool retract(io::blocking_item& item) noexcept override {
        const std::lock_guard lock(mutex_);
        return std::erase(items_, &item) != 0;
    }

    void hold() {
        const std::lock_guard lock(mutex_);
        held_ = true;
    }
    void abandon() {
        const std::lock_guard lock(mutex_);
        held_ = false;
        changed_.notify_all();
    }
    /// Waits until every item has run.
    void settle() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return items_.empty() && !running_; });
    }

private:
    void work() {
        std::unique_lock lock(mutex_);
        while (true) {
            changed_.wait(lock, [this] { return stopping_ || (!held_ && !items_.empty()); });
            if (items_.empty())
                return;
            io::blocking_item& item = *items_.front();
            items_.pop_front();
            running_ = true;
            lock.unlock();
            item.run(item);
            lock.lock();
            running_ = false;
            changed_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<io::blocking_item*> items_;
    bool held_ = false;
    bool running_ = false;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace eddy::testing
