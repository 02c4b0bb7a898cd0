#pragma once

#include "sync/busy_loop.hpp"
#include "sync/play.hpp"

#include <eddy/detail/spinlock.hpp>
#include <eddy/sync/mutex.hpp>

#include <cstdint>
#include <mutex>

namespace bench {

// Every player takes the lock its share of the round's items, with a busy loop under it.
template <class Mutex>
class blocking_mutex_game {
public:
    explicit blocking_mutex_game(game_size size) : size_(size) {}

    void play(std::size_t) {
        for (std::int64_t left = size_.items_per_player(); left > 0; --left) {
            const std::lock_guard lock(mutex_);
            busy_loop(size_.busy_turns);
        }
    }

private:
    game_size size_;
    Mutex mutex_;
};

using std_mutex_game = blocking_mutex_game<std::mutex>;
using spinlock_game = blocking_mutex_game<eddy::detail::spinlock>;

class eddy_mutex_game {
public:
    explicit eddy_mutex_game(game_size size) : size_(size) {}

    eddy::task<> play(std::size_t) {
        for (std::int64_t left = size_.items_per_player(); left > 0; --left) {
            const auto lock = co_await mutex_.lock();
            busy_loop(size_.busy_turns);
        }
    }

private:
    game_size size_;
    eddy::mutex mutex_;
};

}  // namespace bench
