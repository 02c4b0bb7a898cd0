#pragma once

#include "sync/busy_loop.hpp"
#include "sync/play.hpp"

#include <eddy/sync/condition_variable.hpp>
#include <eddy/sync/mutex.hpp>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace bench {

enum class notified { one, all };

template <notified Whom, class Condition>
void notify(Condition& changed) {
    if constexpr (Whom == notified::one)
        changed.notify_one();
    else
        changed.notify_all();
}

// The players come in turn, each its share of the round's items: a player waits for its turn, passes some
// time and gives the turn on. Requires: two players if one is notified.
template <notified Whom>
class std_condition_game {
public:
    explicit std_condition_game(game_size size) : size_(size) {}

    void play(std::size_t player) {
        for (std::int64_t left = size_.items_per_player(); left > 0; --left) {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return next_ == player; });
            busy_loop(size_.busy_turns);
            next_ = (player + 1) % size_.players;
            notify<Whom>(changed_);
        }
    }

private:
    game_size size_;
    std::size_t next_ = 0;
    std::mutex mutex_;
    std::condition_variable changed_;
};

template <notified Whom>
class eddy_condition_game {
public:
    explicit eddy_condition_game(game_size size) : size_(size) {}

    eddy::task<> play(std::size_t player) {
        const auto is_my_turn = [this, player] { return next_ == player; };
        for (std::int64_t left = size_.items_per_player(); left > 0; --left) {
            auto lock = co_await mutex_.lock();
            co_await changed_.wait(lock, is_my_turn);
            busy_loop(size_.busy_turns);
            next_ = (player + 1) % size_.players;
            notify<Whom>(changed_);
        }
    }

private:
    game_size size_;
    std::size_t next_ = 0;
    eddy::mutex mutex_;
    eddy::condition_variable changed_;
};

}  // namespace bench
