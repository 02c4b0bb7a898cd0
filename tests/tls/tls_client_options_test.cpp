#include "support/ocsp_response.hpp"
#include "support/run_bounded.hpp"
#include "tls/tls_pair.hpp"

#include <eddy/tls/tls_client_options.hpp>
#include <eddy/tls/tls_error.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace eddy::tls_client_options_test {
namespace {

using namespace std::chrono_literals;
using test::authority;
using test::certificate_wish;
using test::client_options;
using test::refusals;
using test::run_bounded;
using test::shown;

/// What a client says of a server with this certificate.
std::error_code verdict(const test::key_and_certificate& made, const std::string& name,
                        const tls_client_options& client = client_options()) {
    return run_bounded(
        [](tls_certificate own, tls_target to, tls_client_options options) -> task<std::error_code> {
            const auto refused =
                co_await refusals(tls_context(tls_server_options(std::move(own))), tls_context(options), to);
            co_return refused.second;
        }(shown(made), tls_target(name), client));
}

TEST(a_tls_client, takes_certificates_of_whom_it_trusts) {
    EXPECT_FALSE(verdict(test::localhost(), "localhost"));
    EXPECT_FALSE(verdict(test::localhost(), "LOCALHOST."));
    EXPECT_FALSE(verdict(test::localhost(), "127.0.0.1"));
    EXPECT_FALSE(verdict(test::localhost(), "::1"));
    EXPECT_FALSE(verdict(authority().issue(certificate_wish("*.wild.test")), "a.wild.test"));
}

TEST(a_tls_client, refuses_certificates_for_other_names) {
    EXPECT_EQ(verdict(test::localhost(), "other.test"), tls_error::certificate_refused);
    EXPECT_EQ(verdict(test::localhost(), "127.0.0.2"), tls_error::certificate_refused);
    EXPECT_EQ(verdict(authority().issue(certificate_wish("*.wild.test")), "wild.test"),
              tls_error::certificate_refused);
    EXPECT_EQ(verdict(authority().issue(certificate_wish("*.wild.test")), "a.b.wild.test"),
              tls_error::certificate_refused);
    EXPECT_EQ(verdict(authority().issue(certificate_wish("a*.part.test")), "ab.part.test"),
              tls_error::certificate_refused);
}

// RFC 9110 section 4.3.4.
TEST(a_tls_client, refuses_certificates_that_name_the_server_in_their_subject_only) {
    EXPECT_EQ(verdict(authority().issue(certificate_wish("localhost").only_in_subject()), "localhost"),
              tls_error::certificate_refused);
}

TEST(a_tls_client, knows_no_server_whose_name_has_an_empty_label) {
    const auto wide = authority().issue(certificate_wish("a.test").name("*.test"));
    for (const char* const name : {".test", ".a.test", "a..test", "..", "a.test.."})
        EXPECT_THROW(static_cast<void>(verdict(wide, name)), std::invalid_argument) << name;
    EXPECT_FALSE(verdict(wide, "a.test."));
}

TEST(a_tls_client, refuses_certificates_that_are_not_valid_now) {
    EXPECT_EQ(verdict(authority().issue(certificate_wish("localhost").valid(-48h, -24h)), "localhost"),
              tls_error::certificate_refused);
    EXPECT_EQ(verdict(authority().issue(certificate_wish("localhost").valid(24h, 48h)), "localhost"),
              tls_error::certificate_refused);
}

TEST(a_tls_client, refuses_certificates_of_whom_it_does_not_know) {
    const test::certificate_authority stranger("stranger");
    EXPECT_EQ(verdict(stranger.issue(certificate_wish("localhost")), "localhost"),
              tls_error::certificate_refused);
    EXPECT_EQ(verdict(test::certificate_authority::self_signed(certificate_wish("localhost")), "localhost"),
              tls_error::certificate_refused);
    // An authority with the same name and another key.
    const test::certificate_authority impostor;
    EXPECT_EQ(verdict(impostor.issue(certificate_wish("localhost")), "localhost"),
              tls_error::certificate_refused);
}

TEST(a_tls_client, trusts_whom_the_system_trusts_by_default) {
    EXPECT_EQ(verdict(test::localhost(), "localhost", tls_client_options()), tls_error::certificate_refused);
}

TEST(a_tls_client, trusts_a_single_certificate_that_it_knows) {
    const auto own = test::certificate_authority::self_signed(certificate_wish("localhost"));
    EXPECT_FALSE(
        verdict(own, "localhost", tls_client_options().trust(tls_trust().pem(own.certificate_pem()))));
}

TEST(a_tls_client, takes_any_certificate_only_if_it_is_told_to) {
    const auto own = test::certificate_authority::self_signed(certificate_wish("other").valid(-48h, -24h));
    EXPECT_FALSE(verdict(own, "localhost", tls_client_options().without_verification()));
}

TEST(a_tls_client, says_why_it_refuses) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(65'536);
        tls_server_options server(shown(authority().issue(certificate_wish("localhost").valid(-48h, -24h))));
        auto accepting = spawn(test::error_of(tls_accept(std::move(here), tls_context(server))));
        std::string why;
        try {
            co_await tls_connect(std::move(there), tls_context(client_options()), tls_target("localhost"));
        } catch (const std::system_error& error) {
            why = error.what();
        }
        EXPECT_NE(why.find("certificate has expired"), std::string::npos) << why;
        EXPECT_EQ(co_await accepting, tls_error::alert_received);
    }());
}

