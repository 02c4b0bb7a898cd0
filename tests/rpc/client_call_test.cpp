#include "http2/client_origins.hpp"
#include "rpc/rpc_origin.hpp"
#include "support/run_bounded.hpp"

#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

// What a server sends that is none of ours.
namespace eddy::rpc::test::client_call_test {
namespace {

using eddy::test::run_bounded;
using http::test::frame_peer;
using http::test::framed_origin;

std::string framed(const std::string& message, char flag = '\0') {
    const auto size = message.size();
    std::string frame = {flag, static_cast<char>(size >> 24), static_cast<char>(size >> 16),
                         static_cast<char>(size >> 8), static_cast<char>(size)};
    return frame + message;
}

/// A call of a server of HTTP that responds like this.
task<status> status_by(std::function<task<>(http::exchange&)> respond, call_options options = {}) {
    http::test::served_origin origin(std::move(respond));
    const channel to("http://a.test", channel_options().transport(origin.options().transport()));
    co_return co_await status_of(call<std::string>(to, "/a/b", std::string("x"), std::move(options)));
}

/// Without a status: no grpc-status.
task<> respond(http::exchange& ex, std::string body, std::string end, std::string type = "application/grpc",
               std::string encoding = "identity") {
    http::field_block head;
    head.add("content-type", type).add("grpc-encoding", encoding);
    co_await ex.begin_response(http::status::ok, head);
    co_await ex.write(as_bytes(body));
    if (!end.empty())
        ex.add_trailer("grpc-status", end);
}

TEST(rpc_client_call, sends_what_the_protocol_wants) {
    run_bounded([]() -> task<> {
        static_cast<void>(co_await status_by(
            [](http::exchange& ex) -> task<> {
                const http::request_head head = ex.request();
                EXPECT_EQ(http::method::post, head.method());
                EXPECT_EQ("/a/b", head.path());
                EXPECT_EQ("application/grpc", head.find("content-type"));
                EXPECT_EQ("trailers", head.find("te"));
                EXPECT_EQ("identity,gzip", head.find("grpc-accept-encoding"));
                EXPECT_EQ("a.test", head.find("host"));
                EXPECT_FALSE(head.find("grpc-encoding"));
                EXPECT_FALSE(head.find("accept-encoding"));
                const std::string timeout(head.find("grpc-timeout").value_or(""));
                EXPECT_TRUE(timeout.ends_with('u')) << timeout;
                EXPECT_EQ(framed("x"), co_await ex.body().read_all(100));
                co_await respond(ex, framed("y"), "0");
            },
            call_options().timeout(std::chrono::seconds(50))));
    }());
}

TEST(rpc_client_call, maps_the_status_of_what_is_no_server_of_calls) {
    run_bounded([]() -> task<> {
        const std::vector<std::pair<int, status_code>> expected = {
            {400, status_code::internal},          {401, status_code::unauthenticated},
            {403, status_code::permission_denied}, {404, status_code::unimplemented},
            {429, status_code::unavailable},       {502, status_code::unavailable},
            {503, status_code::unavailable},       {504, status_code::unavailable},
            {500, status_code::unknown},           {302, status_code::unknown}};
        for (const auto& [code, mapped] : expected) {
            const auto respond_by_code = [code](http::exchange& ex) -> task<> {
                co_await ex.respond(static_cast<http::status>(code), {}, "sorry");
            };
            const status end = co_await status_by(respond_by_code);
            EXPECT_EQ(mapped, end.code()) << code;
        }
        const status end = co_await status_by(
            [](http::exchange& ex) -> task<> { co_await respond(ex, framed("a"), "0", "text/html"); });
        EXPECT_EQ(status_code::unknown, end.code());
    }());
}

TEST(rpc_client_call, takes_a_status_from_a_head_that_is_all) {
    run_bounded([]() -> task<> {
        const status end = co_await status_by([](http::exchange& ex) -> task<> {
            http::field_block head;
            head.add("content-type", "application/grpc")
                .add("grpc-status", "5")
                .add("grpc-message", "a%20b%");
            co_await ex.respond(http::status::ok, head, "");
        });
        EXPECT_EQ(status(status_code::not_found, "a b%"), end);
    }());
}

// PROTOCOL-HTTP2.md, Responses: the head has the status only where it is all.
TEST(rpc_client_call, trailers_overrule_a_status_in_the_head) {
    run_bounded([]() -> task<> {
        const status end = co_await status_by([](http::exchange& ex) -> task<> {
            http::field_block head;
            head.add("content-type", "application/grpc").add("grpc-status", "8");
            co_await ex.begin_response(http::status::ok, head);
            ex.add_trailer("grpc-status", "9");
        });
        EXPECT_EQ(status(status_code::failed_precondition), end);
    }());
}

TEST(rpc_client_call, what_is_not_as_the_protocol_has_it_fails_the_call) {
    run_bounded([]() -> task<> {
        const auto code = [](std::string body, std::string end,
                             std::string encoding = "identity") -> task<status_code> {
            const status seen = co_await status_by([&](http::exchange& ex) -> task<> {
                co_await respond(ex, body, end, "application/grpc", encoding);
            });
            co_return seen.code();
        };
        EXPECT_EQ(status_code::ok, co_await code(framed("a"), "0"));
        EXPECT_EQ(status_code::unknown, co_await code(framed("a"), ""));
        EXPECT_EQ(status_code::unknown, co_await code(framed("a"), "x"));
        EXPECT_EQ(status_code::unknown, co_await code(framed("a"), "17"));
        EXPECT_EQ(status_code::unimplemented, co_await code("", "0"));
        EXPECT_EQ(status_code::unimplemented, co_await code(framed("a") + framed("b"), "0"));
        EXPECT_EQ(status_code::internal, co_await code(framed("ab").substr(0, 6), "0"));
        EXPECT_EQ(status_code::aborted, co_await code(framed("ab").substr(0, 6), "10"));
        EXPECT_EQ(status_code::internal, co_await code(framed("a", '\1'), "0"));
        EXPECT_EQ(status_code::internal, co_await code(framed("a", '\1'), "0", "gzip"));
        EXPECT_EQ(status_code::internal, co_await code(framed("a", '\3'), "0"));
        EXPECT_EQ(status_code::internal, co_await code(framed("a"), "0", "snappy"));
        EXPECT_EQ(status_code::resource_exhausted, co_await code(std::string("\0\x7f\0\0\0abc", 8), "0"));
    }());
}

TEST(rpc_client_call, a_reset_is_a_status) {
    run_bounded([]() -> task<> {
        const std::vector<std::pair<std::uint32_t, status_code>> expected = {
            {NGHTTP2_NO_ERROR, status_code::internal},
            {NGHTTP2_PROTOCOL_ERROR, status_code::internal},
            {NGHTTP2_CANCEL, status_code::cancelled},
            {NGHTTP2_ENHANCE_YOUR_CALM, status_code::resource_exhausted},
            {NGHTTP2_INADEQUATE_SECURITY, status_code::permission_denied}};
        for (const auto& [reset, mapped] : expected) {
            framed_origin origin({[reset](frame_peer& peer) -> task<> {
                co_await peer.begin_as_server();
                EXPECT_TRUE(co_await peer.until_over(1));
                co_await peer.say(frame_peer::reset(1, reset));
            }});
            const channel to("http://a.test", channel_options().transport(origin.options().transport()));
            EXPECT_EQ(mapped, co_await code_of(call<std::string>(to, "/a/b", std::string("x")))) << reset;
        }
    }());
}

TEST(rpc_client_call, a_dropped_call_is_reset_with_cancel) {
    run_bounded([]() -> task<> {
        event<> asked;
        framed_origin origin({[&](frame_peer& peer) -> task<> {
            co_await peer.begin_as_server();
            EXPECT_TRUE(co_await peer.until([&] { return peer.seen[1].is_ended; }));
            asked.set();
            EXPECT_TRUE(co_await peer.until([&] { return peer.seen[1].is_reset; }));
            EXPECT_EQ(NGHTTP2_CANCEL, peer.seen[1].code);
        }});
        const channel to("http://a.test", channel_options().transport(origin.options().transport()));
        handle<std::string> calling = spawn(call<std::string>(to, "/a/b", std::string("x")));
        co_await asked.wait();
        calling.cancel();
        co_await origin.script_end(0);
    }());
}

TEST(rpc_client_call, a_server_that_resets_a_stream_ends_its_writer) {
    run_bounded([]() -> task<> {
        framed_origin origin({[](frame_peer& peer) -> task<> {
            peer.gives_credit = false;
            co_await peer.begin_as_server();
            EXPECT_TRUE(co_await peer.until([&] { return !peer.seen[1].body.empty(); }));
            const auto head = http::test::with(http::test::answer(), "content-type", "application/grpc");
            co_await peer.say(frame_peer::head(1, head, false));
            EXPECT_TRUE(co_await peer.until([&] { return peer.seen[1].body.size() > 65'000; }));
            co_await peer.say(frame_peer::reset(1, NGHTTP2_CANCEL));
        }});
        const channel to("http://a.test", channel_options().transport(origin.options().transport()));
        auto stream = open_stream<std::string, std::string>(to, "/a/b");
        for (bool goes_on = true; goes_on;)
            goes_on = co_await stream.write(std::string(10'000, 'x'));
        EXPECT_EQ(status_code::cancelled, co_await code_of(stream.finish()));
    }());
}

}  // namespace
}  // namespace eddy::rpc::test::client_call_test
