#include "rpc/rpc_origin.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/yield.hpp>
#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <nghttp2/nghttp2.h>
#include <string>
#include <string_view>
#include <utility>

// What a client sends that is none of ours.
namespace eddy::rpc::test::services_test {
namespace {

using eddy::test::run_bounded;
using namespace std::string_literals;

std::string framed(const std::string& message, char flag = '\0') {
    const auto size = message.size();
    std::string frame = {flag, static_cast<char>(size >> 24), static_cast<char>(size >> 16),
                         static_cast<char>(size >> 8), static_cast<char>(size)};
    return frame + message;
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (; !bytes.empty(); bytes.remove_prefix(std::min<std::size_t>(bytes.size(), 3))) {
        std::uint32_t group = 0;
        for (std::size_t at = 0; at < 3; ++at)
            group = group << 8 | (at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0U);
        for (std::size_t at = 0; at < 4; ++at)
            text += at <= bytes.size() ? digits[group >> (18 - 6 * at) & 63] : '=';
    }
    return text;
}

/// A client of HTTP/2, and a service that echoes.
class wire_client {
public:
    explicit wire_client(const services_options& options = {}) : origin_(options) {
        origin_.greeter.add_unary<std::string, std::string>(
            "Greet", [](server_call&, std::string text) -> task<std::string> { co_return text; });
        origin_.greeter.add_client_streaming<std::string, std::string>(
            "Join", [](server_call&, reader<std::string>& requests) -> task<std::string> {
                std::string all;
                while (auto request = co_await requests.read())
                    all += *request;
                co_return all;
            });
        static_cast<void>(origin_.connect());
        by_.emplace(origin_.http_options().decompress(false));
    }

