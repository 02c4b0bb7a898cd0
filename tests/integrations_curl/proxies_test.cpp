#include "integrations_curl/test_site.hpp"
#include "support/certificates.hpp"
#include "support/descriptors.hpp"
#include "support/foreign_proxy.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/integrations/curl/client.hpp>
#include <eddy/integrations/curl/error.hpp>
#include <eddy/tls/tls_context.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// By proxies that others have written, tinyproxy and microsocks: what is the same with both of them.
namespace eddy::curl::proxies_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::certificate_authority;
using eddy::test::certificate_wish;
using eddy::test::error_of;
using eddy::test::foreign_proxy;
using eddy::test::key_and_certificate;
using eddy::test::numbered_text;
using eddy::test::open_descriptors;
using eddy::test::run_bounded;
using eddy::test::test_site;
using eddy::test::turns;
using eddy::test::turns_until;
using eddy::test::turns_until_done;

using proxy_kind = foreign_proxy::kind;

http::server_options secured(const key_and_certificate& shown) {
    return http::server_options().tls(
        tls_context(tls_server_options(tls_certificate::pem(shown.certificate_pem(), shown.key_pem()))));
}

/// A site with TLS and one without, whose only name is "localhost".
class sites {
public:
    sites() : secure_site(secured(authority.issue(certificate_wish("localhost")))) {
        secure_site.scheme = "https";
    }
    [[nodiscard]] request asking(std::string_view path) const {
        const std::string port = std::to_string(secure_site.port);
        request made("https://localhost:" + port + std::string(path));
        made.resolve("localhost:" + port + ":127.0.0.1");
        return made;
    }

    certificate_authority authority;
    test_site plain_site;
    test_site secure_site;
};

proxy_options options_for(proxy_kind kind, const foreign_proxy& proxy) {
    return proxy_options(proxy.url(kind == proxy_kind::http ? "http" : "socks5"));
}

transfer_options options_by(proxy_options proxy, const certificate_authority& authority) {
    return transfer_options().proxy(std::move(proxy)).tls(tls_options().ca_pem(authority.pem()));
}

