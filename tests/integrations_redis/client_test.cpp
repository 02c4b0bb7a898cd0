#include "support/redis_server.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/integrations/redis/client.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::redis::client_test {
namespace {

using namespace std::chrono_literals;
using test::run_bounded;

/// What a client has told.
class event_log {
public:
    event_handler handler() {
        return [this](const connection_event& event) { kinds.push_back(event.what); };
    }
    std::vector<connection_event::kind> kinds;
};

TEST(a_client, connects_once_for_all_who_ask) {
    run_bounded([]() -> task<> {
        test::redis_server server;
        client used(server.options());
        EXPECT_FALSE(used.is_connected());
        std::vector<task<reply>> all;
        for (int count = 0; count < 50; ++count)
            all.push_back(used.command("INCR", "count"));
        co_await when_all(std::move(all));
        const reply count = co_await used.command("GET", "count");
        EXPECT_EQ(count.as<int>(), 50);
        const reply clients = co_await used.command("CLIENT", "LIST");
        EXPECT_EQ(std::ranges::count(clients.text(), '\n'), 1);
    }());
}

TEST(a_client, fails_fast_while_the_server_is_away_and_recovers_by_itself) {
    run_bounded([]() -> task<> {
        test::redis_server server;
        event_log log;
        client used(server.options().pauses(10ms, 40ms).on_event(log.handler()));
        co_await used.command("SET", "a", 1);
        server.stop();
        for (int attempt = 0; attempt < 3; ++attempt) {
            const auto refused = co_await as_result(used.command("GET", "a"));
            EXPECT_FALSE(refused.has_value());
        }
        EXPECT_FALSE(used.is_connected());
        server.start();
        bool is_back = false;
        while (!is_back) {
            const auto answer = co_await as_result(used.command("SET", "a", 2));
            is_back = answer.has_value();
            co_await test::turns(1);
        }
        using kind = connection_event::kind;
        EXPECT_EQ(log.kinds.front(), kind::connected);
        EXPECT_EQ(log.kinds.at(1), kind::lost);
        EXPECT_EQ(log.kinds.at(2), kind::refused);
        EXPECT_EQ(log.kinds.back(), kind::connected);
    }());
}

TEST(a_client_with_patience, waits_for_a_server_that_comes_back) {
    run_bounded([]() -> task<> {
        test::redis_server server;
        client used(server.options().pauses(5ms, 20ms).patience(60s));
        co_await used.command("SET", "a", 1);
        server.stop();
        const auto lost = co_await as_result(used.command("PING"));  // which finds the loss out, or waits
        static_cast<void>(lost);
        auto waiting = spawn(used.command("SET", "b", 1));
        co_await test::turns(50);
        EXPECT_FALSE(waiting.done());
        server.start();
        const reply answer = co_await waiting;
        EXPECT_TRUE(answer.as<bool>());
    }());
}

TEST(a_wrong_password, is_told_at_once_even_with_patience) {
    run_bounded([]() -> task<> {
        test::redis_server server({"--requirepass", "secret"});
        client used(server.options().password("guess").patience(60s));
        std::string code;
        try {
            co_await used.command("PING");
        } catch (const error& refused) {
            code = refused.code();
        }
        EXPECT_EQ(code, "WRONGPASS");
    }());
}

TEST(a_command_that_blocks, holds_nobody_up_and_gives_up_when_it_is_dropped) {
    run_bounded([]() -> task<> {
        test::redis_server server;
        client used(server.options());
        auto dropped = spawn(used.blocking("BLPOP", "queue", 0));
        auto waits = [](client& requested) -> task<bool> {
            const reply info = co_await requested.command("INFO", "clients");
            co_return info.text().find("blocked_clients:1") != std::string::npos;
        };
        for (bool is_blocked = false; !is_blocked;)
            is_blocked = co_await waits(used);
        dropped.cancel();
        for (bool is_blocked = true; is_blocked;)
            is_blocked = co_await waits(used);

        auto popped = spawn(used.blocking("BLPOP", "queue", 0));
        for (bool is_blocked = false; !is_blocked;)
            is_blocked = co_await waits(used);
        co_await used.command("RPUSH", "queue", "item");
        const reply got = co_await popped;
        EXPECT_EQ((got.as<std::pair<std::string, std::string>>().second), "item");
        const reply left = co_await used.command("LLEN", "queue");
        EXPECT_EQ(left.as<int>(), 0);
    }());
}

TEST(connections_of_their_own, are_limited_and_used_again) {
    run_bounded([]() -> task<> {
        test::redis_server server;
        client used(server.options().dedicated_connections_max(2));
        auto first = co_await used.dedicated_connection();
        auto second = co_await used.dedicated_connection();
        const reply id = co_await first->command("CLIENT", "ID");
        const auto third = co_await as_result(with_timeout(used.dedicated_connection(), 20ms));
        EXPECT_FALSE(third.has_value());
        std::move(first).give_back();
        auto again = co_await used.dedicated_connection();
        const reply same = co_await again->command("CLIENT", "ID");
        EXPECT_EQ(id, same);

        {
            const auto closed = std::move(second);  // without giving it back
        }
        auto fresh = co_await used.dedicated_connection();
        const reply other = co_await fresh->command("CLIENT", "ID");
        EXPECT_GT(other.as<int>(), id.as<int>() + 1);
    }());
}

TEST(an_optimistic_transaction, is_tried_until_nobody_came_between) {
    run_bounded([]() -> task<> {
        test::redis_server server;
        client used(server.options());
        co_await used.command("SET", "balance", 10);
        auto add = [](client& bank, int amount) -> task<> {
            for (;;) {
                auto own = co_await bank.dedicated_connection();
                co_await own->command("WATCH", "balance");
                const reply before = co_await own->command("GET", "balance");
                pipeline change;
                change.add("SET", "balance", before.as<int>() + amount);
                const auto done = co_await as_result(own->transact(change));
                std::move(own).give_back();
                if (done)
                    co_return;
            }
        };
        std::vector<task<>> all;
        for (int amount = 1; amount <= 10; ++amount)
            all.push_back(add(used, amount));
        co_await when_all(std::move(all));
        const reply balance = co_await used.command("GET", "balance");
        EXPECT_EQ(balance.as<int>(), 65);
    }());
}

}  // namespace
}  // namespace eddy::redis::client_test