TEST(a_tls_client, needs_a_name_to_verify) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(65'536);
        bool is_refused = false;
        try {
            co_await tls_connect(std::move(there), tls_context(client_options()), tls_target(""));
        } catch (const std::invalid_argument&) {
            is_refused = true;
        }
        EXPECT_TRUE(is_refused);
    }());
}

TEST(a_tls_client, resumes_no_session_whose_certificate_was_not_verified) {
    run_bounded([]() -> task<> {
        // Contexts do not share sessions, so one that verifies makes a handshake of its own.
        const auto own = test::certificate_authority::self_signed(certificate_wish("localhost"));
        const tls_context server{tls_server_options(shown(own))};
        const tls_context careless(client_options().without_verification());
        for (int round = 0; round < 2; ++round) {
            auto ends = co_await test::secured_pipe(server, careless);
            co_await test::write_text(ends.server, "x");
            EXPECT_EQ(co_await test::read_text(ends.client), "x");
            EXPECT_EQ(ends.client.info().is_resumed, round == 1);
            EXPECT_FALSE(ends.client.info().peer->is_verified);
        }
        const auto refused =
            co_await refusals(server, tls_context(client_options()), tls_target("localhost"));
        EXPECT_EQ(refused.second, tls_error::certificate_refused);
    }());
}

// -- what the authority says (OCSP) --

/// What a client that requires it says of a server that hands this over.
std::error_code verdict_on(const std::string& der, std::chrono::seconds age_max = std::chrono::days(10)) {
    return run_bounded([](std::string response, std::chrono::seconds age) -> task<std::error_code> {
        tls_certificate own = shown(test::localhost());
        if (!response.empty())
            own.ocsp_response(tls_material::text(std::move(response)));
        const tls_context client(client_options().require_ocsp(true).ocsp_age_max(age));
        const auto refused =
            co_await refusals(tls_context{tls_server_options(own)}, client, tls_target("localhost"));
        co_return refused.second;
    }(der, age_max));
}

TEST(a_tls_client, takes_only_certificates_that_the_authority_says_are_good) {
    const test::key_and_certificate& signer = authority().own();
    EXPECT_FALSE(verdict_on(test::ocsp_response(signer, test::localhost(), true)));
    EXPECT_EQ(verdict_on(""), tls_error::certificate_refused);
    EXPECT_EQ(verdict_on("nonsense"), tls_error::certificate_refused);
    EXPECT_EQ(verdict_on(test::ocsp_response(signer, test::localhost(), false)),
              tls_error::certificate_refused);
    EXPECT_EQ(verdict_on(test::ocsp_response(signer, test::localhost(), true, -1h)),
              tls_error::certificate_refused);
    const auto other = authority().issue(certificate_wish("other.test"));
    EXPECT_EQ(verdict_on(test::ocsp_response(signer, other, true)), tls_error::certificate_refused);
    const test::certificate_authority stranger("stranger");
    EXPECT_EQ(verdict_on(test::ocsp_response(stranger.own(), test::localhost(), true)),
              tls_error::certificate_refused);
}

TEST(a_tls_client, takes_no_old_word_of_the_authority) {
    using std::chrono::days;
    using std::chrono::seconds;
    const auto as_of = [](seconds age) {
        return test::ocsp_response(authority().own(), test::localhost(), true, days(300), age);
    };
    EXPECT_FALSE(verdict_on(as_of(days(9))));
    EXPECT_EQ(verdict_on(as_of(days(11))), tls_error::certificate_refused);
    EXPECT_FALSE(verdict_on(as_of(days(11)), days(12)));
    EXPECT_FALSE(verdict_on(as_of(days(300)), seconds::max()));
    for (const seconds none : {seconds::min(), seconds(-1), seconds(0), seconds(1)}) {
        EXPECT_FALSE(verdict_on(as_of(seconds(0)), none));
        EXPECT_EQ(verdict_on(as_of(seconds(1000)), none), tls_error::certificate_refused);
    }
}

TEST(a_tls_client, sees_what_the_server_hands_over) {
    run_bounded([]() -> task<> {
        const std::string der = test::ocsp_response(authority().own(), test::localhost(), false);
        tls_certificate own = shown(test::localhost());
        own.ocsp_response(tls_material::text(der));
        const tls_context server{tls_server_options(own)};
        auto asking = co_await test::secured_pipe(server, tls_context(client_options().ask_ocsp(true)));
        EXPECT_EQ(asking.client.info().ocsp_response, der);
        auto silent = co_await test::secured_pipe(server, tls_context(client_options()));
        EXPECT_EQ(silent.client.info().ocsp_response, "");
    }());
}

}  // namespace
}  // namespace eddy::tls_client_options_test
