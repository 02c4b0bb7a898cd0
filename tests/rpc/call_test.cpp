#include "rpc/rpc_origin.hpp"
#include "support/end_notice.hpp"
#include "support/run_bounded.hpp"

#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace eddy::rpc::test::call_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::end_notice;
using eddy::test::run_bounded;

constexpr auto greet = "/test.Greeter/Greet";

TEST(rpc_call, returns_the_reply) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        origin.greeter.add_unary<std::string, std::string>(
            "Greet", [](server_call& call, std::string name) -> task<std::string> {
                EXPECT_EQ(greet, call.method());
                EXPECT_FALSE(call.deadline().has_value());
                co_return "Hello " + name;
            });
        const channel to = origin.connect();
        EXPECT_EQ("Hello you", co_await call<std::string>(to, greet, std::string("you")));
        EXPECT_EQ("Hello ", co_await call<std::string>(to, greet, std::string()));
        EXPECT_EQ(1U, origin.connected());
    }());
}

TEST(rpc_call, carries_messages_that_are_larger_than_windows) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        origin.greeter.add_unary<std::string, std::string>("Greet", echo);
        const channel to = origin.connect();
        std::string large(3'000'000, 'x');
        large.back() = 'y';
        EXPECT_TRUE(large == co_await call<std::string>(to, greet, large));
    }());
}

TEST(rpc_call, calls_share_a_connection) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        std::size_t waiting = 0;
        event<> all_are_there;
        origin.greeter.add_unary<std::string, std::string>(
            "Greet", [&](server_call&, std::string text) -> task<std::string> {
                if (++waiting == 50)
                    all_are_there.set();
                co_await all_are_there.wait();
                co_return text;
            });
        const channel to = origin.connect();
        std::vector<handle<std::string>> calls;
        for (int index = 0; index < 50; ++index)
            calls.push_back(spawn(call<std::string>(to, greet, std::to_string(index))));
        for (int index = 0; index < 50; ++index)
            EXPECT_EQ(std::to_string(index), co_await calls[static_cast<std::size_t>(index)]);
        EXPECT_EQ(1U, origin.connected());
    }());
}

TEST(rpc_call, a_status_has_code_message_and_details) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        const status wanted(status_code::not_found, "nowhere: 100 %, \xc3\xbc\n", std::string("\0\xff", 2));
        origin.greeter.add_unary<std::string, std::string>(
            "Greet", [&](server_call&, std::string) -> task<std::string> {
                throw error(wanted);
                co_return "";
            });
        const channel to = origin.connect();
        EXPECT_EQ(wanted, co_await status_of(call<std::string>(to, greet, std::string())));
    }());
}

TEST(rpc_call, what_else_a_handler_throws_is_unknown_and_its_text_stays_here) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        std::vector<std::string> reported;
        origin.server_options().failure_reporter([&](http::exchange&, const std::exception_ptr& failure) {
            try {
                std::rethrow_exception(failure);
            } catch (const std::exception& known) {
                reported.emplace_back(known.what());
            }
        });
        origin.greeter.add_unary<std::string, std::string>(
            "Greet", [&](server_call&, std::string) -> task<std::string> {
                throw std::runtime_error("secret");
                co_return "";
            });
        const channel to = origin.connect();
        const status end = co_await status_of(call<std::string>(to, greet, std::string()));
        EXPECT_EQ(status_code::unknown, end.code());
        EXPECT_EQ(std::string::npos, end.message().find("secret"));
        EXPECT_EQ(std::vector<std::string>{"secret"}, reported);
    }());
}

TEST(rpc_call, what_is_not_there_is_unimplemented) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        origin.greeter.add_unary<std::string, std::string>("Greet", echo);
        const channel to = origin.connect();
        for (const char* method : {"/test.Greeter/Other", "/test.Other/Greet", "/", "/test.Greeter"})
            EXPECT_EQ(status_code::unimplemented,
                      co_await code_of(call<std::string>(to, method, std::string())));
        EXPECT_EQ("a", co_await call<std::string>(to, greet, std::string("a")));
        EXPECT_EQ(1U, origin.connected());
    }());
}

