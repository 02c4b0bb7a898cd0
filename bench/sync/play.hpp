#pragma once

#include "contest/sample.hpp"
#include "sync/thread_pool.hpp"

#include <eddy/eddy.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace bench {

// How a contest of the sync suite is played: in rounds, each with a new object of a class that has
//   explicit game(game_size)
//   void play(std::size_t player)              or, of primitives that eddy's tasks wait for,
//   eddy::task<> play(std::size_t player)
// Each of the players is on a worker of its own. A round is over once all have played.
struct game_size {
    std::size_t players = 2;
    int busy_turns = 0;      // how long what is done before, after or under the lock takes
    std::int64_t items = 1;  // what a round counts for

    std::int64_t items_per_player() const { return items / static_cast<std::int64_t>(players); }
};

template <class Game>
concept played_by_tasks = requires(Game& game, std::size_t player) {
    { game.play(player) } -> std::same_as<eddy::task<>>;
};

// Threads of the standard library.
template <class Game>
sample play_on_threads(double seconds, game_size size) {
    thread_pool pool(size.players);
    std::int64_t rounds = 0;
    const stopwatch watch;
    const time_window window(seconds);
    for (; !window.is_over(); ++rounds) {
        Game game(size);
        for (std::size_t player = 0; player < size.players; ++player)
            pool.submit(player, [&game, player] { game.play(player); });
        pool.run();
    }
    return watch.stop(rounds * size.items);
}

template <class Game>
eddy::task<> player_task(Game& game, std::size_t player) {
    if constexpr (played_by_tasks<Game>)
        co_await game.play(player);
    else
        game.play(player);  // blocks the worker, which has nothing else to do
}

template <class Game>
eddy::task<> play_round(game_size size) {
    Game game(size);
    eddy::runtime& here = eddy::runtime::current();
    std::vector<eddy::remote_handle<>> others;
    for (std::size_t player = 1; player < size.players; ++player)
        others.push_back(here.spawn_on(player, player_task(game, player)));
    co_await player_task(game, 0);
    for (eddy::remote_handle<>& other : others)
        co_await other;
}

template <class Game>
eddy::task<sample> play_rounds(double seconds, game_size size) {
    std::int64_t rounds = 0;
    const stopwatch watch;
    const time_window window(seconds);
    for (; !window.is_over(); ++rounds)
        co_await play_round<Game>(size);
    co_return watch.stop(rounds * size.items);
}

// Tasks of eddy.
template <class Game>
sample play_on_workers(double seconds, game_size size) {
    return eddy::run(play_rounds<Game>(seconds, size), eddy::runtime_options().workers(size.players));
}

}  // namespace bench