    /// With a field, if it has a name.
    task<http::client_response> send(std::string body, std::string type = "application/grpc",
                                     std::string name = {}, std::string value = {}) {
        http::client_request request(http::method::post, "http://origin.test/test.Greeter/Greet");
        if (!name.empty())
            request.field(name, value);
        request.content(std::move(body), type);
        co_return co_await by_->send(std::move(request));
    }
    /// What grpc-status says.
    task<std::string> status_of(std::string body, std::string name = {}, std::string value = {}) {
        http::client_response response =
            co_await send(std::move(body), "application/grpc", std::move(name), std::move(value));
        EXPECT_EQ(http::status::ok, response.status());
        const bool is_head_all = response.body().is_over();
        static_cast<void>(co_await response.text());
        // A head that is all has the status of what has failed.
        const std::string end(is_head_all ? response.find("grpc-status").value_or("none")
                                          : trailer_of(response, "grpc-status"));
        EXPECT_EQ(is_head_all, end != "0");
        EXPECT_FALSE(response.find("content-length"));
        co_return end;
    }
    http::client& by() { return *by_; }
    [[nodiscard]] std::size_t connected() const { return origin_.connected(); }

private:
    rpc_origin origin_;
    std::optional<http::client> by_;
};

TEST(rpc_services, a_response_is_as_the_protocol_has_it) {
    run_bounded([]() -> task<> {
        wire_client client;
        http::client_response response = co_await client.send(framed("abc"), "application/grpc+proto");
        EXPECT_EQ(http::status::ok, response.status());
        EXPECT_EQ("application/grpc+proto", response.find("content-type"));
        EXPECT_EQ("identity,gzip", response.find("grpc-accept-encoding"));
        EXPECT_FALSE(response.find("content-length"));
        EXPECT_EQ(framed("abc"), co_await response.text());
        EXPECT_EQ("0", trailer_of(response, "grpc-status"));
        EXPECT_EQ("none", trailer_of(response, "grpc-message"));
    }());
}

TEST(rpc_services, what_is_no_call_has_a_status_of_http) {
    run_bounded([]() -> task<> {
        wire_client client;
        for (const char* type :
             {"text/plain", "application/grpcweb", "application/grpc-web-texts", "application/grpc+"}) {
            const http::client_response response = co_await client.send(framed("abc"), type);
            EXPECT_EQ(http::status::unsupported_media_type, response.status());
        }
        const http::client_response got = co_await client.by().get("http://origin.test/test.Greeter/Greet");
        EXPECT_EQ(http::status::method_not_allowed, got.status());
        EXPECT_EQ("0", co_await client.status_of(framed("abc")));
        EXPECT_EQ(1U, client.connected());
    }());
}

TEST(rpc_services, a_malformed_request_fails_its_call_and_not_the_connection) {
    run_bounded([]() -> task<> {
        wire_client client;
        EXPECT_EQ("13", co_await client.status_of(framed("abc").substr(0, 7)));
        EXPECT_EQ("13", co_await client.status_of(framed("abc").substr(0, 3)));
        EXPECT_EQ("13", co_await client.status_of(framed("abc", '\2')));
        EXPECT_EQ("13", co_await client.status_of(framed("abc", '\1')));
        EXPECT_EQ("13", co_await client.status_of(framed("abc", '\1'), "grpc-encoding", "identity"));
        EXPECT_EQ("13", co_await client.status_of(framed("abc", '\1'), "grpc-encoding", "gzip"));
        EXPECT_EQ("13", co_await client.status_of(framed("", '\1') + "x", "grpc-encoding", "gzip"));
        EXPECT_EQ("12", co_await client.status_of(""));
        EXPECT_EQ("12", co_await client.status_of(framed("abc") + framed("def")));
        EXPECT_EQ("13", co_await client.status_of(framed("abc") + "\1"));
        EXPECT_EQ("12", co_await client.status_of(framed("abc"), "grpc-encoding", "snappy"));
        EXPECT_EQ("8", co_await client.status_of(std::string("\0\xff\xff\xff\xff", 5)));
        for (const char* timeout : {"", "1", "S", "1x", "-1S", "123456789S", "1 S"})
            EXPECT_EQ("13", co_await client.status_of(framed("abc"), "grpc-timeout", timeout));
        EXPECT_EQ("0", co_await client.status_of(framed("abc"), "grpc-timeout", "99999999H"));
        EXPECT_EQ("0", co_await client.status_of(framed("abc")));
        EXPECT_EQ(1U, client.connected());
    }());
}

TEST(rpc_services, frames_may_be_cut_anywhere) {
    run_bounded([]() -> task<> {
        wire_client client;
        const std::string body = framed("abc") + framed("") + framed("defg");
        http::client_request request(http::method::post, "http://origin.test/test.Greeter/Join");
        request.content(http::outgoing_body::of_texts([](std::string all) -> async_generator<std::string> {
                            for (const char each : all)
                                co_yield std::string(1, each);
                        }(body)),
                        "application/grpc");
        http::client_response response = co_await client.by().send(std::move(request));
        EXPECT_EQ(framed("abcdefg"), co_await response.text());
    }());
}

TEST(rpc_services, what_is_sent_compressed_suits_the_client) {
    run_bounded([]() -> task<> {
        wire_client client(services_options().compression(compression::gzip));
        const std::string text(1000, 'x');
        http::client_response plain = co_await client.send(framed(text));
        EXPECT_FALSE(plain.find("grpc-encoding"));
        EXPECT_EQ(framed(text), co_await plain.text());
        http::client_response coded =
            co_await client.send(framed(text), "application/grpc", "grpc-accept-encoding", "deflate, gzip");
        EXPECT_EQ("gzip", coded.find("grpc-encoding"));
        EXPECT_LT((co_await coded.text()).size(), 100U);
        // What would only become larger stays as it is.
        http::client_response small =
            co_await client.send(framed("x"), "application/grpc", "grpc-accept-encoding", "gzip");
        EXPECT_EQ(framed("x"), co_await small.text());
    }());
}

TEST(rpc_services, binary_metadata_is_read_with_padding_and_without) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        std::vector<std::string> values;
        origin.greeter.add_unary<std::string, std::string>(
            "Greet", [&](server_call& call, std::string text) -> task<std::string> {
                for (const auto& [name, value] : call.request_metadata())
                    if (name == "x-bin")
                        values.push_back(value);
                co_return text;
            });
        static_cast<void>(origin.connect());
        http::client by(origin.http_options());
        http::client_request request(http::method::post, "http://origin.test/test.Greeter/Greet");
        request.field("x-bin", "YQ==").field("x-bin", "YWI").field("x-bin", "YQ,Yg==").field("x-bin", "!");
        request.content(framed("abc"), "application/grpc");
        const http::client_response response = co_await by.send(std::move(request));
        EXPECT_EQ((std::vector<std::string>{"a", "ab", "a", "b"}), values);
    }());
}

