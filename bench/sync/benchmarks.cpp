// eddy's synchronisation primitives beside those of the standard library, and its channel beside Boost.Asio's:
// tinyCoro's pairs, with one participant to a processor (two at least), and the throughput of channels.
#include "measure/benchmark.hpp"
#include "sync/channel_rounds.hpp"
#include "sync/primitive_rounds.hpp"
#include "sync/throughput.hpp"

#include <algorithm>

namespace bench {
namespace {

constexpr const char* threads_std = "threads_std";
constexpr const char* tasks_std = "tasks_std";
constexpr const char* tasks_eddy = "tasks_eddy";

std::size_t processors() {
    return std::max(2u, std::thread::hardware_concurrency());
}

template <class Round>
subject on_threads(const char* name, round_size size) {
    return {name, [size](double seconds) { return rounds_on_threads<Round>(seconds, size); }};
}

template <class Round>
subject on_workers(const char* name, round_size size) {
    return {name, [size](double seconds) { return rounds_on_workers<Round>(seconds, size); }};
}

// A blocking primitive on threads and on workers, and eddy's.
template <class StdRound, class EddyRound>
benchmark three_forms(std::string name, std::string about, const char* item, round_size size) {
    return {.name = std::move(name),
            .about = std::move(about),
            .item = item,
            .subjects = {on_threads<StdRound>(threads_std, size), on_workers<StdRound>(tasks_std, size),
                         on_workers<EddyRound>(tasks_eddy, size)}};
}

benchmark mutexes(std::string name, const char* about, round_size size) {
    benchmark made = three_forms<std_mutex_round, eddy_mutex_round>(std::move(name), about, "lock", size);
    made.subjects.push_back(on_threads<spinlock_round>("threads_spinlock", size));
    made.subjects.push_back(on_workers<spinlock_round>("tasks_spinlock", size));
    return made;
}

// What is done once a round, with busy loops of that many turns.
void add_single(std::vector<benchmark>& to, int turns, const std::string& suffix) {
    const round_size once{.participants = processors(), .busy_turns = turns, .items = 1};
    const round_size each_once{.participants = once.participants,
                               .busy_turns = turns,
                               .items = static_cast<std::int64_t>(once.participants)};
    to.push_back(three_forms<std_event_round, eddy_event_round>(
        "event" + suffix, "one sets, the others wait; against promise and future", "round", once));
    to.push_back(three_forms<std_latch_round, eddy_latch_round>("latch" + suffix,
                                                                "half count down, half wait", "round", once));
    to.push_back(three_forms<std_latch_round, eddy_wait_group_round>(
        "wait_group" + suffix, "half are done, half wait; against std::latch", "round", once));
    to.push_back(mutexes("mutex" + suffix, "each locks once", each_once));
    to.push_back(three_forms<std_condition_round<notified::all>, eddy_condition_round<notified::all>>(
        "condition_all" + suffix, "each waits for its turn once, all are notified", "turn", each_once));
}

void add_repeated(std::vector<benchmark>& to) {
    const auto participants = static_cast<std::int64_t>(processors());
    to.push_back(mutexes("mutex_contended", "each locks 1000 times, for 100 additions each",
                         {.participants = processors(), .busy_turns = 100, .items = 1000 * participants}));
    to.push_back(three_forms<std_condition_round<notified::one>, eddy_condition_round<notified::one>>(
        "condition_one", "two take turns, 1000 each", "turn", {.participants = 2, .items = 2000}));
    for (const int fillings : {100, 10'000}) {
        const round_size size{.participants = 2,
                              .items = fillings * static_cast<std::int64_t>(channel_capacity)};
        const std::string suffix = "/" + std::to_string(size.items);
        const std::string about = ", 16 places, so many a round; against a queue, a mutex and a condition";
        to.push_back(three_forms<std_channel_round<int>, eddy_channel_round<int>>(
            "channel_int" + suffix, "integers" + about, "integer", size));
        to.push_back(three_forms<std_channel_round<std::string>, eddy_channel_round<std::string>>(
            "channel_string" + suffix, "texts of 1 KiB" + about, "text", size));
    }
}

}  // namespace

benchmarks measured_benchmarks() {
    benchmarks made{compared::wall_clock, {}};
    add_single(made.all, 100, "/100");
    add_single(made.all, 100'000, "/100k");
    add_repeated(made.all);
    made.all.push_back({.name = "throughput_across",
                        .about = "one by one through 1024 places, to another thread or worker",
                        .item = "integer",
                        .subjects = {{threads_std, std_queue_across_threads},
                                     {"asio_channel", asio_channel_across_threads},
                                     {tasks_eddy, eddy_channel_across_workers}}});
    made.all.push_back({.name = "throughput_within",
                        .about = "one by one through 1024 places, within one thread or worker",
                        .item = "integer",
                        .is_single_threaded = true,
                        .subjects = {{"asio_channel", asio_channel_on_one_thread},
                                     {tasks_eddy, eddy_channel_on_one_worker}}});
    return made;
}

}  // namespace bench