TEST(rpc_call, metadata_goes_both_ways) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        const std::string bytes("\0\x01\xff,=", 5);
        origin.greeter.add_unary<std::string, std::string>(
            "Greet", [&](server_call& call, std::string) -> task<std::string> {
                const metadata& sent = call.request_metadata();
                EXPECT_EQ("grpc-c++-eddy/0.1", sent.find("user-agent"));
                EXPECT_EQ((std::vector<std::string_view>{"1", "2"}), sent.find_all("x-many"));
                EXPECT_EQ(bytes, sent.find("x-bytes-bin"));
                EXPECT_FALSE(sent.contains("content-type"));
                EXPECT_FALSE(sent.contains("te"));
                call.add_initial_metadata("first", "a");
                call.add_initial_metadata("first-bin", bytes);
                call.add_trailing_metadata("Last", "z");
                call.add_trailing_metadata("last-bin", bytes);
                co_return "done";
            });
        const channel to = origin.connect();
        call_info info;
        EXPECT_EQ("done", co_await call<std::string>(to, greet, std::string(),
                                                     call_options()
                                                         .metadata("x-many", "1")
                                                         .metadata("x-many", "2")
                                                         .metadata("x-bytes-bin", bytes)
                                                         .info(&info)));
        EXPECT_EQ("a", info.initial_metadata().find("first"));
        EXPECT_EQ(bytes, info.initial_metadata().find("first-bin"));
        EXPECT_EQ("z", info.trailing_metadata().find("last"));
        EXPECT_EQ(bytes, info.trailing_metadata().find("last-bin"));
        EXPECT_EQ(2U, info.trailing_metadata().size());
    }());
}

TEST(rpc_call, metadata_of_a_failed_call_arrive_as_well) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        origin.greeter.add_unary<std::string, std::string>(
            "Greet", [&](server_call& call, std::string) -> task<std::string> {
                call.add_trailing_metadata("why", "so");
                throw error(status_code::aborted);
                co_return "";
            });
        const channel to = origin.connect();
        call_info info;
        EXPECT_EQ(status_code::aborted,
                  co_await code_of(call<std::string>(to, greet, std::string(), call_options().info(&info))));
        EXPECT_EQ("so", info.trailing_metadata().find("why"));
    }());
}

TEST(rpc_call, a_deadline_ends_both_sides) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        event<> dropped;
        origin.greeter.add_unary<std::string, std::string>(
            "Greet", [&](server_call& call, std::string) -> task<std::string> {
                const end_notice noticing(dropped);
                EXPECT_TRUE(call.deadline().has_value());
                event<> never;
                co_await never.wait();
                co_return "";
            });
        const channel to = origin.connect();
        // Before the handler began, if the machine was busy.
        while (!dropped.is_set())
            EXPECT_EQ(
                status_code::deadline_exceeded,
                co_await code_of(call<std::string>(to, greet, std::string(), call_options().timeout(20ms))));
        EXPECT_EQ(status_code::deadline_exceeded,
                  co_await code_of(call<std::string>(to, greet, std::string(),
                                                     call_options().deadline(worker::current().now() - 1s))));
    }());
}

TEST(rpc_call, the_server_ends_a_call_at_its_deadline_by_itself) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        event<> dropped;
        origin.greeter.add_unary<std::string, std::string>(
            "Greet", [&](server_call&, std::string) -> task<std::string> {
                const end_notice noticing(dropped);
                event<> never;
                co_await never.wait();
                co_return "";
            });
        static_cast<void>(origin.connect());
        http::client by(origin.http_options());
        http::client_request request(http::method::post, "http://origin.test/test.Greeter/Greet");
        request.field("grpc-timeout", "10m").content(std::string(5, '\0'), "application/grpc");
        http::client_response response = co_await by.send(std::move(request));
        EXPECT_EQ("", co_await response.text());
        EXPECT_TRUE(dropped.is_set());
        EXPECT_EQ("4", response.find("grpc-status"));
    }());
}

