#include "support/redis_server.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/integrations/redis/client.hpp>
#include <eddy/integrations/redis/subscriber.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace eddy::redis::subscriber_test {
namespace {

using namespace std::chrono_literals;
using test::run_bounded;

TEST(a_subscriber, receives_what_is_published_on_its_channels_and_patterns) {
    run_bounded([]() -> task<> {
        test::redis_server server;
        client used(server.options());
        subscriber news(server.options());
        co_await news.subscribe("weather");
        co_await news.subscribe_pattern("sport.*");
        EXPECT_TRUE(news.is_connected());
        co_await used.command("PUBLISH", "weather", std::string("rain\0and sun", 12));
        co_await used.command("PUBLISH", "elsewhere", "nothing");
        co_await used.command("PUBLISH", "sport.chess", "e4");

        auto messages = news.messages();
        const auto first = co_await messages.next();
        EXPECT_EQ(first->channel, "weather");
        EXPECT_EQ(first->pattern, "");
        EXPECT_EQ(first->payload, std::string("rain\0and sun", 12));
        const auto second = co_await messages.next();
        EXPECT_EQ(second->channel, "sport.chess");
        EXPECT_EQ(second->pattern, "sport.*");
        EXPECT_EQ(second->payload, "e4");
    }());
}

TEST(subscriptions, may_be_added_and_removed_at_any_time) {
    run_bounded([]() -> task<> {
        test::redis_server server;
        client used(server.options());
        subscriber news(server.options());
        auto waiting = spawn([](subscriber& from) -> task<std::string> {
            const auto next = co_await from.receive();
            co_return next->channel;
        }(news));
        co_await news.subscribe("a");
        co_await news.subscribe("b");
        news.unsubscribe("a");
        co_await news.subscribe("c");  // confirmed behind the end of "a"
        const reply nobody = co_await used.command("PUBLISH", "a", "1");
        EXPECT_EQ(nobody.as<int>(), 0);
        co_await used.command("PUBLISH", "b", "2");
        const std::string from = co_await waiting;
        EXPECT_EQ(from, "b");
        co_await news.subscribe("a");
        const reply one = co_await used.command("PUBLISH", "a", "3");
        EXPECT_EQ(one.as<int>(), 1);
    }());
}

TEST(a_dropped_receive, loses_no_message) {
    run_bounded([]() -> task<> {
        test::redis_server server;
        client used(server.options());
        subscriber news(server.options());
        co_await news.subscribe("a");
        for (int number = 0; number < 200; ++number) {
            co_await used.command("PUBLISH", "a", number);
            auto dropped = spawn([](subscriber& from) -> task<> { co_await from.receive(); }(news));
            dropped.cancel();
        }
        for (int number = 0; number < 200; ++number) {
            const auto next = co_await news.receive();
            EXPECT_EQ(next->payload, std::to_string(number));
        }
    }());
}

TEST(a_subscriber, subscribes_again_when_the_server_comes_back_and_says_so) {
    run_bounded([]() -> task<> {
        test::redis_server server;
        client used(server.options().pauses(5ms, 20ms).patience(60s));
        std::vector<connection_event::kind> reported;
        subscriber news(server.options().pauses(5ms, 20ms).on_event(
            [&](const connection_event& what) { reported.push_back(what.what); }));
        co_await news.subscribe("a");
        co_await news.subscribe_pattern("b.*");
        server.stop();
        co_await test::turns_until([&news] { return !news.is_connected(); });
        auto later = spawn(news.subscribe("c"));
        server.start();
        co_await test::turns_until([&news] { return news.is_connected(); });
        co_await later;
        for (const char* channel : {"a", "b.x", "c"}) {
            std::optional<reply> receivers;
            while (!receivers) {  // the client may still have to find out that its connection is lost
                auto answer = co_await as_result(used.command("PUBLISH", channel, channel));
                if (answer)
                    receivers = *std::move(answer);
            }
            EXPECT_EQ(receivers->as<int>(), 1) << channel;
            const auto next = co_await news.receive();
            EXPECT_EQ(next->payload, channel);
        }
        EXPECT_EQ(reported.front(), connection_event::kind::connected);
        EXPECT_EQ(reported.at(1), connection_event::kind::lost);
        EXPECT_EQ(reported.back(), connection_event::kind::connected);
    }());
}

TEST(a_slow_receiver, leaves_messages_with_the_server) {
    run_bounded([]() -> task<> {
        test::redis_server server;
        client used(server.options());
        subscriber news(server.options(), 4);
        co_await news.subscribe("a");
        const std::string large(10'000, 'x');
        for (int number = 0; number < 300; ++number)
            co_await used.command("PUBLISH", "a", std::to_string(number) + large);
        auto messages = news.messages();
        for (int number = 0; number < 300; ++number) {
            const auto next = co_await messages.next();
            EXPECT_EQ(next->payload, std::to_string(number) + large);
        }
    }());
}

TEST(a_subscriber_with_a_wrong_password, ends_with_that_error) {
    run_bounded([]() -> task<> {
        test::redis_server server({"--requirepass", "secret"});
        subscriber news(server.options().password("guess"));
        auto waiting = spawn(news.subscribe("a"));
        auto messages = news.messages();
        std::string code;
        try {
            co_await messages.next();
        } catch (const error& refused) {
            code = refused.code();
        }
        EXPECT_EQ(code, "WRONGPASS");
        bool is_refused = false;
        try {
            co_await waiting;
        } catch (const error&) {
            is_refused = true;
        }
        EXPECT_TRUE(is_refused);
    }());
}

TEST(a_subscriber_to_a_silent_server, connects_anew) {
    run_bounded([]() -> task<> {
        test::redis_server server;
        int lost = 0;
        subscriber news(server.options().health_interval(20ms).health_timeout(60ms).on_event(
            [&](const connection_event& what) { lost += what.what == connection_event::kind::lost; }));
        co_await news.subscribe("a");
        server.suspend();
        co_await test::turns_until([&lost] { return lost != 0; });
        server.go_on();
        co_await news.subscribe("a");
        EXPECT_TRUE(news.is_connected());
    }());
}

}  // namespace
}  // namespace eddy::redis::subscriber_test
