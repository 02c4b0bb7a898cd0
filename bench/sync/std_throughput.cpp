#include "sync/throughput.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

namespace bench {
namespace {

// A channel by hand.
class bounded_queue {
public:
    void send(int value) {
        std::unique_lock lock(mutex_);
        has_room_.wait(lock, [&] { return values_.size() < throughput_capacity; });
        values_.push_back(value);
        lock.unlock();
        has_value_.notify_one();
    }
    std::optional<int> receive() {
        std::unique_lock lock(mutex_);
        has_value_.wait(lock, [&] { return is_closed_ || !values_.empty(); });
        if (values_.empty())
            return std::nullopt;
        const int value = values_.front();
        values_.pop_front();
        lock.unlock();
        has_room_.notify_one();
        return value;
    }
    void close() {
        {
            const std::lock_guard lock(mutex_);
            is_closed_ = true;
        }
        has_value_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable has_room_, has_value_;
    std::deque<int> values_;
    bool is_closed_ = false;
};

}  // namespace

sample std_queue_across_threads(double seconds) {
    bounded_queue queue;
    std::int64_t received = 0;
    const stopwatch watch;
    std::thread receiver([&] {
        while (queue.receive())
            ++received;
    });
    std::int64_t sent = 0;
    for (const time_window window(seconds); !window.is_over(); sent += throughput_batch)
        for (int value = 0; value < throughput_batch; ++value)
            queue.send(value);
    queue.close();
    receiver.join();
    return received_all(watch, received, sent);
}

}  // namespace bench
