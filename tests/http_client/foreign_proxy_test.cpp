#include "support/foreign_proxy.hpp"

#include "support/certificates.hpp"
#include "support/descriptors.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/http/client/client.hpp>
#include <eddy/http/client/client_options.hpp>
#include <eddy/http/message/http_error.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/server/request_body.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/tls/tls_error.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

// The client by a proxy that others have written (tinyproxy), if it is installed.
namespace eddy::http::foreign_proxy_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::certificate_authority;
using eddy::test::certificate_wish;
using eddy::test::foreign_proxy;
using eddy::test::open_descriptors;
using eddy::test::run_bounded;
using eddy::test::turns;
using eddy::test::turns_until;
using eddy::test::turns_until_done;

/// Gives a body back, and for GET an end or none.
class echo final : public request_handler {
public:
    ready_or_task<> handle(exchange& ex) override { return respond(ex); }

    int exchanges = 0;

private:
    task<> respond(exchange& ex) {
        ++exchanges;
        const std::string body = co_await ex.body().read_all(1 << 24);
        if (ex.path() != "/endless") {
            co_await ex.respond(status::ok, {}, body);
            co_return;
        }
        co_await ex.begin_response(status::ok, {});
        for (const std::string piece(10'000, 'x');;)
            co_await ex.write(as_bytes(piece));
    }
};

/// A site without TLS and one with, whose only name is "localhost".
class sites {
public:
    sites() {
        const auto shown = authority.issue(certificate_wish("localhost"));
        const tls_context context(
            tls_server_options(tls_certificate::pem(shown.certificate_pem(), shown.key_pem())));
        plain_ = serve_on(plain_port, {});
        secure_ = serve_on(secure_port, server_options().tls(context));
    }
    [[nodiscard]] std::string plainly(std::string_view path) const {
        return "http://127.0.0.1:" + std::to_string(plain_port) + std::string(path);
    }
    [[nodiscard]] std::string securely(std::string_view path, const std::string& host = "localhost") const {
        return "https://" + host + ":" + std::to_string(secure_port) + std::string(path);
    }
    [[nodiscard]] client_options options_by(const std::string& proxy) const {
        return client_options()
            .proxies(proxy_settings().for_all(proxy))
            .tls(tls_context(tls_client_options().trust(tls_trust().pem(authority.pem()))));
    }

    certificate_authority authority;
    echo handler;
    std::uint16_t plain_port = 0;
    std::uint16_t secure_port = 0;

private:
    handle<> serve_on(std::uint16_t& port, server_options options) {
        tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        port = listener.local_endpoint().port();
        return spawn(serve(std::move(listener), handler, std::move(options)));
    }

    handle<> plain_;
    handle<> secure_;
};

template <class T>
task<std::error_code> error_of(task<T> work) {
    try {
        static_cast<void>(co_await std::move(work));
    } catch (const std::system_error& thrown) {
        co_return thrown.code();
    }
    co_return std::error_code();
}

class a_client_by_a_foreign_proxy : public ::testing::Test {
protected:
    void SetUp() override {
        if (!foreign_proxy::is_installed(foreign_proxy::kind::http))
            GTEST_SKIP() << "[tinyproxy] tinyproxy is not installed";
    }
};

TEST_F(a_client_by_a_foreign_proxy, carries_bodies_plainly_and_through_tunnels_that_it_keeps) {
    run_bounded([]() -> task<> {
        const sites origin;
        foreign_proxy proxy(foreign_proxy::kind::http, "user", "word");
        co_await proxy.start();
        client by(origin.options_by("http://user:word@127.0.0.1:" + std::to_string(proxy.port())));
        std::string sent;
        for (int line = 0; sent.size() < 2'000'000; ++line)
            sent += std::to_string(line) + "\n";
        for (const std::string& to : {origin.securely("/"), origin.securely("/"), origin.plainly("/")}) {
            client_request wanted(method::post, to);
            client_response response = co_await by.send(wanted.content(sent));
            const std::string back = co_await response.text();
            EXPECT_EQ(response.status(), status::ok) << to;
            EXPECT_TRUE(back == sent) << to;
            EXPECT_EQ(response.find("Via").has_value(), to.starts_with("http:"));
            if (to.starts_with("https:")) {
                EXPECT_EQ(by.idle_connections(), 1U) << "the tunnel is used again";
            }
        }
        const std::error_code error = co_await error_of(by.get(origin.securely("/", "127.0.0.1")));
        EXPECT_EQ(error, tls_error::certificate_refused) << error.message();
    }());
}

TEST_F(a_client_by_a_foreign_proxy, is_refused_without_the_right_login) {
    run_bounded([]() -> task<> {
        const sites origin;
        foreign_proxy proxy(foreign_proxy::kind::http, "user", "word");
        co_await proxy.start();
        const std::string address = "127.0.0.1:" + std::to_string(proxy.port());
        for (const std::string& login : {std::string(), std::string("user:other@")}) {
            client by(origin.options_by("http://" + login + address));
            const client_response response = co_await by.get(origin.plainly("/"));
            // What tinyproxy says of a wrong one is a server's word.
            EXPECT_EQ(response.status(),
                      login.empty() ? status::proxy_authentication_required : status::unauthorized);
            const std::error_code error = co_await error_of(by.get(origin.securely("/")));
            EXPECT_EQ(error, http_error::proxy_refused) << error.message();
        }
        EXPECT_EQ(origin.handler.exchanges, 0);
        client by(origin.options_by("http://user:word@" + address));
        const std::error_code error = co_await error_of(by.get("https://127.0.0.1:1/"));
        EXPECT_EQ(error, http_error::proxy_refused) << "nobody listens there";
    }());
}

TEST_F(a_client_by_a_foreign_proxy, notices_soon_that_it_has_gone) {
    run_bounded([]() -> task<> {
        const sites origin;
        foreign_proxy proxy(foreign_proxy::kind::http);
        co_await proxy.start();
        client by(origin.options_by(proxy.url("http")));
        client_response kept = co_await by.get(origin.securely("/"));
        static_cast<void>(co_await kept.text());
        EXPECT_EQ(by.idle_connections(), 1U);
        client_response cut_off = co_await by.get(origin.plainly("/endless"));
        client_response cut_off_securely = co_await by.get(origin.securely("/endless"));
        co_await proxy.stop();
        std::error_code error = co_await error_of(cut_off.text(std::size_t{1} << 40));
        EXPECT_TRUE(error == http_error::truncated || error == std::errc::connection_reset)
            << error.message();
        error = co_await error_of(cut_off_securely.text(std::size_t{1} << 40));
        EXPECT_TRUE(error) << error.message();
        error = co_await error_of(by.get(origin.securely("/")));
        EXPECT_EQ(error, std::errc::connection_refused) << error.message();
        co_await proxy.start();
        proxy.suspend();
        client hurried(origin.options_by(proxy.url("http")).connect_time(100ms));
        error = co_await error_of(hurried.get(origin.securely("/")));
        EXPECT_EQ(error, http_error::connect_timed_out) << error.message();
    }());
}

TEST_F(a_client_by_a_foreign_proxy, leaves_no_descriptor_when_it_is_dropped_half_way) {
    run_bounded([]() -> task<> {
        const sites origin;
        foreign_proxy proxy(foreign_proxy::kind::http);
        co_await proxy.start();
        const std::size_t before = open_descriptors();
        constexpr int rounds = 16;
        int whole = 0;
        for (int round = 0; round <= rounds; ++round) {
            client by(origin.options_by(proxy.url("http")));
            const handle<client_response> plain = spawn(by.get(origin.plainly("/endless")));
            task<client_response> asking = by.get(origin.securely("/endless"));
            if (round == 0) {
                whole = co_await turns_until_done(std::move(asking));
                continue;
            }
            const handle<client_response> secure = spawn(std::move(asking));
            co_await turns(whole * round / rounds);
        }
        // The server's side ends by itself, once the proxy has noticed.
        co_await turns_until([&] { return open_descriptors() <= before; });
    }());
}

}  // namespace
}  // namespace eddy::http::foreign_proxy_test
