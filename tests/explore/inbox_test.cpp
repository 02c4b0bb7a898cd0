#include "explore/explorer.hpp"
#include "explore/model_worker.hpp"

#include <eddy/core/detail/inbox_item.hpp>

#include <gtest/gtest.h>

#include <array>

// Messages to a worker that goes to sleep.

namespace eddy::explore::inbox_test {
namespace {

struct counted_message : detail::inbox_item {
    counted_message() noexcept : inbox_item(&receive) {}
    static void receive(inbox_item& item, bool) noexcept { ++static_cast<counted_message&>(item).received; }
    int received = 0;
};

struct mail {
    model_worker receiver;
    std::array<counted_message, 4> messages;
};

template <int Count>
void receive(mail& shared) {
    const model_worker::enter_guard here(shared.receiver);
    shared.receiver.turn_until([&] {
        int received = 0;
        for (const counted_message& each : shared.messages)
            received += each.received;
        return received == Count;
    });
}
template <int... At>
void send(mail& shared) {
    (shared.receiver.post(shared.messages[At]), ...);
}
void expect_once(mail& shared) {
    for (const counted_message& each : shared.messages)
        EXPLORE_CHECK(each.received <= 1);
}

TEST(inbox, loses_nothing_of_one_producer_and_wakes_each_sleep_once) {
    const result found = explore<mail>(settings("one producer"), {&receive<3>, &send<0, 1, 2>}, &expect_once);
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(inbox, loses_nothing_of_two_producers_and_wakes_each_sleep_once) {
    const result found =
        explore<mail>(settings("two producers"), {&receive<2>, &send<0>, &send<1>}, &expect_once);
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(inbox, gives_back_what_is_retracted) {
    struct retracted : mail {
        detail::atomic<bool> may_retract{false};
    };
    const auto receiver = [](retracted& shared) {
        const model_worker::enter_guard here(shared.receiver);
        shared.receiver.turn_until(
            [&] { return shared.may_retract.load() || shared.messages[0].received == 1; });
        if (shared.messages[0].received == 0)
            shared.receiver.retract(shared.messages[0]);
        shared.receiver.turn_until([&] { return shared.messages[1].received == 1; });
    };
    const auto sender = [](retracted& shared) {
        shared.receiver.post(shared.messages[0]);
        shared.may_retract.store(true);
        shared.receiver.post(shared.messages[1]);
    };
    const result found = explore<retracted>(settings("retraction"), {receiver, sender},
                                            [](retracted& shared) { expect_once(shared); });
    EXPECT_TRUE(found.has_passed) << found.report;
}

}  // namespace
}  // namespace eddy::explore::inbox_test
