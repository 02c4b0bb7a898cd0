#pragma once

#include "sync/busy_loop.hpp"
#include "sync/play.hpp"

#include <eddy/sync/latch.hpp>
#include <eddy/sync/wait_group.hpp>

#include <cstddef>
#include <latch>

namespace bench {

// The second half of the players wait until the first half have counted down.
inline std::size_t count_of(game_size size) {
    return size.players / 2;
}

class std_latch_game {
public:
    explicit std_latch_game(game_size size)
        : size_(size), latch_(static_cast<std::ptrdiff_t>(count_of(size))) {}

    void play(std::size_t player) {
        if (player < count_of(size_)) {
            busy_loop(size_.busy_turns);
            latch_.count_down();
        } else {
            latch_.wait();
            busy_loop(size_.busy_turns);
        }
    }

private:
    game_size size_;
    std::latch latch_;
};

class eddy_latch_game {
public:
    explicit eddy_latch_game(game_size size) : size_(size), latch_(count_of(size)) {}

    eddy::task<> play(std::size_t player) {
        if (player < count_of(size_)) {
            busy_loop(size_.busy_turns);
            latch_.count_down();
        } else {
            co_await latch_.wait();
            busy_loop(size_.busy_turns);
        }
    }

private:
    game_size size_;
    eddy::latch latch_;
};

class eddy_wait_group_game {
public:
    explicit eddy_wait_group_game(game_size size) : size_(size) { group_.add(count_of(size)); }

    eddy::task<> play(std::size_t player) {
        if (player < count_of(size_)) {
            busy_loop(size_.busy_turns);
            group_.done();
        } else {
            co_await group_.wait();
            busy_loop(size_.busy_turns);
        }
    }

private:
    game_size size_;
    eddy::wait_group group_;
};

}  // namespace bench