async_generator<std::string> pieces_of(std::string text) {
    for (std::size_t at = 0; at < text.size(); at += 30'000)
        co_yield text.substr(at, 30'000);
}

class curl_by_a_proxy : public ::testing::TestWithParam<proxy_kind> {
protected:
    void SetUp() override {
        if (!foreign_proxy::is_installed(GetParam()))
            GTEST_SKIP() << "[tinyproxy] the proxy is not installed";
    }
};

INSTANTIATE_TEST_SUITE_P(foreign, curl_by_a_proxy, ::testing::Values(proxy_kind::http, proxy_kind::socks),
                         [](const auto& of) { return of.param == proxy_kind::http ? "http" : "socks"; });

task<> carry_both_ways(proxy_kind kind) {
    const sites origin;
    foreign_proxy proxy(kind);
    co_await proxy.start();
    client by(client_options().transfers(options_by(options_for(kind, proxy), origin.authority)));
    for (const request& wanted :
         {request(origin.plain_site.at("/bytes/2000000")), origin.asking("/bytes/2000000")}) {
        transfer down = co_await by.send(wanted);
        std::string text = co_await down.read_all();
        EXPECT_TRUE(text == numbered_text(2'000'000));
        EXPECT_EQ(down.statistics().peer_port, proxy.port());
    }
    for (request wanted : {request(origin.plain_site.at("/taking")), origin.asking("/taking")}) {
        wanted.method("PUT").body(upload::of_texts(pieces_of(numbered_text(900'000)), 900'000));
        wanted.without_field("Expect");  // tinyproxy does not pass on what would be waited for
        transfer up = co_await by.send(wanted);
        std::string text = co_await up.read_all();
        EXPECT_EQ(text, "900000 whole");
    }
}

TEST_P(curl_by_a_proxy, carries_bodies_both_ways) {
    run_bounded(carry_both_ways(GetParam()));
}

task<> verify_through_tunnel(proxy_kind kind) {
    const sites origin;
    foreign_proxy proxy(kind);
    co_await proxy.start();
    const proxy_options through = options_for(kind, proxy);
    client by;
    request wanted = origin.asking("/");
    wanted.options(options_by(through, origin.authority));
    std::error_code error = co_await error_of(by.send(wanted));
    EXPECT_FALSE(error) << error.message();
    request by_address(origin.secure_site.at("/"));
    by_address.options(options_by(through, origin.authority));
    error = co_await error_of(by.send(by_address));
    EXPECT_EQ(error, transfer_error::peer_not_verified) << "the certificate has another name";
    const certificate_authority another("another authority");
    wanted.options(options_by(through, another));
    error = co_await error_of(by.send(wanted));
    EXPECT_EQ(error, transfer_error::peer_not_verified) << "another authority";
    EXPECT_EQ(origin.secure_site.answers.exchanges, 1);
}

TEST_P(curl_by_a_proxy, verifies_the_server_at_the_tunnels_end_by_its_name) {
    run_bounded(verify_through_tunnel(GetParam()));
}

task<> reuse_tunnels(proxy_kind kind) {
    const sites origin;
    foreign_proxy proxy(kind);
    co_await proxy.start();
    client by(client_options().transfers(options_by(options_for(kind, proxy), origin.authority)));
    for (unsigned count = 0; count < 5; ++count) {
        transfer answer = co_await by.send(origin.asking("/bytes/100000"));
        co_await answer.finish();
        EXPECT_EQ(answer.statistics().connections_made, count == 0 ? 1U : 0U);
    }
    transfer direct = by.start(origin.asking("/").options(options_by(proxy_options(), origin.authority)));
    co_await direct.finish();
    EXPECT_EQ(direct.statistics().connections_made, 1U) << "who wants no proxy is not given its tunnel";
    EXPECT_EQ(direct.statistics().peer_port, origin.secure_site.port);
}

TEST_P(curl_by_a_proxy, uses_a_tunnel_again) {
    run_bounded(reuse_tunnels(GetParam()));
}

/// Of a client of its own, which has no tunnel yet.
task<std::error_code> outcome_of(const sites& origin, proxy_options through) {
    client by;
    request req = origin.asking("/");
    req.options(options_by(std::move(through), origin.authority));
    co_return co_await error_of(by.send(req));
}

task<> log_in(proxy_kind kind) {
    const sites origin;
    foreign_proxy proxy(kind, "user", "word");
    co_await proxy.start();
    const proxy_options none = options_for(kind, proxy);
    std::error_code error = co_await outcome_of(origin, proxy_options(none).login("user", "word"));
    EXPECT_FALSE(error) << error.message();
    std::string with_login = none.url();
    with_login.insert(with_login.find("://") + 3, "user:%77ord@");
    error = co_await outcome_of(origin, proxy_options(with_login));
    EXPECT_FALSE(error) << error.message();
    error = co_await outcome_of(origin, proxy_options(none).login("user", "another"));
    EXPECT_EQ(error, transfer_error::proxy_refused) << error.message();
    error = co_await outcome_of(origin, proxy_options(none).login("other", "word", login_scheme::basic));
    EXPECT_EQ(error, transfer_error::proxy_refused) << error.message();
    error = co_await outcome_of(origin, none);
    EXPECT_EQ(error, transfer_error::proxy_refused) << error.message();
    EXPECT_EQ(origin.secure_site.answers.exchanges, 2);
}

TEST_P(curl_by_a_proxy, proves_who_it_is_and_is_refused_if_it_cannot) {
    run_bounded(log_in(GetParam()));
}

task<> send_stream(proxy_kind kind) {
    const sites origin;
    foreign_proxy proxy(kind, "user", "word");
    co_await proxy.start();
    client by;
    request streamed = origin.asking("/taking");
    streamed.method("PUT").body(upload::of_texts(pieces_of(numbered_text(400'000)), 400'000));
    streamed.options(options_by(options_for(kind, proxy).login("user", "word"), origin.authority));
    transfer taken = co_await by.send(streamed);
    const std::string text = co_await taken.read_all();
    EXPECT_EQ(text, "400000 whole");
}

TEST_P(curl_by_a_proxy, asks_twice_for_the_tunnel_only_so_that_a_stream_can_be_sent) {
    run_bounded(send_stream(GetParam()));
}

task<> miss_the_server(proxy_kind kind) {
    foreign_proxy proxy(kind);
    co_await proxy.start();
    client by(client_options().transfers(transfer_options().proxy(options_for(kind, proxy))));
    const std::error_code error = co_await error_of(by.get("https://127.0.0.1:1/"));
    EXPECT_EQ(error, transfer_error::proxy_refused) << error.message();
}

TEST_P(curl_by_a_proxy, says_that_the_proxy_does_not_reach_the_server) {
    run_bounded(miss_the_server(GetParam()));
}

task<> lose_the_proxy(proxy_kind kind) {
    const sites origin;
    foreign_proxy proxy(kind);
    co_await proxy.start();
    client by;
    const transfer_options options = options_by(options_for(kind, proxy), origin.authority);
    transfer kept = by.start(origin.asking("/").options(options));
    co_await kept.finish();
    request plain(origin.plain_site.at("/endless"));
    transfer cut_off = co_await by.send(plain.options(options));
    transfer cut_off_securely = co_await by.send(origin.asking("/endless").options(options));
    co_await proxy.stop();
    for (transfer* const each : {&cut_off, &cut_off_securely}) {
        const std::error_code error = co_await error_of(each->finish());
        EXPECT_TRUE(error == transfer_error::partial_file || error == transfer_error::receive_failed)
            << error.message();
    }
    const std::error_code error = co_await error_of(by.send(origin.asking("/").options(options)));
    EXPECT_EQ(error, transfer_error::cannot_connect) << "the tunnel that was kept has gone too";
    co_await proxy.start();
    proxy.suspend();
    request waiting = origin.asking("/");
    waiting.options(transfer_options(options).connect_time(100ms));
    const std::error_code late = co_await error_of(by.send(waiting));
    EXPECT_EQ(late, transfer_error::timed_out) << late.message();
}

TEST_P(curl_by_a_proxy, notices_soon_that_the_proxy_has_gone) {
    run_bounded(lose_the_proxy(GetParam()));
}

task<> drop_half_way(proxy_kind kind) {
    const sites origin;
    foreign_proxy proxy(kind, "user", "word");
    co_await proxy.start();
    const transfer_options options =
        options_by(options_for(kind, proxy).login("user", "word"), origin.authority);
    const std::size_t before = open_descriptors();
    constexpr int rounds = 16;
    int whole = 0;
    for (int round = 0; round <= rounds; ++round) {
        client by(client_options().transfers(options));
        std::vector<transfer> several;
        for (int count = 0; count < 2; ++count) {
            several.push_back(by.start(origin.plain_site.at("/endless")));
            several.push_back(by.start(origin.asking("/endless")));
        }
        // The first goes as far as the body of the slower one; the others are dropped at the connection, the
        // proxy's greeting, the login, or in TLS.
        if (round == 0)
            whole = co_await turns_until_done(several[1].head());
        else
            co_await turns(whole * round / rounds);
        several.erase(several.begin() + 1, several.begin() + 3);
        EXPECT_EQ(by.running(), 2U);
    }
    // The server's side ends by itself, once the proxy has noticed.
    co_await turns_until([&] { return open_descriptors() <= before; });
    client again(client_options().transfers(options));
    transfer answer = co_await again.send(origin.asking("/bytes/100000"));
    const std::string text = co_await answer.read_all();
    EXPECT_TRUE(text == numbered_text(100'000));
}

TEST_P(curl_by_a_proxy, leaves_no_descriptor_when_it_is_dropped_half_way) {
    run_bounded(drop_half_way(GetParam()));
}

}  // namespace
}  // namespace eddy::curl::proxies_test
