#include "integrations_curl/test_site.hpp"
#include "support/foreign_proxy.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/integrations/curl/client.hpp>
#include <eddy/integrations/curl/error.hpp>
#include <eddy/net/tcp_listener.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

// What proxy_options say, to tinyproxy and microsocks.
namespace eddy::curl::proxy_options_test {
namespace {

using eddy::test::error_of;
using eddy::test::foreign_proxy;
using eddy::test::numbered_text;
using eddy::test::run_bounded;
using eddy::test::test_site;

using proxy_kind = foreign_proxy::kind;

/// Whom a transfer was connected with.
task<std::uint16_t> peer_of(client& by, request req) {
    transfer answer = co_await by.send(std::move(req));
    co_await answer.finish();
    co_return answer.statistics().peer_port;
}

/// The site by a name that only this request knows.
request named(const test_site& site, const std::string& name, const proxy_options& through) {
    const std::string port = std::to_string(site.port);
    request made("http://" + name + ":" + port + "/");
    made.resolve(name + ":" + port + ":127.0.0.1").options(transfer_options().proxy(through));
    return made;
}

async_generator<std::string> pieces_of(std::string text) {
    for (std::size_t at = 0; at < text.size(); at += 30'000)
        co_yield text.substr(at, 30'000);
}

class curl_proxy_options : public testing::Test {
protected:
    void SetUp() override {
        for (const proxy_kind each : {proxy_kind::http, proxy_kind::socks})
            if (!foreign_proxy::is_installed(each))
                GTEST_SKIP() << "[tinyproxy] tinyproxy or microsocks is not installed";
    }
};

TEST_F(curl_proxy_options, name_hosts_that_are_asked_directly) {
    run_bounded([]() -> task<> {
        test_site site;
        for (const proxy_kind kind : {proxy_kind::http, proxy_kind::socks}) {
            foreign_proxy proxy(kind);
            co_await proxy.start();
            const std::string url = proxy.url(kind == proxy_kind::http ? "http" : "socks5");
            client by;
            for (const char* except : {"127.0.0.1", "other.test,127.0.0.1", "*"}) {
                request req(site.at("/"));
                req.options(transfer_options().proxy(proxy_options(url).except(except)));
                const std::uint16_t peer = co_await peer_of(by, req);
                EXPECT_EQ(peer, site.port) << except;
            }
            for (const char* except : {"a.test", "test", ".test", "x.test, www.a.test"}) {
                const std::uint16_t peer =
                    co_await peer_of(by, named(site, "www.a.test", proxy_options(url).except(except)));
                EXPECT_EQ(peer, site.port) << except;
            }
            for (const char* except : {"", "a.test", "27.0.0.1", "localhost"}) {
                request req(site.at("/"));
                req.options(transfer_options().proxy(proxy_options(url).except(except)));
                const std::uint16_t peer = co_await peer_of(by, req);
                EXPECT_EQ(peer, proxy.port()) << except;
            }
        }
    }());
}

TEST_F(curl_proxy_options, may_be_those_of_the_environment) {
    run_bounded([]() -> task<> {
        test_site site;
        foreign_proxy proxy(proxy_kind::http, "user", "word");
        for (const char* name : {"all_proxy", "ALL_PROXY", "https_proxy", "HTTPS_PROXY", "no_proxy"})
            unsetenv(name);
        setenv("http_proxy", proxy.url("http").c_str(), 1);
        setenv("NO_PROXY", "localhost", 1);
        co_await proxy.start();
        client by;
        proxy_options options = proxy_options::from_environment().login("user", "word", login_scheme::basic);
        transfer answer = co_await by.send(named(site, "127.0.0.1", options));
        EXPECT_EQ(answer.status(), 200U);
        EXPECT_EQ(answer.statistics().peer_port, proxy.port());
        std::uint16_t peer = co_await peer_of(by, named(site, "localhost", options));
        EXPECT_EQ(peer, site.port);
        peer = co_await peer_of(by, named(site, "127.0.0.1", options.except("127.0.0.1")));
        EXPECT_EQ(peer, site.port) << "exceptions of one's own";
        peer = co_await peer_of(by, named(site, "localhost", options));
        EXPECT_EQ(peer, proxy.port()) << "in place of the environment's";
        peer = co_await peer_of(by, request(site.at("/")));
        EXPECT_EQ(peer, site.port) << "nobody has asked for a proxy";
        unsetenv("http_proxy");
        unsetenv("NO_PROXY");
    }());
}

TEST_F(curl_proxy_options, log_in_where_no_tunnel_is_needed) {
    run_bounded([]() -> task<> {
        test_site site;
        foreign_proxy proxy(proxy_kind::http, "user", "word");
        co_await proxy.start();
        client by;
        const auto through = [&](login_scheme scheme) {
            return transfer_options().proxy(proxy_options(proxy.url("http")).login("user", "word", scheme));
        };
        request req(site.at("/bytes/400000"));
        transfer answer = co_await by.send(req.options(through(login_scheme::any)));
        std::string text = co_await answer.read_all();
        EXPECT_TRUE(text == numbered_text(400'000));
        request streamed(site.at("/taking"));
        streamed.method("PUT").body(upload::of_texts(pieces_of(numbered_text(400'000)), 400'000));
        streamed.without_field("Expect");  // tinyproxy does not pass on what would be waited for
        transfer taken = co_await by.send(streamed.options(through(login_scheme::basic)));
        text = co_await taken.read_all();
        EXPECT_EQ(text, "400000 whole");
        EXPECT_EQ(site.answers.exchanges, 2) << "what the proxy refuses does not get here";
    }());
}

TEST_F(curl_proxy_options, give_the_proxys_refusal_as_an_answer_where_no_tunnel_is_needed) {
    run_bounded([]() -> task<> {
        test_site site;
        foreign_proxy proxy(proxy_kind::http, "user", "word");
        co_await proxy.start();
        client by;
        for (const login_scheme scheme : {login_scheme::basic, login_scheme::any}) {
            transfer_options options;
            request req(site.at("/"));
            req.options(options.proxy(proxy_options(proxy.url("http")).login("user", "other", scheme)));
            const transfer refused = co_await by.send(req);
            // What tinyproxy says of a wrong login is a server's word.
            EXPECT_EQ(refused.status(), 401U);
            std::error_code error = co_await error_of(by.send(req.options(options.fail_on_status(true))));
            EXPECT_EQ(error, transfer_error::refused_status);
        }
        request req(site.at("/"));
        req.options(transfer_options().proxy(proxy_options(proxy.url("http"))));
        const transfer refused = co_await by.send(req);
        EXPECT_EQ(refused.status(), 407U);
        EXPECT_EQ(site.answers.exchanges, 0);
    }());
}

TEST_F(curl_proxy_options, say_who_resolves_names) {
    run_bounded([]() -> task<> {
        test_site site;
        // "localhost" is what the proxy's system says first.
        handle<> also_there;
        try {
            also_there =
                spawn(http::serve(tcp_listener::bind(endpoint::loopback_ipv6(site.port)), site.answers));
        } catch (const std::system_error&) {
            // There is no IPv6.
        }
        foreign_proxy proxy(proxy_kind::socks);
        co_await proxy.start();
        const std::string port = std::to_string(site.port);
        for (const char* scheme : {"socks5", "socks5h"}) {
            request req("http://localhost:" + port + "/");
            req.resolve("localhost:" + port + ":127.0.0.2");  // where no server listens
            req.options(transfer_options().proxy(proxy_options(proxy.url(scheme))));
            client by;
            const std::error_code error = co_await error_of(by.send(req));
            if (std::string_view(scheme) == "socks5") {
                EXPECT_EQ(error, transfer_error::proxy_refused) << error.message();
            } else {
                EXPECT_FALSE(error) << error.message();
            }
        }
    }());
}

}  // namespace
}  // namespace eddy::curl::proxy_options_test