TEST(rpc_call, a_dropped_call_drops_the_handler) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        event<> began;
        event<> dropped;
        origin.greeter.add_unary<std::string, std::string>(
            "Greet", [&](server_call&, std::string) -> task<std::string> {
                const end_notice noticing(dropped);
                began.set();
                event<> never;
                co_await never.wait();
                co_return "";
            });
        const channel to = origin.connect();
        handle<std::string> calling = spawn(call<std::string>(to, greet, std::string()));
        co_await began.wait();
        calling.cancel();
        co_await dropped.wait();
        EXPECT_EQ(1U, origin.connected());
    }());
}

TEST(rpc_call, without_a_connection_a_call_is_unavailable) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        origin.greeter.add_unary<std::string, std::string>("Greet", echo);
        origin.refusals = 1;
        const channel to = origin.connect(channel_options().reconnect_wait(1ms, 1ms));
        EXPECT_EQ(status_code::unavailable, co_await code_of(call<std::string>(to, greet, std::string("a"))));
        EXPECT_EQ("a", co_await call<std::string>(to, greet, std::string("a"),
                                                  call_options().wait_for_ready(true)));
    }());
}

TEST(rpc_call, waits_for_a_connection_if_it_is_meant_to) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        origin.greeter.add_unary<std::string, std::string>("Greet", echo);
        origin.refusals = 3;
        const channel to = origin.connect(channel_options().reconnect_wait(1ms, 2ms));
        EXPECT_EQ("a", co_await call<std::string>(to, greet, std::string("a"),
                                                  call_options().wait_for_ready(true)));
        origin.cut();
        origin.refusals = 1'000'000;
        // The first may still go out on the connection that has ended.
        EXPECT_EQ(status_code::unavailable, co_await code_of(call<std::string>(to, greet, std::string("a"))));
        EXPECT_EQ(status_code::deadline_exceeded,
                  co_await code_of(call<std::string>(to, greet, std::string("a"),
                                                     call_options().wait_for_ready(true).timeout(20ms))));
    }());
}

TEST(rpc_call, a_connection_that_ends_makes_its_calls_unavailable) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        event<> began;
        origin.greeter.add_unary<std::string, std::string>(
            "Greet", [&](server_call&, std::string text) -> task<std::string> {
                if (text == "stay") {
                    began.set();
                    event<> never;
                    co_await never.wait();
                }
                co_return text;
            });
        const channel to = origin.connect();
        handle<status_code> calling = spawn(code_of(call<std::string>(to, greet, std::string("stay"))));
        co_await began.wait();
        origin.cut();
        EXPECT_EQ(status_code::unavailable, co_await calling);
        EXPECT_EQ("a", co_await call<std::string>(to, greet, std::string("a")));
    }());
}

TEST(rpc_call, messages_have_limits) {
    run_bounded([]() -> task<> {
        rpc_origin origin(services_options().receive_bytes_max(1000).send_bytes_max(2000));
        origin.greeter.add_unary<std::string, std::string>(
            "Greet", [&](server_call&, std::string count) -> task<std::string> {
                co_return std::string(count.size() == 4 ? std::stoul(count) : 1, 'x');
            });
        const channel to = origin.connect(channel_options().receive_bytes_max(1500));
        const auto code = [&](const std::string& request, call_options options = {}) {
            return code_of(call<std::string>(to, greet, request, std::move(options)));
        };
        EXPECT_EQ(status_code::ok, co_await code(std::string(1000, 'x')));
        EXPECT_EQ(status_code::resource_exhausted, co_await code(std::string(1001, 'x')));
        EXPECT_EQ(status_code::ok, co_await code("1500"));
        EXPECT_EQ(status_code::resource_exhausted, co_await code("1501"));
        EXPECT_EQ(status_code::ok, co_await code("2000", call_options().receive_bytes_max(2000)));
        EXPECT_EQ(status_code::resource_exhausted,
                  co_await code("2001", call_options().receive_bytes_max(3000)));
        EXPECT_THROW(static_cast<void>(
                         call<std::string>(to, greet, std::string("12"), call_options().send_bytes_max(1))),
                     error);
        EXPECT_EQ(1U, origin.connected());
    }());
}

