#include "support/certificates.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/http/client/client.hpp>
#include <eddy/http/message/http_error.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/server/request_body.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/stream/duplex.hpp>
#include <eddy/testing/testing.hpp>
#include <eddy/tls/tls_error.hpp>
#include <eddy/tls/tls_stream.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

// The client against the library's own server: over sockets and in memory, plain and by TLS, and dropped
// wherever it may be.
namespace eddy::http::own_server_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::certificate_authority;
using eddy::test::certificate_wish;
using eddy::test::run_bounded;

/// Says what it was told, or of a GET its path.
class echo final : public request_handler {
public:
    ready_or_task<> handle(exchange& ex) override { return respond(ex); }

private:
    static task<> respond(exchange& ex) {
        std::string body = co_await ex.body().read_all(1 << 24);
        if (body.empty())
            body = ex.request().target();
        if (body == "/stream") {
            co_await ex.begin_response(status::ok, {});
            for (int i = 0; i < 100; ++i)
                co_await ex.write(as_bytes(std::string(1000, 'x')));
            co_return;
        }
        co_await ex.respond(status::ok, {}, body);
    }
};

tls_context server_context(const certificate_authority& authority) {
    const auto made = authority.issue(certificate_wish("localhost").address("127.0.0.1"));
    return tls_context(tls_server_options(tls_certificate::pem(made.certificate_pem(), made.key_pem())));
}

tls_context client_context(const certificate_authority& authority) {
    return tls_context(tls_client_options().trust(tls_trust().pem(authority.pem())));
}

task<std::string> text_of(client& by, client_request wanted) {
    client_response response = co_await by.send(std::move(wanted));
    co_return co_await response.text();
}

task<> converse(client& by, std::string origin) {
    std::string text = co_await text_of(by, client_request(method::get, origin + "/a?b"));
    EXPECT_EQ(text, "/a?b");
    const std::string large(3 << 20, 'y');
    text = co_await text_of(by, client_request(method::post, origin + "/").content(large));
    EXPECT_EQ(text, large);
    const auto pieces = []() -> async_generator<std::string> {
        for (int i = 0; i < 100; ++i)
            co_yield std::string(1000, 'z');
    };
    client_request streamed(method::put, origin + "/");
    streamed.content(outgoing_body::of_texts(pieces())).expect_continue(true);
    text = co_await text_of(by, streamed);
    EXPECT_EQ(text, std::string(100'000, 'z'));
    text = co_await text_of(by, client_request(method::get, origin + "/stream"));
    EXPECT_EQ(text, std::string(100'000, 'x'));
    EXPECT_EQ(by.idle_connections(), 1U);
}

TEST(a_client_of_our_server, speaks_over_sockets) {
    run_bounded([]() -> task<> {
        tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const std::string origin = "http://127.0.0.1:" + std::to_string(listener.local_endpoint().port());
        echo handler;
        const handle<> serving = spawn(serve(std::move(listener), handler));
        client by;
        co_await converse(by, origin);
    }());
}

TEST(a_client_of_our_server, speaks_tls_over_sockets_and_verifies) {
    run_bounded([]() -> task<> {
        const certificate_authority authority;
        const certificate_authority another("another authority");
        tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const std::string port = std::to_string(listener.local_endpoint().port());
        echo handler;
        const handle<> serving =
            spawn(serve(std::move(listener), handler, server_options().tls(server_context(authority))));
        client by(client_options().tls(client_context(authority)));
        co_await converse(by, "https://127.0.0.1:" + port);
        for (const bool trusts_system : {true, false}) {
            client_options options;
            if (!trusts_system)
                options.tls(client_context(another));
            std::error_code error;
            try {
                static_cast<void>(co_await get("https://127.0.0.1:" + port + "/", options));
            } catch (const std::system_error& refused) {
                error = refused.code();
            }
            EXPECT_EQ(error, tls_error::certificate_refused);
        }
    }());
}

/// The same in memory: each connection is served by a task of its own.
class in_memory {
public:
    explicit in_memory(std::optional<tls_context> context) : context_(std::move(context)) {}
    client_transport transport() {
        return [this](client_target) { return connect(*this); };
    }

private:
    static task<any_stream> connect(in_memory& self) {
        auto [here, there] = duplex(8192);
        self.serving_.push_back(spawn(serve_one(self, std::move(there))));
        co_return any_stream(std::move(here));
    }
    static task<> serve_one(in_memory& self, duplex_stream stream) {
        if (!self.context_)
            co_return co_await serve_connection(any_stream(std::move(stream)), self.handler_);
        auto secured = co_await tls_accept(std::move(stream), *self.context_);
        co_await serve_connection(any_stream(std::move(secured)), self.handler_);
    }

    echo handler_;
    std::optional<tls_context> context_;
    std::vector<handle<>> serving_;
};

TEST(a_client_of_our_server, speaks_over_pipes) {
    run_bounded([]() -> task<> {
        in_memory server(std::nullopt);
        client by(client_options().transport(server.transport()));
        co_await converse(by, "http://localhost");
    }());
    run_bounded([]() -> task<> {
        const certificate_authority authority;
        in_memory server(server_context(authority));
        client by(client_options().transport(server.transport()).tls(client_context(authority)));
        co_await converse(by, "https://localhost");
    }());
}

task<> a_conversation_to_drop() {
    in_memory server(std::nullopt);
    client by(client_options().transport(server.transport()).connections_per_origin_max(1));
    static_cast<void>(co_await text_of(by, client_request(method::get, "http://localhost/a")));
    const auto pieces = []() -> async_generator<std::string> { co_yield std::string(20'000, 'z'); };
    client_request streamed(method::put, "http://localhost/");
    streamed.content(outgoing_body::of_texts(pieces())).expect_continue(true);
    static_cast<void>(co_await text_of(by, streamed));
    const client_response unread = co_await by.get("http://localhost/stream");
}

TEST(a_client_of_our_server, leaves_nothing_behind_wherever_it_is_dropped) {
    const auto found = testing::drop_everywhere(
        &a_conversation_to_drop,
        testing::drop_options().runtime(runtime_options().workers(1)).run_time_max(20s));
    EXPECT_TRUE(found.passed()) << found.message();
}

}  // namespace
}  // namespace eddy::http::own_server_test
