#include "explore/explorer.hpp"
#include "explore/model_worker.hpp"
#include "explore/stepwise.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/sync/oneshot.hpp>

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <utility>

// A value on its way between two workers, while either end may be dropped. That nothing is freed early or twice
// is seen by the atomics of what the ends share; that nothing is left, by the end of each run.

namespace eddy::explore::oneshot_test {
namespace {

// Counts itself by an atomic that must not outlive the run.
struct parcel {
    detail::atomic<int> number{7};
};
using parcel_pointer = std::unique_ptr<parcel>;

struct ends {
    std::array<model_worker, 2> workers;
    oneshot<parcel_pointer> made;
    bool has_sent = false;
    bool has_received = false;
    bool has_ended = false;  // the receiver knows that nothing comes
};

task<> receive(ends& shared) {
    auto got = co_await as_result(shared.made.receiver);
    shared.has_received = got.has_value();
    shared.has_ended = !got.has_value();
    if (got)
        EXPLORE_CHECK((*got)->number.load() == 7);
}
void receive_at_first(ends& shared) {
    shared.workers[0].run(receive(shared));
}
task<> send(ends& shared) {
    auto sender = std::move(shared.made.sender);
    auto sent = std::make_unique<parcel>();
    shared.has_sent = sender.send(std::move(sent));
    EXPLORE_CHECK((sent == nullptr) == shared.has_sent);
    co_return;
}
void send_at_second(ends& shared) {
    shared.workers[1].run(send(shared));
}
void release_sender(ends& shared) {
    [[maybe_unused]] const auto gone = std::move(shared.made.sender);
}

TEST(oneshot, brings_what_is_sent) {
    const result found =
        explore<ends>(settings("oneshot, sent"), {&receive_at_first, &send_at_second},
                      [](ends& shared) { EXPLORE_CHECK(shared.has_sent && shared.has_received); });
    EXPECT_TRUE(found.has_passed) << found.report;
}

struct stepwise_ends {
    model_worker worker;
    oneshot<stepwise> made;
};
task<> receive_stepwise(stepwise_ends& shared) {
    auto got = co_await as_result(shared.made.receiver);
    EXPLORE_CHECK(got.has_value() && got->number() == 7);
}

TEST(oneshot, shows_a_value_once_it_is_whole) {
    const auto receiver = [](stepwise_ends& shared) { shared.worker.run(receive_stepwise(shared)); };
    const auto sender = [](stepwise_ends& shared) {
        auto sending = std::move(shared.made.sender);
        EXPLORE_CHECK(sending.send(stepwise(7)));
    };
    const result found = explore<stepwise_ends>(settings("oneshot, a value of steps"), {receiver, sender});
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(oneshot, tells_the_receiver_that_the_sender_has_gone) {
    const result found = explore<ends>(settings("oneshot, sender gone"), {&receive_at_first, &release_sender},
                                       [](ends& shared) { EXPLORE_CHECK(shared.has_ended); });
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(oneshot, serves_a_thread_that_is_no_worker) {
    const auto wait = [](ends& shared) {
        EXPLORE_CHECK(shared.made.receiver.wait_blocking()->number.load() == 7);
    };
    const result found = explore<ends>(settings("oneshot, a thread blocks"), {wait, &send_at_second},
                                       [](ends& shared) { EXPLORE_CHECK(shared.has_sent); });
    EXPECT_TRUE(found.has_passed) << found.report;
}

// The first wait is dropped at one moment or another; the second one finds the value.
template <class Moment>
task<> receive_again(ends& shared, Moment moment) {
    handle<> dropped = spawn(receive(shared));
    co_await moment();
    dropped.cancel();
    if (!shared.has_received)
        co_await receive(shared);
}

void receive_again_at_first(ends& shared) {
    shared.workers[0].run(receive_again(shared, [] { return yield(); }));
}
void receive_again_when_ready(ends& shared) {
    shared.workers[0].run(
        receive_again(shared, [&shared] { return model_worker::next_turn(shared.workers[0]); }));
}
void expect_received(ends& shared) {
    EXPLORE_CHECK(shared.has_sent && shared.has_received);
}

TEST(oneshot, keeps_the_value_when_a_wait_is_dropped) {
    const result found = explore<ends>(settings("oneshot, a wait dropped"),
                                       {&receive_again_at_first, &send_at_second}, &expect_received);
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(oneshot, keeps_the_value_when_a_wait_is_dropped_that_was_ready) {
    const result found = explore<ends>(settings("oneshot, a wait dropped when ready"),
                                       {&receive_again_when_ready, &send_at_second}, &expect_received);
    EXPECT_TRUE(found.has_passed) << found.report;
}

// The receiver goes with its wait: what is sent then is destroyed, or stays with the sender.
template <class Moment>
task<> drop_receiver(ends& shared, Moment moment) {
    handle<> dropped = spawn(receive(shared));
    co_await moment();
    dropped.cancel();
    [[maybe_unused]] const auto gone = std::move(shared.made.receiver);
}
void drop_receiver_at_first(ends& shared) {
    shared.workers[0].run(drop_receiver(shared, [] { return yield(); }));
}

TEST(oneshot, loses_nothing_when_the_receiver_goes) {
    const result found =
        explore<ends>(settings("oneshot, receiver gone"), {&drop_receiver_at_first, &send_at_second},
                      [](ends& shared) { EXPLORE_CHECK(shared.has_sent || !shared.has_received); });
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(oneshot, ends_when_both_halves_go) {
    const result found =
        explore<ends>(settings("oneshot, both gone"), {&drop_receiver_at_first, &release_sender});
    EXPECT_TRUE(found.has_passed) << found.report;
}

// The sender waits for the end of the receiver.
task<> wait_until_closed(ends& shared) {
    auto sender = std::move(shared.made.sender);
    co_await sender.closed();
    EXPLORE_CHECK(sender.is_closed());
    EXPLORE_CHECK(!sender.send(std::make_unique<parcel>()));
}

TEST(oneshot, tells_the_sender_that_the_receiver_has_gone) {
    const auto wait = [](ends& shared) { shared.workers[1].run(wait_until_closed(shared)); };
    const result found = explore<ends>(settings("oneshot, sender waits"), {&drop_receiver_at_first, wait});
    EXPECT_TRUE(found.has_passed) << found.report;
}

task<> wait_a_while(ends& shared) {
    handle<> dropped = spawn(wait_until_closed(shared));
    co_await yield();
    dropped.cancel();
}

TEST(oneshot, lets_a_sender_go_that_waits) {
    const auto wait = [](ends& shared) { shared.workers[1].run(wait_a_while(shared)); };
    const auto release_receiver = [](ends& shared) {
        [[maybe_unused]] const auto gone = std::move(shared.made.receiver);
    };
    const result found = explore<ends>(settings("oneshot, sender waits and goes"), {release_receiver, wait});
    EXPECT_TRUE(found.has_passed) << found.report;
}

}  // namespace
}  // namespace eddy::explore::oneshot_test
