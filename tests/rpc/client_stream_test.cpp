#include "rpc/rpc_origin.hpp"
#include "support/end_notice.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/yield.hpp>
#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace eddy::rpc::test::client_stream_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::end_notice;
using eddy::test::run_bounded;

constexpr auto method = "/test.Greeter/Do";

async_generator<std::string> count(server_call&, std::string up_to) {
    for (int value = 0; value < std::stoi(up_to); ++value)
        co_yield std::to_string(value);
}

async_generator<std::string> echo_all(server_call&, reader<std::string>& requests) {
    while (auto request = co_await requests.read())
        co_yield *request;
}

task<std::string> join(server_call&, reader<std::string>& requests) {
    std::string all;
    while (auto request = co_await requests.read())
        all += *request;
    co_return all;
}

task<std::string> read_all(async_generator<std::string> replies) {
    std::string all;
    while (auto reply = co_await replies.next())
        all += *reply + ",";
    co_return all;
}

TEST(rpc_client_stream, a_server_sends_any_number_of_replies) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        origin.greeter.add_server_streaming<std::string, std::string>("Do", count);
        const channel to = origin.connect();
        EXPECT_EQ("0,1,2,", co_await read_all(call_streaming<std::string>(to, method, std::string("3"))));
        EXPECT_EQ("", co_await read_all(call_streaming<std::string>(to, method, std::string("0"))));
        EXPECT_EQ(1U, origin.connected());
    }());
}

TEST(rpc_client_stream, replies_come_as_they_are_made) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        event<> go_on;
        origin.greeter.add_server_streaming<std::string, std::string>(
            "Do", [&](server_call&, std::string) -> async_generator<std::string> {
                co_yield "first";
                co_await go_on.wait();
                co_yield "second";
            });
        const channel to = origin.connect();
        auto replies = call_streaming<std::string>(to, method, std::string());
        EXPECT_EQ("first", co_await replies.next());
        go_on.set();
        EXPECT_EQ("second", co_await replies.next());
        EXPECT_EQ(std::nullopt, co_await replies.next());
    }());
}

TEST(rpc_client_stream, a_stream_of_replies_may_end_with_an_error) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        origin.greeter.add_server_streaming<std::string, std::string>(
            "Do", [](server_call&, std::string) -> async_generator<std::string> {
                co_yield "first";
                throw error(status_code::data_loss, "gone");
            });
        const channel to = origin.connect();
        auto replies = call_streaming<std::string>(to, method, std::string());
        EXPECT_EQ("first", co_await replies.next());
        EXPECT_EQ(status(status_code::data_loss, "gone"),
                  co_await status_of([](auto& from) -> task<> { co_await from.next(); }(replies)));
    }());
}

TEST(rpc_client_stream, a_generator_that_is_dropped_drops_the_handler) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        event<> dropped;
        origin.greeter.add_server_streaming<std::string, std::string>(
            "Do", [&](server_call&, std::string) -> async_generator<std::string> {
                const end_notice noticing(dropped);
                for (;;)
                    co_yield "again";
            });
        const channel to = origin.connect();
        {
            auto replies = call_streaming<std::string>(to, method, std::string());
            EXPECT_EQ("again", co_await replies.next());
        }
        co_await dropped.wait();
        EXPECT_EQ(1U, origin.connected());
    }());
}

TEST(rpc_client_stream, a_reader_that_waits_holds_the_server_back) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        int made = 0;
        origin.greeter.add_server_streaming<std::string, std::string>(
            "Do", [&](server_call&, std::string) -> async_generator<std::string> {
                for (; made < 1000; ++made)
                    co_yield std::string(10'000, 'x');
            });
        const channel to = origin.connect();
        auto replies = call_streaming<std::string>(to, method, std::string());
        static_cast<void>(co_await replies.next());
        for (int before = -1; before != made;) {
            before = made;
            for (int turn = 0; turn < 100; ++turn)
                co_await yield();
        }
        EXPECT_LT(made, 200);
        int read = 1;
        while (const auto reply = co_await replies.next())
            read += reply->size() == 10'000 ? 1 : 0;
        EXPECT_EQ(1000, read);
    }());
}