TEST(rpc_services, speak_grpc_web_whose_trailers_are_a_frame) {
    run_bounded([]() -> task<> {
        wire_client client;
        const std::string good = "grpc-status: 0\r\n";
        http::client_response response = co_await client.send(framed("abc"), "application/grpc-web+proto");
        EXPECT_EQ("application/grpc-web+proto", response.find("content-type"));
        EXPECT_EQ(framed("abc") + framed(good, '\x80'), co_await response.text());
        EXPECT_EQ("none", trailer_of(response, "grpc-status"));
        const std::string failed = "grpc-status: 12\r\ngrpc-message: the client has sent no request\r\n";
        http::client_response none = co_await client.send("", "application/grpc-web");
        EXPECT_EQ(framed(failed, '\x80'), co_await none.text());
    }());
}

TEST(rpc_services, speak_grpc_web_in_its_text_form) {
    run_bounded([]() -> task<> {
        wire_client client;
        const std::string good = framed("grpc-status: 0\r\n", '\x80');
        for (const std::string& text : {"a"s, "ab"s, "abc"s, std::string(100'000, 'x')}) {
            http::client_response response =
                co_await client.send(base64(framed(text)), "application/grpc-web-text+proto");
            EXPECT_EQ("application/grpc-web-text+proto", response.find("content-type"));
            EXPECT_EQ(base64(framed(text)) + base64(good), co_await response.text());
        }
        // Pieces that are encoded each by itself, wherever the client has cut.
        const std::string whole = framed("abcdefg");
        for (std::size_t first = 0; first <= whole.size(); ++first)
            for (std::size_t second = first; second <= whole.size(); ++second) {
                const std::string pieces = base64(whole.substr(0, first)) +
                                           base64(whole.substr(first, second - first)) +
                                           base64(whole.substr(second));
                http::client_response response = co_await client.send(pieces, "application/grpc-web-text");
                EXPECT_EQ(base64(whole) + base64(good), co_await response.text());
            }
    }());
}

TEST(rpc_services, what_is_no_base64_fails_its_call_of_grpc_web) {
    run_bounded([]() -> task<> {
        wire_client client;
        const auto failed = [](const std::string& why) {
            return base64(framed("grpc-status: 13\r\ngrpc-message: " + why + "\r\n", '\x80'));
        };
        const std::string good = base64(framed("abcd"));
        for (const std::string& bad :
             {good.substr(0, 6) + "*" + good.substr(7), "="s + good, "A==="s + good, "A=BC"s + good}) {
            http::client_response response = co_await client.send(bad, "application/grpc-web-text");
            EXPECT_EQ(failed("a request that is no base64"), co_await response.text()) << bad;
        }
        for (const std::string& bad : {good.substr(0, 6), good.substr(0, good.size() - 1)}) {
            http::client_response response = co_await client.send(bad, "application/grpc-web-text");
            EXPECT_EQ(failed("the request has ended within its base64"), co_await response.text()) << bad;
        }
        http::client_response response = co_await client.send(good, "application/grpc-web-text");
        EXPECT_TRUE((co_await response.text()).starts_with(good));
        EXPECT_EQ(1U, client.connected());
    }());
}

TEST(rpc_services, interceptors_stand_in_front_of_handlers_in_order) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        std::string seen;
        origin.greeter.add_unary<std::string, std::string>(
            "Greet", [&](server_call&, std::string text) -> task<std::string> {
                seen += "handler ";
                co_return text;
            });
        origin.calls.use([&](server_call& call, next_handler next) -> task<> {
            seen += "first ";
            co_await next(call);
            seen += "end ";
        });
        origin.calls.use([&](server_call& call, next_handler next) -> task<> {
            if (!call.request_metadata().contains("authorization"))
                throw error(status_code::unauthenticated);
            co_await next(call);
        });
        const channel to = origin.connect();
        constexpr auto greet = "/test.Greeter/Greet";
        EXPECT_EQ(status_code::unauthenticated,
                  co_await code_of(call<std::string>(to, greet, std::string("a"))));
        EXPECT_EQ("first ", seen);
        EXPECT_EQ("a", co_await call<std::string>(to, greet, std::string("a"),
                                                  call_options().metadata("authorization", "x")));
        EXPECT_EQ("first first handler end ", seen);
    }());
}

