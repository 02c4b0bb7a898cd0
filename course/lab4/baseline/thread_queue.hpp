#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace baseline {

/// What threads pass items by: a queue with a mutex and two condition variables, at whose ends threads block.
template <class T>
class thread_queue {
public:
    explicit thread_queue(std::size_t capacity) : capacity_(capacity) {}

    void send(T item) {
        std::unique_lock guard(lock_);
        has_room_.wait(guard, [&] { return items_.size() < capacity_; });
        items_.push_back(std::move(item));
        has_items_.notify_one();
    }

    T receive() {
        std::unique_lock guard(lock_);
        has_items_.wait(guard, [&] { return !items_.empty(); });
        T item = std::move(items_.front());
        items_.pop_front();
        has_room_.notify_one();
        return item;
    }

private:
    const std::size_t capacity_;
    std::mutex lock_;
    std::condition_variable has_items_;
    std::condition_variable has_room_;
    std::deque<T> items_;
};

/// Sends `count` items from one thread to another, and back.
inline void ping_pong(int count) {
    thread_queue<int> there(1);
    thread_queue<int> back(1);
    std::thread echo([&] {
        for (int at = 0; at < count; ++at)
            back.send(there.receive());
    });
    for (int at = 0; at < count; ++at) {
        there.send(at);
        static_cast<void>(back.receive());
    }
    echo.join();
}

}  // namespace baseline
