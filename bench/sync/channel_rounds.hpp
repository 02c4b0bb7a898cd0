#pragma once

#include "sync/rounds.hpp"

#include <eddy/sync/channel.hpp>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <queue>
#include <string>
#include <type_traits>

namespace bench {

constexpr std::size_t channel_capacity = 16;

// What is sent: a zero, or a text of 1 KiB.
template <class Item>
Item make_item() {
    if constexpr (std::is_same_v<Item, std::string>)
        return Item(1024, 'a');
    else
        return Item{};
}

// Participant 0 sends the round's items, participant 1 receives them. The sender fills the queue and the receiver
// empties it while they have the lock, as code written by hand would.
template <class Item>
class std_channel_round {
public:
    explicit std_channel_round(round_size size) : size_(size) {}

    void run(std::size_t participant) { participant == 0 ? send() : receive(); }

private:
    void send() {
        for (std::int64_t left = size_.items; left > 0;) {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return queue_.size() < channel_capacity; });
            for (; left > 0 && queue_.size() < channel_capacity; --left)
                queue_.push(make_item<Item>());
            changed_.notify_all();
        }
    }
    void receive() {
        for (std::int64_t left = size_.items; left > 0;) {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return !queue_.empty(); });
            for (; !queue_.empty(); --left) {
                [[maybe_unused]] const Item item = std::move(queue_.front());
                queue_.pop();
            }
            changed_.notify_all();
        }
    }

    round_size size_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::queue<Item> queue_;
};

template <class Item>
class eddy_channel_round {
public:
    explicit eddy_channel_round(round_size size) : size_(size), channel_(channel_capacity) {}

    eddy::task<> run(std::size_t participant) { return participant == 0 ? send() : receive(); }

private:
    eddy::task<> send() {
        for (std::int64_t left = size_.items; left > 0; --left)
            co_await channel_.send(make_item<Item>());
        channel_.close();
    }
    eddy::task<> receive() {
        std::int64_t received = 0;
        while ([[maybe_unused]] const auto item = co_await channel_.recv())
            ++received;
        expect_all(size_.items, received, "received");
    }

    round_size size_;
    eddy::channel<Item> channel_;
};

}  // namespace bench