TEST(rpc_services, limit_calls_at_a_time) {
    run_bounded([]() -> task<> {
        rpc_origin origin(services_options().calls_max(1));
        event<> began;
        event<> held;
        origin.greeter.add_unary<std::string, std::string>(
            "Greet", [&](server_call&, std::string text) -> task<std::string> {
                began.set();
                co_await held.wait();
                co_return text;
            });
        const channel to = origin.connect();
        constexpr auto greet = "/test.Greeter/Greet";
        handle<std::string> first = spawn(call<std::string>(to, greet, std::string("a")));
        co_await began.wait();
        EXPECT_EQ(status_code::resource_exhausted,
                  co_await code_of(call<std::string>(to, greet, std::string("b"))));
        EXPECT_EQ(1U, origin.calls.calls());
        held.set();
        EXPECT_EQ("a", co_await first);
        EXPECT_EQ("b", co_await call<std::string>(to, greet, std::string("b")));
        EXPECT_EQ(0U, origin.calls.calls());
    }());
}

TEST(rpc_services, clients_may_cancel_as_often_as_they_like_to) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        std::size_t dropped = 0;
        origin.greeter.add_bidirectional<std::string, std::string>(
            "Talk", [&](server_call&, reader<std::string>& requests) -> async_generator<std::string> {
                class counting {
                public:
                    explicit counting(std::size_t& count) noexcept : count_(count) {}
                    counting(const counting&) = delete;
                    counting& operator=(const counting&) = delete;
                    ~counting() { ++count_; }

                private:
                    std::size_t& count_;
                };
                const counting until_the_end(dropped);
                co_yield "ready";
                static_cast<void>(co_await requests.read());
            });
        const channel to = origin.connect();
        for (int round = 0; round < 1000; ++round) {
            auto talk = open_stream<std::string, std::string>(to, "/test.Greeter/Talk");
            EXPECT_EQ("ready", co_await talk.read());
        }
        while (dropped < 1000)
            co_await yield();
        EXPECT_EQ(1U, origin.connected());
    }());
}

TEST(rpc_services, a_deadline_resets_a_response_that_the_client_does_not_take) {
    run_bounded([]() -> task<> {
        // Within one message, and between many.
        for (const std::size_t size : {10'000'000U, 10'000U}) {
            rpc_origin origin;
            origin.greeter.add_server_streaming<std::string, std::string>(
                "Greet", [size](server_call&, std::string) -> async_generator<std::string> {
                    for (;;)
                        co_yield std::string(size, 'x');
                });
            http::client by(origin.http_options().decompress(false));
            http::client_request request(http::method::post, "http://origin.test/test.Greeter/Greet");
            request.field("grpc-timeout", "50m").content(framed("a"), "application/grpc");
            http::client_response response = co_await by.send(std::move(request));
            while (origin.calls.calls() != 0)
                co_await yield();
            std::uint32_t code = 0;
            try {
                static_cast<void>(co_await response.text(100'000'000));
            } catch (const http::stream_reset_error& reset) {
                code = reset.reset_code();
            }
            EXPECT_EQ(NGHTTP2_CANCEL, code) << size;
        }
    }());
}

}  // namespace
}  // namespace eddy::rpc::test::services_test
