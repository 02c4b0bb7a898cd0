// Tasks that speak through channels and oneshots, and choose between them.

#include "scenarios/parts.hpp"
#include "support/scenario_suite.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/select.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/sync/channel.hpp>
#include <eddy/sync/oneshot.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <system_error>
#include <tuple>
#include <utility>
#include <variant>

namespace eddy::test::channels_test {
namespace {

using namespace std::chrono_literals;

// An item that is missed if it is lost.
struct parcel {
    explicit parcel(int number) : value(number), own(std::make_unique<tracked>()) {}
    int value;
    std::unique_ptr<tracked> own;
};

task<> sends_parcels(channel<parcel>& target, int from, int count) {
    const tracked local;
    for (int at = from; at < from + count; ++at) {
        const bool is_sent = co_await target.send(parcel(at));
        require(is_sent, "the channel was closed");
    }
}

task<int> sums_parcels(channel<parcel>& source) {
    const tracked local;
    int sum = 0;
    while (const auto item = co_await source.recv())
        sum += item->value;
    co_return sum;
}

task<> sends_and_closes(channel<parcel>& target, int count) {
    co_await when_all(sends_parcels(target, 0, count), sends_parcels(target, count, count));
    target.close();
}

/// Two that send and two that receive at the same time.
task<> exchanges_through(std::size_t capacity) {
    channel<parcel> parcels(capacity);
    const auto [nothing, one, other] =
        co_await when_all(sends_and_closes(parcels, 4), sums_parcels(parcels), sums_parcels(parcels));
    static_cast<void>(nothing);
    require(one + other == 28, "a parcel was lost or came twice");
}

task<> exchanges_in_meetings() {
    co_await exchanges_through(0);
}
task<> exchanges_through_a_narrow_channel() {
    co_await exchanges_through(1);
}
task<> exchanges_without_a_limit() {
    co_await exchanges_through(channel<parcel>::no_limit);
}

task<> receives_one(channel<parcel>& source, int& sum) {
    const tracked local;
    const auto item = co_await source.recv();
    require(item.has_value(), "the channel was closed");
    sum += item->value;
}

/// Receivers are dropped before and after they have been handed something.
task<> receivers_that_are_dropped() {
    channel<parcel> parcels(2);
    int sum = 0;
    for (int time = 0; time < 3; ++time) {
        auto first = spawn(receives_one(parcels, sum), "first");
        auto second = spawn(receives_one(parcels, sum), "second");
        co_await yield();
        co_await sends_parcels(parcels, 1, 2);
        (time == 0 ? second : first).cancel();
        if (time == 2)
            second.cancel();
        co_await yields(2);
    }
    // What no receiver has taken is there.
    parcels.close();
    sum += co_await sums_parcels(parcels);
    require(sum == 9, "a parcel was lost or came twice");
}

task<> sends_that_are_late() {
    channel<parcel> parcels(0);
    auto sending = parcels.send(parcel(5));
    const auto late = co_await as_result(with_timeout(sending, 50us));
    require_error(late, std::errc::timed_out, "somebody received");
    require(!sending.is_sent(), "it was sent to nobody");
    int sum = 0;
    auto receiving = spawn(receives_one(parcels, sum), "receiving");
    const bool is_sent = co_await sending;
    require(is_sent, "the channel was closed");
    co_await receiving;
    require(sum == 5, "another parcel came");
}

task<> closes_after_yields(channel<parcel>& closed, int count) {
    co_await yields(count);
    closed.close();
}

task<> a_channel_closed_on_who_waits() {
    channel<parcel> full(0);
    auto sending = full.send(parcel(1));
    const auto [is_sent, closed] = co_await when_all(sending, closes_after_yields(full, 2));
    static_cast<void>(closed);
    require(!is_sent && std::move(sending).item().value == 1, "a closed channel took something");
    channel<parcel> empty(1);
    const auto [nothing, sum] = co_await when_all(closes_after_yields(empty, 2), sums_parcels(empty));
    static_cast<void>(nothing);
    require(sum == 0, "a parcel came from nowhere");
}

/// Serves two channels until both are closed, with a timer that often wins.
task<int> selects_from(channel<parcel>& one, channel<parcel>& other) {
    const tracked local;
    int sum = 0;
    for (bool is_one_open = true; is_one_open;) {
        const auto winner = co_await select(one.recv(), other.recv(), sleep_for(20us));
        if (winner.index() == 2)
            continue;
        const auto& item = winner.index() == 0 ? std::get<0>(winner) : std::get<1>(winner);
        if (item)
            sum += item->value;
        is_one_open = item.has_value();
    }
    sum += co_await sums_parcels(one);
    sum += co_await sums_parcels(other);
    co_return sum;
}

task<> selects_between_channels() {
    channel<parcel> one(0);
    channel<parcel> other(1);
    const auto [first, second, sum] =
        co_await when_all(sends_and_closes(one, 2), sends_and_closes(other, 2), selects_from(one, other));
    static_cast<void>(first);
    static_cast<void>(second);
    require(sum == 12, "a parcel was lost or came twice");
}

task<int> asks(channel<oneshot_sender<int>>& questions) {
    const tracked local;
    oneshot<int> answer;
    const bool is_requested = co_await questions.send(std::move(answer.sender));
    require(is_requested, "no response came");
    co_return co_await answer.receiver;
}

task<> answers(channel<oneshot_sender<int>>& questions, int count) {
    const tracked local;
    for (int at = 0; at < count; ++at) {
        auto question = co_await questions.recv();
        co_await yield();
        question->send(7);
    }
}

task<> questions_and_answers() {
    channel<oneshot_sender<int>> questions(1);
    const auto [nothing, one, other] =
        co_await when_all(answers(questions, 2), asks(questions), asks(questions));
    static_cast<void>(nothing);
    require(one == 7 && other == 7, "another answer came");
    // A question that is dropped with its channel is answered, too.
    oneshot<int> lost;
    lost.sender = {};
    const auto outcome = co_await as_result(lost.receiver);
    require_error(outcome, std::errc::broken_pipe, "an answer came from nowhere");
}

task<> watches_its_receiver(oneshot_sender<int> sender) {
    const tracked local;
    const auto first = co_await race(sender.closed(), waits_for_long());
    require(first.index() == 0, "an hour has passed");
}

task<> a_receiver_that_goes() {
    oneshot<int> answer;
    auto watching = spawn(watches_its_receiver(std::move(answer.sender)), "watching");
    const auto late = co_await as_result(with_timeout(answer.receiver, 50us));
    if (!late && late.error() == std::errc::broken_pipe)
        co_await watching;  // which has failed, so that its sender is gone
    require_error(late, std::errc::timed_out, "an answer came");
    answer.receiver = {};
    co_await watching;
}

task<> sends_from_elsewhere(std::shared_ptr<channel<parcel>> target) {
    const tracked local;
    bool is_open = true;
    for (int at = 0; is_open && at < 4; ++at)
        is_open = co_await target->send(parcel(at));
    if (is_open)
        target->close();
}

task<> parcels_from_another_worker() {
    // What another worker sends, it frees the memory of, so it is closed before it is left.
    const auto parcels = std::make_shared<channel<parcel>>(1);
    auto there = runtime::current().spawn_on(1, sends_from_elsewhere(parcels));
    // Together, so that this one goes on if memory is out for the other.
    const auto sum = co_await when_all(sums_parcels(*parcels), std::move(there));
    require(std::get<0>(sum) == 6, "a parcel was lost or came twice");
}

const scenario_suite listed({
    listed_scenario("exchanges_in_meetings", &exchanges_in_meetings).suspensions_min(8),
    listed_scenario("exchanges_through_a_narrow_channel", &exchanges_through_a_narrow_channel)
        .suspensions_min(6),
    listed_scenario("exchanges_without_a_limit", &exchanges_without_a_limit).suspensions_min(1),
    listed_scenario("receivers_that_are_dropped", &receivers_that_are_dropped).suspensions_min(9),
    listed_scenario("sends_that_are_late", &sends_that_are_late).suspensions_min(2),
    listed_scenario("a_channel_closed_on_who_waits", &a_channel_closed_on_who_waits).suspensions_min(4),
    listed_scenario("selects_between_channels", &selects_between_channels).suspensions_min(6),
    listed_scenario("questions_and_answers", &questions_and_answers).suspensions_min(4),
    listed_scenario("a_receiver_that_goes", &a_receiver_that_goes).suspensions_min(2),
    listed_scenario("parcels_from_another_worker", &parcels_from_another_worker).workers(2),
});

}  // namespace
}  // namespace eddy::test::channels_test