TEST(rpc_call, messages_are_compressed_where_both_sides_agree) {
    run_bounded([]() -> task<> {
        rpc_origin origin(services_options().compression(compression::gzip).receive_bytes_max(100'000));
        origin.greeter.add_unary<std::string, std::string>("Greet", echo);
        const channel to =
            origin.connect(channel_options().compression(compression::gzip).receive_bytes_max(100'000));
        const std::string text(90'000, 'x');
        EXPECT_TRUE(text == co_await call<std::string>(to, greet, text));
        EXPECT_TRUE(text == co_await call<std::string>(to, greet, text,
                                                       call_options().compression(compression::identity)));
        // The limit is that of what comes out.
        EXPECT_EQ(status_code::resource_exhausted,
                  co_await code_of(call<std::string>(to, greet, std::string(100'001, 'x'))));
        EXPECT_EQ(
            status_code::resource_exhausted,
            co_await code_of(call<std::string>(to, greet, text, call_options().receive_bytes_max(80'000))));
    }());
}

TEST(rpc_call, a_format_that_a_message_does_not_have_is_unimplemented) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        origin.greeter.add_unary<number, number>(
            "Greet", [](server_call&, number twice) -> task<number> { co_return number{2 * twice.value}; });
        const channel to = origin.connect();
        EXPECT_EQ(6, (co_await call<number>(to, greet, number{3})).value);
        EXPECT_EQ(6, (co_await call<number>(to, greet, number{3}, call_options().subtype("hex"))).value);
        EXPECT_EQ("20",
                  co_await call<std::string>(to, greet, std::string("10"), call_options().subtype("hex")));
        EXPECT_EQ(status_code::unimplemented,
                  co_await code_of(
                      call<std::string>(to, greet, std::string("10"), call_options().subtype("other"))));
    }());
}

TEST(rpc_call, a_handler_passes_deadline_and_trace_on) {
    run_bounded([]() -> task<> {
        rpc_origin behind;
        std::optional<time_point> inner;
        behind.greeter.add_unary<std::string, std::string>(
            "Greet", [&](server_call& served, std::string) -> task<std::string> {
                inner = served.deadline();
                EXPECT_FALSE(served.request_metadata().contains("other"));
                co_return std::string(served.request_metadata().find("traceparent").value_or("none"));
            });
        const channel further = behind.connect();
        rpc_origin origin;
        std::optional<time_point> outer;
        origin.greeter.add_unary<std::string, std::string>(
            "Greet", [&](server_call& served, std::string text) -> task<std::string> {
                outer = served.deadline();
                co_return co_await call<std::string>(further, greet, text, call_options(served));
            });
        const channel to = origin.connect();
        EXPECT_EQ(
            "00-1-2-01",
            co_await call<std::string>(
                to, greet, std::string(),
                call_options().metadata("traceparent", "00-1-2-01").metadata("other", "x").timeout(60s)));
        EXPECT_TRUE(inner && outer && *inner <= *outer + 1s);
        EXPECT_EQ("none", co_await call<std::string>(to, greet, std::string()));
        EXPECT_FALSE(inner);
    }());
}

TEST(rpc_call, services_stand_beside_routes) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        origin.greeter.add_unary<std::string, std::string>("Greet", echo);
        const channel to = origin.connect_beside_routes();
        EXPECT_EQ("a", co_await call<std::string>(to, greet, std::string("a")));
        http::client by(origin.http_options());
        http::client_response page = co_await by.get("http://origin.test/page");
        EXPECT_EQ("a page", co_await page.text());
    }());
}

}  // namespace
}  // namespace eddy::rpc::test::call_test
