#include "explore/explorer.hpp"
#include "explore/model_worker.hpp"
#include "explore/stepwise.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/sync/channel.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

// Numbered items go through a channel; each is received, drained at the end, or refused, and that once.
//
// A channel takes many steps, so every schedule is tried where one end does without waiting; elsewhere those
// that take the turn from a thread which could go on 1 to 3 times, waiting apart.

namespace eddy::explore::channel_test {
namespace {

constexpr std::size_t numbers_max = 4;
constexpr std::size_t unbounded = channel<int>::no_limit;

// What came of the items. Each field belongs to one thread at a time.
struct tally {
    std::array<int, numbers_max> sent{};
    std::array<int, numbers_max> refused{};
    std::array<int, numbers_max> received{};
};

template <std::size_t Capacity>
struct queue {
    std::array<model_worker, 3> workers;
    channel<int> items{Capacity};
    tally count;
};

template <class State>
task<> send(State& shared, int number) {
    const bool is_sent = co_await shared.items.send(number);
    ++(is_sent ? shared.count.sent : shared.count.refused)[number];
}
template <class State, int... Numbers>
task<> send_all(State& shared, bool closes) {
    (co_await send(shared, Numbers), ...);
    if (closes)
        shared.items.close();
}
template <class State, int... Numbers>
void send_numbers(State& shared) {
    shared.workers[current_thread()].run(send_all<State, Numbers...>(shared, false));
}
template <class State, int... Numbers>
void send_numbers_and_close(State& shared) {
    shared.workers[current_thread()].run(send_all<State, Numbers...>(shared, true));
}

template <class State>
task<> receive_one(State& shared) {
    const std::optional<int> item = co_await shared.items.recv();
    if (item)
        ++shared.count.received[*item];
}
template <class State>
task<> receive_until_closed(State& shared, bool is_in_order) {
    for (int last = -1;;) {
        const std::optional<int> item = co_await shared.items.recv();
        if (!item)
            co_return;
        ++shared.count.received[*item];
        EXPLORE_CHECK(!is_in_order || *item > last);
        last = *item;
    }
}
template <class State>
void receive_all(State& shared) {
    shared.workers[current_thread()].run(receive_until_closed(shared, false));
}
// As they come from one sender.
template <class State>
void receive_all_in_order(State& shared) {
    shared.workers[current_thread()].run(receive_until_closed(shared, true));
}
// The same for threads that are no workers, which leave less to explore.
template <class State, int Number, bool Closes = false>
void send_from_a_thread(State& shared) {
    ++(shared.items.send_blocking(Number) ? shared.count.sent : shared.count.refused)[Number];
    if (Closes)
        shared.items.close();
}
template <class State>
void receive_on_a_thread(State& shared) {
    while (const std::optional<int> item = shared.items.recv_blocking())
        ++shared.count.received[*item];
}
template <class State>
void close(State& shared) {
    shared.items.close();
}

// Requires: closed.
template <class State>
void drain(State& shared) {
    EXPLORE_CHECK(shared.items.is_closed());
    for (;;) {
        const auto item = shared.items.try_recv();
        if (!item)
            break;
        ++shared.count.received[*item];
    }
    EXPLORE_CHECK(shared.items.size() == 0);
}
template <class State>
void expect_each_sent_is_received(State& shared) {
    drain(shared);
    for (std::size_t number = 0; number < numbers_max; ++number) {
        EXPLORE_CHECK(shared.count.sent[number] == shared.count.received[number]);
        EXPLORE_CHECK(shared.count.sent[number] + shared.count.refused[number] <= 1);
    }
}

// The same model at each capacity.
template <class State>
class channel_of : public testing::Test {};
struct capacity_names {
    template <class State>
    static std::string GetName(int index) {
        return index == 0 ? "none" : index == 1 ? "one" : "unbounded";
    }
};
using capacities = testing::Types<queue<0>, queue<1>, queue<unbounded>>;
TYPED_TEST_SUITE(channel_of, capacities, capacity_names);

template <class State>
const char* named(const char* none, const char* one, const char* without_limit) {
    const State probe;
    return probe.items.capacity() == 0 ? none : probe.items.capacity() == 1 ? one : without_limit;
}
#define NAMED(text) named<TypeParam>("channel of 0, " text, "channel of 1, " text, "channel, " text)

TYPED_TEST(channel_of, brings_what_one_sends_to_one) {
    const result found =
        explore<TypeParam>(settings(NAMED("one to one")).preemptions(2),
                           {&send_numbers_and_close<TypeParam, 0>, &receive_all_in_order<TypeParam>},
                           &expect_each_sent_is_received<TypeParam>);
    EXPECT_TRUE(found.has_passed) << found.report;
}

TYPED_TEST(channel_of, brings_what_two_send_to_one) {
    const result found = explore<TypeParam>(
        settings(NAMED("two to one")).preemptions(1),
        {&send_from_a_thread<TypeParam, 0>, &send_from_a_thread<TypeParam, 1, true>, &receive_all<TypeParam>},
        &expect_each_sent_is_received<TypeParam>);
    EXPECT_TRUE(found.has_passed) << found.report;
}

TYPED_TEST(channel_of, brings_what_one_sends_to_two) {
    const result found =
        explore<TypeParam>(settings(NAMED("one to two")).preemptions(1),
                           {&send_from_a_thread<TypeParam, 0, true>, &receive_all_in_order<TypeParam>,
                            &receive_on_a_thread<TypeParam>},
                           &expect_each_sent_is_received<TypeParam>);
    EXPECT_TRUE(found.has_passed) << found.report;
}

TYPED_TEST(channel_of, may_be_closed_at_any_moment_of_a_send) {
    const result found = explore<TypeParam>(settings(NAMED("closed while sending")),
                                            {&send_numbers<TypeParam, 0, 1>, &close<TypeParam>},
                                            &expect_each_sent_is_received<TypeParam>);
    EXPECT_TRUE(found.has_passed) << found.report;
}

TYPED_TEST(channel_of, may_be_closed_at_any_moment_of_a_wait) {
    const result found =
        explore<TypeParam>(settings(NAMED("closed while receiving")).preemptions(1),
                           {&send_from_a_thread<TypeParam, 0>, &receive_all<TypeParam>, &close<TypeParam>},
                           &expect_each_sent_is_received<TypeParam>);
    EXPECT_TRUE(found.has_passed) << found.report;
}

// The receiver is dropped at one moment or another; what it has been handed goes to the next receiver.
template <class State, class Moment>
task<> drop_a_receiver(State& shared, Moment moment) {
    handle<> dropped = spawn(receive_one(shared));
    co_await moment();
    dropped.cancel();
    co_await receive_until_closed(shared, true);
}
template <class State>
void drop_waiting_receiver(State& shared) {
    shared.workers[current_thread()].run(drop_a_receiver(shared, [] { return yield(); }));
}
template <class State>
void drop_ready_receiver(State& shared) {
    auto& here = shared.workers[current_thread()];
    here.run(drop_a_receiver(shared, [&here] { return model_worker::next_turn(here); }));
}

TYPED_TEST(channel_of, passes_on_what_a_dropped_receiver_was_handed) {
    const result found =
        explore<TypeParam>(settings(NAMED("receiver dropped")).preemptions(2),
                           {&send_numbers_and_close<TypeParam, 0>, &drop_waiting_receiver<TypeParam>},
                           &expect_each_sent_is_received<TypeParam>);
    EXPECT_TRUE(found.has_passed) << found.report;
}

TYPED_TEST(channel_of, passes_on_what_a_receiver_was_handed_that_was_dropped_when_ready) {
    const result found =
        explore<TypeParam>(settings(NAMED("receiver dropped when ready")).preemptions(2),
                           {&send_numbers_and_close<TypeParam, 0>, &drop_ready_receiver<TypeParam>},
                           &expect_each_sent_is_received<TypeParam>);
    EXPECT_TRUE(found.has_passed) << found.report;
}

TYPED_TEST(channel_of, passes_on_to_another_worker_what_a_dropped_receiver_was_handed) {
    const result found =
        explore<TypeParam>(settings(NAMED("receiver dropped, another waits")).preemptions(1),
                           {&send_from_a_thread<TypeParam, 0, true>, &drop_waiting_receiver<TypeParam>,
                            &receive_on_a_thread<TypeParam>},
                           &expect_each_sent_is_received<TypeParam>);
    EXPECT_TRUE(found.has_passed) << found.report;
}

// The sender is dropped; its operation, which is kept, shows what became of the item.
template <class State>
task<> await_sending(send_operation<int>& sending) {
    static_cast<void>(co_await sending);
}
template <class State>
task<> drop_a_sender(State& shared) {
    send_operation<int> sending = shared.items.send(0);
    {
        handle<> dropped = spawn(await_sending<State>(sending));
        co_await yield();
    }
    if (sending.is_sent())
        ++shared.count.sent[0];
    co_await send(shared, 1);
    shared.items.close();
}
template <class State>
void drop_waiting_sender(State& shared) {
    shared.workers[current_thread()].run(drop_a_sender(shared));
}

TYPED_TEST(channel_of, has_sent_the_item_of_a_dropped_sender_or_has_not) {
    const result found =
        explore<TypeParam>(settings(NAMED("sender dropped")).preemptions(2),
                           {&drop_waiting_sender<TypeParam>, &receive_all_in_order<TypeParam>},
                           &expect_each_sent_is_received<TypeParam>);
    EXPECT_TRUE(found.has_passed) << found.report;
}

TYPED_TEST(channel_of, serves_threads_that_are_no_workers) {
    const auto sender = [](TypeParam& shared) {
        EXPLORE_CHECK(shared.items.send_blocking(0));
        ++shared.count.sent[0];
    };
    const auto receiver = [](TypeParam& shared) {
        const std::optional<int> item = shared.items.recv_blocking();
        ++shared.count.received[item.value()];
        shared.items.close();
    };
    const result found = explore<TypeParam>(settings(NAMED("threads block")).preemptions(3),
                                            {sender, receiver}, &expect_each_sent_is_received<TypeParam>);
    EXPECT_TRUE(found.has_passed) << found.report;
}

// Two wait on one worker, and the channel is closed before the first has taken out what it was handed.
template <class State>
task<> receive_twice(State& shared) {
    handle<> first = spawn(receive_until_closed(shared, true));
    handle<> second = spawn(receive_until_closed(shared, true));
    co_await first;
    co_await second;
}

TYPED_TEST(channel_of, ends_who_waits_behind_a_receiver_that_was_handed_an_item) {
    const auto receivers = [](TypeParam& shared) { shared.workers[0].run(receive_twice(shared)); };
    const result found = explore<TypeParam>(settings(NAMED("two wait at one")).preemptions(2),
                                            {receivers, &send_from_a_thread<TypeParam, 0, true>},
                                            &expect_each_sent_is_received<TypeParam>);
    EXPECT_TRUE(found.has_passed) << found.report;
}

// The receiver ends after the first item, which makes room for the second.
TEST(channel, lets_a_sender_go_on_once_there_is_room) {
    using state = queue<1>;
    const auto receiver = [](state& shared) { shared.workers[1].run(receive_one(shared)); };
    const result found = explore<state>(settings("channel, room").preemptions(2),
                                        {&send_numbers<state, 0, 1>, receiver}, [](state& shared) {
                                            shared.items.close();
                                            expect_each_sent_is_received(shared);
                                        });
    EXPECT_TRUE(found.has_passed) << found.report;
}

// The receiver of the last item destroys the channel, while the sender may still be in try_send().
template <std::size_t Capacity>
struct destroyed_by_the_receiver {
    model_worker worker;
    std::optional<channel<int>> items{std::in_place, Capacity};
};
template <class State>
task<> receive_and_destroy(State& shared) {
    const std::optional<int> item = co_await shared.items->recv();
    EXPLORE_CHECK(item == 1);
    shared.items.reset();
}

TEST(channel, may_be_destroyed_by_who_has_received_the_last_item) {
    using state = destroyed_by_the_receiver<1>;
    const auto receiver = [](state& shared) { shared.worker.run(receive_and_destroy(shared)); };
    const auto sender = [](state& shared) {
        EXPLORE_CHECK(shared.items->try_send(1) == try_send_result::sent);
    };
    const result found =
        explore<state>(settings("channel, destroyed by the receiver").preemptions(3), {receiver, sender});
    EXPECT_TRUE(found.has_passed) << found.report;
}

struct stepwise_queue {
    std::array<model_worker, 2> workers;
    channel<stepwise> items{1};
};
task<> receive_stepwise(stepwise_queue& shared, int first, int last) {
    for (int expected = first; expected <= last; ++expected) {
        const std::optional<stepwise> item = co_await shared.items.recv();
        EXPLORE_CHECK(item->number() == expected);
    }
}
// The first goes beforehand, so the ring has been allocated, and the other one takes the usual way.
task<> send_stepwise(stepwise_queue& shared) {
    const bool is_sent = co_await shared.items.send(stepwise(2));
    EXPLORE_CHECK(is_sent);
}

TEST(channel, shows_an_item_once_it_is_whole) {
    const auto receiver = [](stepwise_queue& shared) {
        shared.workers[0].run(receive_stepwise(shared, 1, 2));
    };
    const auto sender = [](stepwise_queue& shared) {
        EXPLORE_CHECK(shared.items.try_send(stepwise(1)) == try_send_result::sent);
        shared.workers[1].run(send_stepwise(shared));
    };
    const result found =
        explore<stepwise_queue>(settings("channel, items of steps").preemptions(2), {receiver, sender});
    EXPECT_TRUE(found.has_passed) << found.report;
}

}  // namespace
}  // namespace eddy::explore::channel_test
