#include "integrations_pq/database.hpp"
#include "support/run_bounded.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace eddy::pq::notification_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::run_bounded;
using test::connect_locally;

/// Until somebody listens to the channel: other sessions see that by nothing but what arrives.
task<notification> first_of(connection& listener, connection& sender, const std::string& channel) {
    auto reported = listener.listen(channel);
    const auto wait = [&]() -> task<notification> {
        auto first = co_await reported.next();
        co_return std::move(*first);
    };
    auto waiting = spawn(wait());
    while (!waiting.done())
        co_await sender.notify(channel, "hello");
    co_return co_await waiting;
}

TEST(notification, comes_with_its_payload) {
    const auto main = []() -> task<> {
        auto listener = co_await connect_locally();
        auto sender = co_await connect_locally();
        const auto reported = co_await first_of(listener, sender, "A \"strange\" channel");
        EXPECT_EQ(reported.channel, "A \"strange\" channel");
        EXPECT_EQ(reported.payload, "hello");
        EXPECT_EQ(reported.process_id, sender.process_id());
    };
    run_bounded(main());
}

TEST(notification, comes_in_order_and_once) {
    const auto main = []() -> task<> {
        auto listener = co_await connect_locally();
        auto sender = co_await connect_locally();
        std::vector<std::string> channels = {"orders", "items"};
        auto reported = listener.listen(std::move(channels));
        const auto wait = [&]() -> task<> {
            for (int number = -1; number < 1000; ++number) {
                const auto next = co_await reported.next();
                EXPECT_EQ(next->payload, std::to_string(number));
                EXPECT_EQ(next->channel, number % 2 == 0 ? "items" : "orders");
            }
        };
        auto waiting = spawn(wait());
        bool listens = false;
        while (!listens) {
            const auto state = co_await sender.query(
                "select query like 'listen%items%' and state = 'idle' from pg_stat_activity where pid = $1",
                listener.process_id());
            listens = state.one<bool>();  // to the second channel, and so to both
        }
        for (int number = -1; number < 1000; ++number)
            co_await sender.notify(number % 2 == 0 ? "items" : "orders", std::to_string(number));
        co_await with_timeout(std::move(waiting), 20s);
    };
    run_bounded(main());
}

TEST(notification, is_heard_no_more_when_the_generator_is_dropped) {
    const auto main = []() -> task<> {
        auto listener = co_await connect_locally();
        auto sender = co_await connect_locally();
        co_await first_of(listener, sender, "dropped");
        const auto channels = co_await listener.query("select count(*) from pg_listening_channels()");
        EXPECT_EQ(channels.one<int>(), 0);
    };
    run_bounded(main());
}

TEST(notification, ends_with_the_connection) {
    const auto main = []() -> task<> {
        auto listener = co_await connect_locally();
        auto other = co_await connect_locally();
        auto reported = listener.listen("nothing");
        const auto wait = [&]() -> task<> { co_await reported.next(); };
        auto waiting = spawn(wait());
        bool listens = false;
        while (!listens) {
            const auto state = co_await other.query(
                "select query like 'listen%' and state = 'idle' from pg_stat_activity where pid = $1",
                listener.process_id());
            listens = state.one<bool>();
        }
        co_await other.query("select pg_terminate_backend($1)", listener.process_id());
        const auto ended = co_await as_result(with_timeout(std::move(waiting), 5s));
        EXPECT_EQ(ended.error(), errc::connection_lost);
        EXPECT_FALSE(listener.is_open());
    };
    run_bounded(main());
}

}  // namespace
}  // namespace eddy::pq::notification_test
