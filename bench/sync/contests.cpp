#include "sync/contests.hpp"

#include "sync/channel_games.hpp"
#include "sync/condition_games.hpp"
#include "sync/event_games.hpp"
#include "sync/latch_games.hpp"
#include "sync/mutex_games.hpp"
#include "sync/throughput.hpp"

#include <algorithm>
#include <thread>

namespace bench {
namespace {

constexpr const char* threads_std = "threads_std";
constexpr const char* tasks_std = "tasks_std";
constexpr const char* tasks_eddy = "tasks_eddy";

std::size_t processors() {
    return std::max(2u, std::thread::hardware_concurrency());
}

template <class Game>
contender on_threads(const char* name, game_size size) {
    return {name, [size](double seconds) { return play_on_threads<Game>(seconds, size); }};
}

template <class Game>
contender on_workers(const char* name, game_size size) {
    return {name, [size](double seconds) { return play_on_workers<Game>(seconds, size); }};
}

// A blocking primitive on threads and on workers, and eddy's.
template <class StdGame, class EddyGame>
contest three_forms(std::string name, std::string about, std::string item, game_size size) {
    return {.name = std::move(name),
            .about = std::move(about),
            .item = std::move(item),
            .contenders = {on_threads<StdGame>(threads_std, size), on_workers<StdGame>(tasks_std, size),
                           on_workers<EddyGame>(tasks_eddy, size)}};
}

contest mutex_contest(std::string name, std::string about, game_size size) {
    contest made =
        three_forms<std_mutex_game, eddy_mutex_game>(std::move(name), std::move(about), "lock", size);
    made.contenders.push_back(on_threads<spinlock_game>("threads_spinlock", size));
    made.contenders.push_back(on_workers<spinlock_game>("tasks_spinlock", size));
    return made;
}

// The contests of what is done once a round, with busy loops of that many turns.
void add_single_contests(std::vector<contest>& to, int turns, const std::string& suffix) {
    const game_size once{.players = processors(), .busy_turns = turns, .items = 1};
    const game_size each_once{
        .players = once.players, .busy_turns = turns, .items = static_cast<std::int64_t>(once.players)};
    to.push_back(three_forms<std_event_game, eddy_event_game>(
        "event" + suffix, "one sets, the others wait; against promise and future", "round", once));
    to.push_back(three_forms<std_latch_game, eddy_latch_game>("latch" + suffix, "half count down, half wait",
                                                              "round", once));
    to.push_back(three_forms<std_latch_game, eddy_wait_group_game>(
        "wait_group" + suffix, "half are done, half wait; against std::latch", "round", once));
    to.push_back(mutex_contest("mutex" + suffix, "each locks once", each_once));
    to.push_back(three_forms<std_condition_game<notified::all>, eddy_condition_game<notified::all>>(
        "condition_all" + suffix, "each waits for its turn once, all are notified", "turn", each_once));
}

void add_repeated_contests(std::vector<contest>& to) {
    const auto players = static_cast<std::int64_t>(processors());
    to.push_back(mutex_contest("mutex_contended", "each locks 1000 times, for 100 additions each",
                               {.players = processors(), .busy_turns = 100, .items = 1000 * players}));
    to.push_back(three_forms<std_condition_game<notified::one>, eddy_condition_game<notified::one>>(
        "condition_one", "two take turns, 1000 each", "turn", {.players = 2, .items = 2000}));
}

void add_channel_contests(std::vector<contest>& to) {
    for (const int fillings : {100, 10'000}) {
        const game_size size{.players = 2, .items = fillings * static_cast<std::int64_t>(channel_capacity)};
        const std::string suffix = "/" + std::to_string(size.items);
        const std::string about = ", 16 places, so many a round; against a queue, a mutex and a condition";
        to.push_back(three_forms<std_channel_game<int>, eddy_channel_game<int>>(
            "channel_int" + suffix, "integers" + about, "integer", size));
        to.push_back(three_forms<std_channel_game<std::string>, eddy_channel_game<std::string>>(
            "channel_string" + suffix, "texts of 1 KiB" + about, "text", size));
    }
}

void add_throughput_contests(std::vector<contest>& to) {
    to.push_back({.name = "throughput_across",
                  .about = "one by one through 1024 places, to another thread or worker",
                  .item = "integer",
                  .contenders = {{threads_std, std_queue_across_threads},
                                 {"asio_channel", asio_channel_across_threads},
                                 {tasks_eddy, eddy_channel_across_workers}}});
    to.push_back({.name = "throughput_within",
                  .about = "one by one through 1024 places, within one thread or worker",
                  .item = "integer",
                  .is_single_threaded = true,
                  .contenders = {{"asio_channel", asio_channel_on_one_thread},
                                 {tasks_eddy, eddy_channel_on_one_worker}}});
}

}  // namespace

suite sync_suite() {
    suite made{.program = "eddy-bench-sync",
               .about = "Measures synchronisation between threads and between tasks.",
               .bases = {threads_std, tasks_std, "asio_channel"},
               .contests = {}};
    add_single_contests(made.contests, 100, "/100");
    add_single_contests(made.contests, 100'000, "/100k");
    add_repeated_contests(made.contests);
    add_channel_contests(made.contests);
    add_throughput_contests(made.contests);
    return made;
}

}  // namespace bench