TEST(rpc_client_stream, a_client_sends_any_number_of_requests) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        origin.greeter.add_client_streaming<std::string, std::string>("Do", join);
        const channel to = origin.connect();
        auto requests = open_stream<std::string, std::string>(to, method);
        EXPECT_TRUE(co_await requests.write("a"));
        EXPECT_TRUE(co_await requests.write("b"));
        EXPECT_EQ("ab", co_await requests.finish());
        auto none = open_stream<std::string, std::string>(to, method);
        EXPECT_EQ("", co_await none.finish());
    }());
}

TEST(rpc_client_stream, a_server_that_waits_holds_the_writer_back) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        event<> go_on;
        origin.greeter.add_client_streaming<std::string, std::string>(
            "Do", [&](server_call& call, reader<std::string>& requests) -> task<std::string> {
                co_await go_on.wait();
                co_return co_await join(call, requests);
            });
        const channel to = origin.connect(channel_options().receive_bytes_max(std::size_t{1} << 24));
        auto requests = open_stream<std::string, std::string>(to, method);
        int written = 0;
        handle<> writing = spawn([](auto& stream, int& done) -> task<> {
            for (; done < 1000; ++done)
                EXPECT_TRUE(co_await stream.write(std::string(10'000, 'x')));
        }(requests, written));
        for (int before = -1; before != written;) {
            before = written;
            for (int turn = 0; turn < 100; ++turn)
                co_await yield();
        }
        EXPECT_LT(written, 200);
        go_on.set();
        co_await writing;
        EXPECT_EQ(10'000'000U, (co_await requests.finish()).size());
    }());
}

TEST(rpc_client_stream, a_server_may_end_a_call_before_all_requests_are_there) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        origin.greeter.add_client_streaming<std::string, std::string>(
            "Do", [](server_call&, reader<std::string>& requests) -> task<std::string> {
                co_return (co_await requests.read()).value_or("none");
            });
        const channel to = origin.connect();
        auto requests = open_stream<std::string, std::string>(to, method);
        EXPECT_TRUE(co_await requests.write("first"));
        EXPECT_EQ("first", co_await requests.read());
        EXPECT_EQ(std::nullopt, co_await requests.read());
        EXPECT_FALSE(co_await requests.write("second"));
    }());
}

TEST(rpc_client_stream, a_writer_learns_that_the_server_has_ended_the_call) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        origin.greeter.add_client_streaming<std::string, std::string>(
            "Do", [](server_call&, reader<std::string>&) -> task<std::string> {
                throw error(status_code::permission_denied);
                co_return "";
            });
        const channel to = origin.connect();
        auto requests = open_stream<std::string, std::string>(to, method);
        for (bool goes_on = true; goes_on;)
            goes_on = co_await requests.write(std::string(10'000, 'x'));
        EXPECT_EQ(status_code::permission_denied, co_await code_of(requests.finish()));
    }());
}

TEST(rpc_client_stream, both_sides_talk_in_turns) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        origin.greeter.add_bidirectional<std::string, std::string>("Do", echo_all);
        const channel to = origin.connect();
        auto talk = open_stream<std::string, std::string>(to, method);
        for (int round = 0; round < 20; ++round) {
            EXPECT_TRUE(co_await talk.write(std::to_string(round)));
            EXPECT_EQ(std::to_string(round), co_await talk.read());
        }
        co_await talk.finish_writing();
        EXPECT_EQ(std::nullopt, co_await talk.read());
    }());
}

TEST(rpc_client_stream, a_stream_that_is_dropped_drops_the_handler) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        event<> dropped;
        origin.greeter.add_bidirectional<std::string, std::string>(
            "Do", [&](server_call&, reader<std::string>& requests) -> async_generator<std::string> {
                const end_notice noticing(dropped);
                co_yield "ready";
                while (auto request = co_await requests.read())
                    EXPECT_EQ("", *request);
            });
        const channel to = origin.connect();
        {
            auto talk = open_stream<std::string, std::string>(to, method);
            EXPECT_EQ("ready", co_await talk.read());
        }
        co_await dropped.wait();
        EXPECT_EQ(1U, origin.connected());
    }());
}

