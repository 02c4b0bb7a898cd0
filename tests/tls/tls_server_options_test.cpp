#include "support/run_bounded.hpp"
#include "tls/tls_pair.hpp"

#include <eddy/tls/tls_error.hpp>
#include <eddy/tls/tls_server_options.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::tls_server_options_test {
namespace {

using namespace std::chrono_literals;
using test::authority;
using test::certificate_wish;
using test::client_options;
using test::refusals;
using test::run_bounded;
using test::server_options;
using test::shown;

task<tls_session_info> client_info(tls_server_options server, tls_client_options client, tls_target target) {
    auto [here, there] = duplex(65'536);
    auto ends = co_await test::secured(std::move(here), std::move(there), tls_context(std::move(server)),
                                       tls_context(std::move(client)), std::move(target));
    EXPECT_EQ(ends.server.info().version, ends.client.info().version);
    EXPECT_EQ(ends.server.info().alpn, ends.client.info().alpn);
    EXPECT_EQ(ends.server.info().cipher, ends.client.info().cipher);
    EXPECT_EQ(ends.server.info().server_name, ends.client.info().server_name);
    co_return ends.client.info();
}

std::string subject_for(const tls_server_options& server, const std::string& name) {
    return run_bounded([](tls_server_options options, std::string to) -> task<std::string> {
        auto info = co_await client_info(options, client_options().without_verification(), tls_target(to));
        co_return info.peer->subject;
    }(server, name));
}

// -- names --

tls_server_options several_names() {
    return server_options()
        .certificate(shown(authority().issue(certificate_wish("one.test").name("two.test"))))
        .certificate(shown(authority().issue(certificate_wish("*.wild.test"))))
        .certificate(shown(authority().issue(certificate_wish("exact.wild.test").rsa())));
}

TEST(a_tls_server, shows_the_certificate_of_the_name_that_is_asked_for) {
    const tls_server_options server = several_names();
    EXPECT_EQ(subject_for(server, "one.test"), "CN=one.test");
    EXPECT_EQ(subject_for(server, "two.test"), "CN=one.test");
    EXPECT_EQ(subject_for(server, "TWO.Test"), "CN=one.test");
    EXPECT_EQ(subject_for(server, "any.wild.test"), "CN=*.wild.test");
    EXPECT_EQ(subject_for(server, "exact.wild.test"), "CN=exact.wild.test");
}

TEST(a_tls_server, shows_its_first_certificate_for_other_names) {
    const tls_server_options server = several_names();
    EXPECT_EQ(subject_for(server, "localhost"), "CN=localhost");
    EXPECT_EQ(subject_for(server, "other.test"), "CN=localhost");
    EXPECT_EQ(subject_for(server, "wild.test"), "CN=localhost");
    EXPECT_EQ(subject_for(server, "two.labels.wild.test"), "CN=localhost");
    EXPECT_EQ(subject_for(server, "127.0.0.1"), "CN=localhost");
}

TEST(a_tls_server, refuses_unknown_names_if_it_is_told_to) {
    run_bounded([]() -> task<> {
        const tls_context server(several_names().refuse_unknown_names(true));
        const tls_context client(client_options().without_verification());
        const auto refused = co_await refusals(server, client, tls_target("other.test"));
        EXPECT_EQ(refused.first, tls_error::handshake_failed);
        EXPECT_EQ(refused.second, tls_error::alert_received);
        const auto fine = co_await refusals(server, client, tls_target("one.test"));
        EXPECT_FALSE(fine.first);
        EXPECT_FALSE(fine.second);
    }());
}

// -- protocols and versions --

TEST(a_tls_server, chooses_the_protocol_that_it_prefers) {
    run_bounded([]() -> task<> {
        const auto server = server_options().alpn({"h9", "http/1.1", "spdy"});
        // Lists are made outside of awaits, which g++ 12 needs.
        const auto either = client_options().alpn({"spdy", "http/1.1"});
        auto both = co_await client_info(server, either, tls_target("localhost"));
        EXPECT_EQ(both.alpn, "http/1.1");
        auto silent = co_await client_info(server, client_options(), tls_target("localhost"));
        EXPECT_EQ(silent.alpn, "");
        std::vector<std::string> wanted{"spdy"};
        const auto usual = client_options().alpn({"http/1.1"});
        auto own = co_await client_info(server, usual, tls_target("localhost").alpn(wanted));
        EXPECT_EQ(own.alpn, "spdy");
    }());
}

TEST(a_tls_server, refuses_clients_that_speak_none_of_its_protocols) {
    run_bounded([]() -> task<> {
        const tls_context server(server_options().alpn({"http/1.1"}));
        const tls_context client(client_options().alpn({"ftp"}));
        const auto refused = co_await refusals(server, client, tls_target("localhost"));
        EXPECT_EQ(refused.first, tls_error::handshake_failed);
        EXPECT_EQ(refused.second, tls_error::alert_received);
    }());
}

TEST(a_tls_server, speaks_both_versions) {
    run_bounded([]() -> task<> {
        auto newest = co_await client_info(server_options(), client_options(), tls_target("localhost"));
        EXPECT_EQ(newest.version, tls_version::tls_1_3);
        auto older = co_await client_info(
            server_options(), client_options().version_max(tls_version::tls_1_2), tls_target("localhost"));
        EXPECT_EQ(older.version, tls_version::tls_1_2);
        EXPECT_EQ(name_of(older.version), "TLSv1.2");
    }());
}

TEST(a_tls_server, speaks_no_version_below_its_minimum) {
    run_bounded([]() -> task<> {
        const tls_context server(server_options().version_min(tls_version::tls_1_3));
        const tls_context client(client_options().version_max(tls_version::tls_1_2));
        const auto refused = co_await refusals(server, client, tls_target("localhost"));
        EXPECT_EQ(refused.first, tls_error::handshake_failed);
        EXPECT_EQ(refused.second, tls_error::alert_received);
    }());
}

// -- groups --

tls_server_options with_groups(const char* list) {
    return server_options().groups(list);
}

TEST(a_tls_server, exchanges_keys_in_groups_that_cost_it_little) {
    run_bounded([]() -> task<> {
        for (const std::string group : {"X25519", "P-256", "P-384"}) {
            auto info = co_await client_info(server_options(), client_options().groups(group),
                                             tls_target("localhost"));
            EXPECT_FALSE(info.group.empty()) << group;
        }
        auto usual = co_await client_info(server_options(), client_options(), tls_target("localhost"));
        EXPECT_EQ(usual.group, "x25519");
        for (const std::string group : {"P-521", "X448", "ffdhe2048", "ffdhe8192"}) {
            const auto refused =
                co_await refusals(tls_context(server_options()), tls_context(client_options().groups(group)),
                                  tls_target("localhost"));
            EXPECT_EQ(refused.first, tls_error::handshake_failed) << group;
            EXPECT_EQ(refused.second, tls_error::alert_received) << group;
        }
    }());
}

TEST(a_tls_server, exchanges_keys_in_the_groups_that_it_is_given) {
    run_bounded([]() -> task<> {
        for (const std::string group : {"P-256", "ffdhe2048"}) {
            auto info = co_await client_info(with_groups("ffdhe2048:P-256"), client_options().groups(group),
                                             tls_target("localhost"));
            EXPECT_EQ(info.group, group == "P-256" ? "secp256r1" : "ffdhe2048");
        }
        const auto refused =
            co_await refusals(tls_context(with_groups("ffdhe2048:P-256")),
                              tls_context(client_options().groups("X25519")), tls_target("localhost"));
        EXPECT_EQ(refused.first, tls_error::handshake_failed);
    }());
}

TEST(a_tls_server, knows_no_groups_of_other_names) {
    for (const char* const list : {"", "x", "X25519:", "X25519:nonsense"})
        EXPECT_THROW(tls_context{with_groups(list)}, std::invalid_argument) << list;
    EXPECT_THROW(tls_context(client_options().groups("nonsense")), std::invalid_argument);
}

TEST(handshakes, are_computed_on_the_pool_where_they_take_long) {
    EXPECT_FALSE(tls_context(server_options()).offload_handshakes());
    EXPECT_TRUE(tls_context(with_groups("X25519:ffdhe2048")).offload_handshakes());
    EXPECT_TRUE(tls_context(client_options().groups("ffdhe2048")).offload_handshakes());
    EXPECT_FALSE(tls_context(with_groups("X25519:ffdhe2048").offload_handshakes(false)).offload_handshakes());
    EXPECT_TRUE(tls_context(server_options().offload_handshakes(true)).offload_handshakes());
}

// -- certificates of clients --

tls_server_options asking(tls_client_check check) {
    return server_options().client_certificates(check, tls_trust().pem(authority().pem()));
}

TEST(a_tls_server, knows_clients_by_their_certificates) {
    run_bounded([]() -> task<> {
        const auto own = shown(authority().issue(certificate_wish("client.test")));
        for (const tls_client_check check : {tls_client_check::optional, tls_client_check::required}) {
            auto ends = co_await test::secured_pipe(tls_context(asking(check)),
                                                    tls_context(client_options().certificate(own)));
            EXPECT_TRUE(ends.server.info().peer.has_value());
            EXPECT_EQ(ends.server.info().peer->subject, "CN=client.test");
            EXPECT_EQ(ends.server.info().peer->names, std::vector<std::string>{"client.test"});
            EXPECT_TRUE(ends.server.info().peer->is_verified);
        }
    }());
}

TEST(a_tls_server, takes_clients_without_certificates_unless_it_requires_them) {
    run_bounded([]() -> task<> {
        auto ends = co_await test::secured_pipe(tls_context(asking(tls_client_check::optional)));
        EXPECT_FALSE(ends.server.info().peer);
        const auto refused = co_await refusals(tls_context(asking(tls_client_check::required)),
                                               tls_context(client_options()), tls_target("localhost"));
        EXPECT_EQ(refused.first, tls_error::certificate_missing);
    }());
}

TEST(a_tls_server, refuses_certificates_of_clients_that_it_does_not_trust) {
    run_bounded([]() -> task<> {
        const test::certificate_authority stranger("stranger");
        const auto bad = shown(stranger.issue(certificate_wish("client.test")));
        for (const tls_version version : {tls_version::tls_1_2, tls_version::tls_1_3}) {
            const auto refused = co_await refusals(
                tls_context(asking(tls_client_check::optional)),
                tls_context(client_options().certificate(bad).version_max(version)), tls_target("localhost"));
            EXPECT_EQ(refused.first, tls_error::certificate_refused);
        }
    }());
}

TEST(a_client_that_is_refused, is_told_so_when_it_reads) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(65'536);
        auto accepting = spawn(
            test::error_of(tls_accept(std::move(here), tls_context(asking(tls_client_check::required)))));
        auto client =
            co_await tls_connect(std::move(there), tls_context(client_options()), tls_target("localhost"));
        const auto met = co_await test::error_of(test::read_text(client));
        EXPECT_EQ(met, tls_error::alert_received);
        EXPECT_EQ(co_await accepting, tls_error::certificate_missing);
    }());
}

