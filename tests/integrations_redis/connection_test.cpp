#include "support/redis_server.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/integrations/redis/connection.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/stream/duplex.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::redis::connection_test {
namespace {

using namespace std::chrono_literals;
using test::run_bounded;

/// One for all tests of this file; each test begins with an empty database.
test::redis_server& server() {
    static test::redis_server started;
    return started;
}

task<connection> fresh_connection() {
    connection made = co_await connection::open(server().options());
    co_await made.command("FLUSHALL");
    co_return made;
}

template <class Body>
void with_connection(Body body) {
    run_bounded([](Body run_body) -> task<> {
        connection used = co_await fresh_connection();
        co_await run_body(used);
    }(std::move(body)));
}

/// The code word of what the server refuses with.
task<std::string> refusal(task<reply> requested) {
    try {
        co_await std::move(requested);
    } catch (const error& refused) {
        co_return std::string(refused.code());
    }
    co_return "";
}

TEST(a_command, gives_what_the_server_answers) {
    with_connection([](connection& used) -> task<> {
        const reply set = co_await used.command("SET", "greeting", "hello");
        EXPECT_EQ(set.kind(), reply_kind::status);
        EXPECT_EQ(set.text(), "OK");
        const reply got = co_await used.command("GET", "greeting");
        EXPECT_EQ(got.as<std::string>(), "hello");
        const reply none = co_await used.command("GET", "nothing");
        EXPECT_EQ(none.as<std::optional<std::string>>(), std::nullopt);
        const reply sum = co_await used.command("INCRBY", "count", 41);
        EXPECT_EQ(sum.as<std::int64_t>(), 41);
        const std::map<std::string, int> fields{{"a", 1}, {"b", 2}};
        const reply added = co_await used.command("HSET", "hash", fields);
        EXPECT_EQ(added.as<int>(), 2);
        const reply all = co_await used.command("HGETALL", "hash");
        EXPECT_EQ((all.as<std::map<std::string, int>>()), fields);
    });
}

TEST(arguments, may_be_any_bytes) {
    with_connection([](connection& used) -> task<> {
        std::string all;
        for (int byte = 0; byte < 256; ++byte)
            all.push_back(static_cast<char>(byte));
        co_await used.command("SET", all, all + "\r\n$3\r\n");
        const reply got = co_await used.command("GET", all);
        EXPECT_EQ(got.as<std::string>(), all + "\r\n$3\r\n");
        co_await used.command("SET", "", "");
        const reply empty = co_await used.command("GET", "");
        EXPECT_EQ(empty.as<std::string>(), "");
    });
}

TEST(a_large_value, goes_both_ways) {
    with_connection([](connection& used) -> task<> {
        const std::string large(20'000'000, 'x');
        co_await used.command("SET", "large", large);
        const reply got = co_await used.command("GET", "large");
        EXPECT_TRUE(got.text() == large);
    });
}

TEST(an_error, comes_with_the_servers_code_word_and_disturbs_nobody) {
    with_connection([](connection& used) -> task<> {
        co_await used.command("SET", "text", "x");
        const std::string wrong = co_await refusal(used.command("LPUSH", "text", "y"));
        EXPECT_EQ(wrong, "WRONGTYPE");
        const std::string unknown = co_await refusal(used.command("NONSENSE"));
        EXPECT_EQ(unknown, "ERR");
        const reply after = co_await used.command("GET", "text");
        EXPECT_EQ(after.as<std::string>(), "x");
    });
}

TEST(many_tasks, share_a_connection_and_each_gets_its_own_reply) {
    with_connection([](connection& used) -> task<> {
        std::vector<task<>> all;
        for (int number = 0; number < 200; ++number) {
            all.push_back([](connection& shared, int mine) -> task<> {
                for (int round = 0; round < 20; ++round) {
                    const std::string said = std::to_string(mine) + ":" + std::to_string(round);
                    const reply echoed = co_await shared.command("ECHO", said);
                    EXPECT_EQ(echoed.text(), said);
                }
            }(used, number));
        }
        co_await when_all(std::move(all));
        EXPECT_EQ(used.replies_awaited(), 0U);
    });
}

TEST(a_dropped_command, has_its_reply_discarded_and_disturbs_nobody) {
    with_connection([](connection& used) -> task<> {
        server().suspend();  // so that nothing is answered before it is dropped
        auto before = spawn(used.command("ECHO", "before"));
        auto dropped = spawn(used.command("ECHO", "dropped"));
        auto after = spawn(used.command("ECHO", "after"));
        co_await test::turns_until([&used] { return used.replies_awaited() == 3; });
        dropped.cancel();
        server().go_on();
        const reply first = co_await before;
        const reply third = co_await after;
        EXPECT_EQ(first.text(), "before");
        EXPECT_EQ(third.text(), "after");
        EXPECT_EQ(used.replies_awaited(), 0U);
    });
}

TEST(a_command_that_is_too_late, is_dropped_by_its_timeout_and_the_connection_goes_on) {
    with_connection([](connection& used) -> task<> {
        server().suspend();
        const auto late = co_await as_result(with_timeout(used.command("PING"), 30ms));
        server().go_on();
        EXPECT_EQ(late.error(), std::errc::timed_out);
        const reply next = co_await used.command("ECHO", "next");
        EXPECT_EQ(next.text(), "next");
    });
}

TEST(a_pipeline, gives_all_replies_in_order_with_errors_in_their_places) {
    with_connection([](connection& used) -> task<> {
        pipeline batch;
        batch.add("SET", "a", 1).add("LPUSH", "a", "x").add("INCR", "a");
        const auto answers = co_await used.run(batch);
        EXPECT_EQ(answers.size(), 3U);
        EXPECT_TRUE(answers.at(0).as<bool>());
        EXPECT_TRUE(answers.at(1).is_error());
        EXPECT_THROW(static_cast<void>(answers.at(1).as<int>()), error);
        EXPECT_EQ(answers.at(2).as<int>(), 2);
        const auto none = co_await used.run(pipeline());
        EXPECT_TRUE(none.empty());
    });
}

TEST(a_transaction, is_executed_as_a_whole_or_not_at_all) {
    with_connection([](connection& used) -> task<> {
        pipeline batch;
        batch.add("SET", "a", 1).add("INCR", "a");
        const auto answers = co_await used.transact(batch);
        EXPECT_EQ(answers.size(), 2U);
        EXPECT_EQ(answers.at(1).as<int>(), 2);

        batch.add("NONSENSE");
        std::string code;
        try {
            co_await used.transact(batch);
        } catch (const error& refused) {
            code = refused.code();
        }
        EXPECT_EQ(code, "EXECABORT");
        const reply a = co_await used.command("GET", "a");
        EXPECT_EQ(a.as<int>(), 2);
    });
}

TEST(a_transaction, is_not_executed_after_a_watched_key_has_changed) {
    with_connection([](connection& used) -> task<> {
        connection other = co_await connection::open(server().options());
        co_await used.command("SET", "a", 1);
        co_await used.command("WATCH", "a");
        co_await other.command("SET", "a", 5);
        pipeline batch;
        batch.add("INCR", "a");
        const auto outcome = co_await as_result(used.transact(batch));
        EXPECT_EQ(outcome.error(), client_error::aborted);
        const auto again = co_await used.transact(batch);
        EXPECT_EQ(again.at(0).as<int>(), 6);
    });
}

TEST(a_reply_beyond_the_limits, ends_the_connection_for_all_who_wait) {
    run_bounded([]() -> task<> {
        connection filling = co_await fresh_connection();
        const std::string large(100'000, 'x');
        co_await filling.command("SET", "large", large);
        auto narrow = server().options().limits(reply_limits().bytes_max(20'000));
        connection used = co_await connection::open(narrow);
        auto first = spawn(used.command("GET", "large"));
        co_await yield();  // it begins
        auto second = spawn(used.command("PING"));
        const auto refused = co_await as_result(first);
        EXPECT_EQ(refused.error(), client_error::limit_exceeded);
        const auto behind = co_await as_result(second);
        EXPECT_EQ(behind.error(), client_error::limit_exceeded);
        EXPECT_FALSE(used.is_open());
        const auto later = co_await as_result(used.command("PING"));
        EXPECT_EQ(later.error(), client_error::limit_exceeded);
    }());
}

TEST(commands_that_wait_for_room, go_on_when_the_connection_fails) {
    run_bounded([]() -> task<> {
        connection used = co_await connection::open(server().options().send_buffer_bytes(1000));
        server().suspend();
        std::vector<handle<reply>> all;
        const std::string large(8'000'000, 'x');  // more than the sockets hold
        for (int count = 0; count < 5; ++count)
            all.push_back(spawn(used.command("SET", "large", large)));
        co_await test::turns(20);
        used.close();
        for (auto& each : all) {
            const auto outcome = co_await as_result(each);
            EXPECT_EQ(outcome.error(), client_error::closed);
        }
        server().go_on();
    }());
}

TEST(a_server_that_goes, gives_an_error_to_all_who_wait) {
    run_bounded([]() -> task<> {
        test::redis_server leaving;
        connection used = co_await connection::open(leaving.options());
        auto blocked = spawn(used.command("BLPOP", "nothing", 0));
        co_await test::turns_until([&used] { return used.replies_awaited() == 1; });
        leaving.stop();
        const auto outcome = co_await as_result(blocked);
        EXPECT_FALSE(outcome.has_value());
        EXPECT_FALSE(used.is_open());
    }());
}

TEST(a_server_that_is_silent, is_found_out) {
    run_bounded([]() -> task<> {
        test::redis_server hanging;
        connection used =
            co_await connection::open(hanging.options().health_interval(20ms).health_timeout(60ms));
        const reply lively = co_await used.command("PING");
        EXPECT_EQ(lively.text(), "PONG");
        hanging.suspend();
        co_await test::turns_until([&used] { return !used.is_open(); });  // by the PING of its own
        const auto outcome = co_await as_result(used.command("PING"));
        EXPECT_EQ(outcome.error(), client_error::silent);
    }());
}

TEST(a_reply_to_nothing, ends_the_connection_before_a_command_can_get_it) {
    run_bounded([]() -> task<> {
        for (const std::string_view words : {"+OK\r\n", "-ERR max number of clients reached\r\n"}) {
            auto [here, there] = duplex(1000);
            connection used{any_stream(std::move(here)), options().health_interval(duration::max())};
            co_await there.write_all(as_bytes(words));
            co_await test::turns(5);
            EXPECT_FALSE(used.is_open()) << words;
            if (words.starts_with('-')) {
                EXPECT_EQ(co_await refusal(used.command("PING")), "ERR");
            } else {
                const auto later = co_await as_result(used.command("PING"));
                EXPECT_EQ(later.error(), client_error::protocol);
            }
        }
    }());
}

TEST(a_connection, introduces_itself) {
    run_bounded([]() -> task<> {
        test::redis_server guarded({"--requirepass", "open sesame"});
        const std::string wrong = co_await refusal([](const test::redis_server& at) -> task<reply> {
            connection used = co_await connection::open(at.options().password("guess"));
            co_return co_await used.command("PING");
        }(guarded));
        EXPECT_EQ(wrong, "WRONGPASS");
        const std::string none = co_await refusal([](const test::redis_server& at) -> task<reply> {
            connection used = co_await connection::open(at.options());
            co_return co_await used.command("PING");
        }(guarded));
        EXPECT_EQ(none, "NOAUTH");

        const auto url = "redis://:open%20sesame@127.0.0.1:" + std::to_string(guarded.port()) + "/3";
        connection used = co_await connection::open(options::from_url(url).client_name("visitor"));
        co_await used.command("SET", "a", 1);
        const reply info = co_await used.command("CLIENT", "INFO");
        EXPECT_NE(info.text().find("name=visitor"), std::string::npos);
        EXPECT_NE(info.text().find("db=3"), std::string::npos);
    }());
}

TEST(a_connection, may_be_made_over_a_local_socket) {
    run_bounded([]() -> task<> {
        const auto url = "unix://" + server().socket_path() + "?db=2";
        connection used = co_await connection::open(options::from_url(url));
        const reply info = co_await used.command("CLIENT", "INFO");
        EXPECT_NE(info.text().find("db=2"), std::string::npos);
    }());
}

}  // namespace
}  // namespace eddy::redis::connection_test