TEST(rpc_client_stream, initial_metadata_come_before_the_first_reply) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        origin.greeter.add_bidirectional<std::string, std::string>(
            "Do", [&](server_call& call, reader<std::string>& requests) -> async_generator<std::string> {
                call.add_initial_metadata("first", "a");
                co_await call.send_initial_metadata();
                while (auto request = co_await requests.read())
                    co_yield *request;
                call.add_trailing_metadata("last", "z");
            });
        const channel to = origin.connect();
        auto talk = open_stream<std::string, std::string>(to, method);
        co_await talk.begin_reading();
        EXPECT_EQ("a", talk.initial_metadata().find("first"));
        EXPECT_TRUE(co_await talk.write("x"));
        EXPECT_EQ("x", co_await talk.read());
        co_await talk.finish_writing();
        EXPECT_EQ(std::nullopt, co_await talk.read());
        EXPECT_EQ("z", talk.trailing_metadata().find("last"));
    }());
}

TEST(rpc_client_stream, a_deadline_ends_a_stream_within) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        event<> dropped;
        origin.greeter.add_bidirectional<std::string, std::string>(
            "Do", [&](server_call&, reader<std::string>& requests) -> async_generator<std::string> {
                const end_notice noticing(dropped);
                while (auto request = co_await requests.read())
                    co_yield *request;
            });
        const channel to = origin.connect();
        auto talk = open_stream<std::string, std::string>(to, method, call_options().timeout(300ms));
        EXPECT_TRUE(co_await talk.write("x"));
        EXPECT_EQ("x", co_await talk.read());
        EXPECT_EQ(status_code::deadline_exceeded, co_await code_of(talk.read()));
        EXPECT_FALSE(co_await talk.write("y"));
        co_await dropped.wait();
    }());
}

TEST(rpc_client_stream, a_dropped_read_loses_no_reply) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        origin.greeter.add_bidirectional<std::string, std::string>("Do", echo_all);
        const channel to = origin.connect();
        auto talk = open_stream<std::string, std::string>(to, method);
        {
            handle<std::optional<std::string>> reading = spawn(talk.read());
            for (int turn = 0; turn < 20; ++turn)
                co_await yield();
        }
        EXPECT_TRUE(co_await talk.write("x"));
        EXPECT_EQ("x", co_await talk.read());
    }());
}

TEST(rpc_client_stream, without_a_connection_a_stream_is_unavailable) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        origin.refusals = 1'000'000;
        const channel to = origin.connect();
        auto talk = open_stream<std::string, std::string>(to, method);
        for (bool goes_on = true; goes_on;)
            goes_on = co_await talk.write("x");
        EXPECT_EQ(status_code::unavailable, co_await code_of(talk.read()));
        EXPECT_EQ(status_code::unavailable, co_await code_of(talk.finish()));
    }());
}

TEST(rpc_client_stream, requests_of_a_stream_are_compressed) {
    run_bounded([]() -> task<> {
        rpc_origin origin(services_options().compression(compression::gzip));
        origin.greeter.add_bidirectional<std::string, std::string>("Do", echo_all);
        const channel to = origin.connect(channel_options().compression(compression::gzip));
        auto talk = open_stream<std::string, std::string>(to, method);
        for (const std::size_t size : {0U, 1U, 1000U, 100'000U}) {
            EXPECT_TRUE(co_await talk.write(std::string(size, 'x')));
            EXPECT_EQ(std::string(size, 'x'), co_await talk.read());
        }
    }());
}

TEST(rpc_client_stream, messages_of_a_call_may_be_compressed_or_not) {
    run_bounded([]() -> task<> {
        rpc_origin origin(services_options().compression(compression::gzip));
        std::string seen;
        origin.greeter.add_bidirectional<std::string, std::string>(
            "Do", [&](server_call& call, reader<std::string>& requests) -> async_generator<std::string> {
                while (auto request = co_await requests.read()) {
                    seen += call.was_compressed() ? '1' : '0';
                    call.set_compression(seen.size() % 2 == 0 ? compression::gzip : compression::identity);
                    co_yield *request;
                }
            });
        const channel to = origin.connect();
        auto talk =
            open_stream<std::string, std::string>(to, method, call_options().compression(compression::gzip));
        std::string replies;
        for (const compression way : {compression::identity, compression::gzip, compression::identity}) {
            talk.set_compression(way);
            EXPECT_TRUE(co_await talk.write(std::string(1000, 'x')));
            EXPECT_TRUE(co_await talk.read());
            replies += talk.was_compressed() ? '1' : '0';
        }
        EXPECT_EQ("010", seen);
        // The first was identity, which the response's head then said.
        EXPECT_EQ("000", replies);
    }());
}

}  // namespace
}  // namespace eddy::rpc::test::client_stream_test