// -- resumption --

task<bool> resumes(tls_context server, tls_context client, tls_target target = tls_target("localhost")) {
    auto [here, there] = duplex(65'536);
    auto ends = co_await test::secured(std::move(here), std::move(there), server, client, target);
    co_await test::write_text(ends.server, "hello");
    EXPECT_EQ(co_await test::read_text(ends.client), "hello");
    EXPECT_EQ(ends.server.info().is_resumed, ends.client.info().is_resumed);
    co_return ends.client.info().is_resumed;
}

TEST(a_session, is_resumed) {
    run_bounded([]() -> task<> {
        for (const tls_version version : {tls_version::tls_1_2, tls_version::tls_1_3}) {
            const tls_context server(server_options());
            const tls_context client(client_options().version_max(version));
            EXPECT_FALSE(co_await resumes(server, client));
            EXPECT_TRUE(co_await resumes(server, client)) << name_of(version);
            EXPECT_TRUE(co_await resumes(server, client)) << name_of(version);
            EXPECT_FALSE(co_await resumes(server, client, tls_target("127.0.0.1")));
            EXPECT_FALSE(co_await resumes(server, client, tls_target("localhost").session_scope("8443")));
        }
    }());
}

TEST(a_session, is_not_resumed_where_one_side_does_not_want_it) {
    run_bounded([]() -> task<> {
        for (const tls_version version : {tls_version::tls_1_2, tls_version::tls_1_3}) {
            const tls_context server(server_options());
            const tls_context forgetful_server(server_options().tickets(0));
            const tls_context client(client_options().version_max(version));
            const tls_context forgetful_client(client_options().version_max(version).sessions_max(0));
            for (int round = 0; round < 2; ++round) {
                EXPECT_FALSE(co_await resumes(forgetful_server, client));
                EXPECT_FALSE(co_await resumes(server, forgetful_client));
            }
        }
    }());
}

TEST(a_session, keeps_the_certificate_of_the_client) {
    run_bounded([]() -> task<> {
        const auto own = shown(authority().issue(certificate_wish("client.test")));
        const tls_context server(asking(tls_client_check::required));
        const tls_context client(client_options().certificate(own));
        EXPECT_FALSE(co_await resumes(server, client));
        auto ends = co_await test::secured_pipe(server, client);
        EXPECT_TRUE(ends.server.info().is_resumed);
        EXPECT_TRUE(ends.server.info().peer.has_value());
        EXPECT_EQ(ends.server.info().peer->subject, "CN=client.test");
    }());
}

TEST(a_session, is_forgotten_by_a_client_that_has_newer_ones_enough) {
    run_bounded([]() -> task<> {
        const tls_context server(server_options());
        const tls_context client(client_options().sessions_max(1));
        EXPECT_FALSE(co_await resumes(server, client));
        EXPECT_FALSE(co_await resumes(server, client, tls_target("127.0.0.1")));
        EXPECT_FALSE(co_await resumes(server, client));
        EXPECT_TRUE(co_await resumes(server, client));
    }());
}

}  // namespace
}  // namespace eddy::tls_server_options_test
