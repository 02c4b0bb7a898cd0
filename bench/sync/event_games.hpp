#pragma once

#include "sync/busy_loop.hpp"
#include "sync/play.hpp"

#include <eddy/sync/event.hpp>

#include <future>

namespace bench {

// The last player sets what the others wait for, each with a busy loop before or after.
class std_event_game {
public:
    explicit std_event_game(game_size size) : size_(size) {}

    void play(std::size_t player) {
        if (player + 1 < size_.players)
            return wait();
        busy_loop(size_.busy_turns);
        promise_.set_value();
    }

private:
    void wait() {
        future_.wait();
        busy_loop(size_.busy_turns);
    }

    game_size size_;
    std::promise<void> promise_;
    std::shared_future<void> future_ = promise_.get_future().share();
};

class eddy_event_game {
public:
    explicit eddy_event_game(game_size size) : size_(size) {}

    eddy::task<> play(std::size_t player) {
        if (player + 1 < size_.players) {
            co_await event_.wait();
            busy_loop(size_.busy_turns);
            co_return;
        }
        busy_loop(size_.busy_turns);
        event_.set();
    }

private:
    game_size size_;
    eddy::event<> event_;
};

}  // namespace bench
