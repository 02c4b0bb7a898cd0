#include "integrations_curl/test_site.hpp"
#include "support/certificates.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"

#include <eddy/integrations/curl/client.hpp>
#include <eddy/integrations/curl/error.hpp>
#include <eddy/tls/tls_context.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>

// Over TLS, whose server proves who it is or is not spoken to.
namespace eddy::curl::own_tls_test {
namespace {

using eddy::test::certificate_authority;
using eddy::test::certificate_wish;
using eddy::test::error_of;
using eddy::test::key_and_certificate;
using eddy::test::numbered_text;
using eddy::test::run_bounded;
using eddy::test::scratch_directory;
using eddy::test::test_site;

http::server_options secured(const key_and_certificate& shown) {
    return http::server_options().tls(
        tls_context(tls_server_options(tls_certificate::pem(shown.certificate_pem(), shown.key_pem()))));
}

request trusting(std::string url, const tls_options& tls) {
    return request(std::move(url)).options(transfer_options().tls(tls));
}

TEST(curl_over_tls, carries_bodies_both_ways) {
    run_bounded([]() -> task<> {
        const certificate_authority authority;
        test_site site(secured(authority.issue(certificate_wish("localhost").address("127.0.0.1"))));
        site.scheme = "https";
        client by(client_options().transfers(transfer_options().tls(tls_options().ca_pem(authority.pem()))));
        transfer down = co_await by.get(site.at("/bytes/3000000"));
        std::string text = co_await down.read_all();
        EXPECT_TRUE(text == numbered_text(3'000'000));
        EXPECT_GT(down.statistics().tls_ready, down.statistics().connected);
        transfer up = co_await by.put(site.at("/taking"), numbered_text(3'000'000), "a/b");
        text = co_await up.read_all();
        EXPECT_EQ(text, "3000000 whole");
    }());
}

TEST(curl_over_tls, refuses_servers_that_prove_nothing) {
    run_bounded([]() -> task<> {
        const certificate_authority authority;
        const certificate_authority another("another authority");
        test_site site(secured(authority.issue(certificate_wish("localhost"))));
        const std::string by_name = "https://localhost:" + std::to_string(site.port) + "/";
        const std::string by_address = "https://127.0.0.1:" + std::to_string(site.port) + "/";
        const tls_options known = tls_options().ca_pem(authority.pem());
        const tls_options unknown = tls_options().ca_pem(another.pem());
        client by;
        std::error_code error = co_await error_of(by.send(trusting(by_name, known)));
        EXPECT_FALSE(error) << error.message();
        error = co_await error_of(by.send(trusting(by_address, known)));
        EXPECT_EQ(error, transfer_error::peer_not_verified) << "the certificate has another name";
        error = co_await error_of(by.send(trusting(by_name, unknown)));
        EXPECT_EQ(error, transfer_error::peer_not_verified) << "another authority";
        error = co_await error_of(by.get(by_name));
        EXPECT_EQ(error, transfer_error::peer_not_verified) << "the system knows no such authority";
        error = co_await error_of(by.send(trusting(by_address, tls_options().verify(false))));
        EXPECT_FALSE(error) << "on demand anybody is spoken to";
        error = co_await error_of(by.send(trusting(by_name, known)));
        EXPECT_FALSE(error) << error.message();
        EXPECT_EQ(site.answers.exchanges, 3);
    }());
}

TEST(curl_over_tls, reads_authorities_from_files_and_says_if_there_are_none) {
    run_bounded([]() -> task<> {
        const certificate_authority authority;
        const scratch_directory directory;
        directory.write("ca.pem", authority.pem());
        directory.write("empty.pem", "");
        test_site site(secured(authority.issue(certificate_wish("localhost").address("127.0.0.1"))));
        site.scheme = "https";
        client by;
        std::error_code error =
            co_await error_of(by.send(trusting(site.at("/"), tls_options().ca_file(directory.at("ca.pem")))));
        EXPECT_FALSE(error) << error.message();
        error =
            co_await error_of(by.send(trusting(site.at("/"), tls_options().ca_file(directory.at("none")))));
        EXPECT_EQ(error, transfer_error::ca_file_wrong);
        error = co_await error_of(
            by.send(trusting(site.at("/"), tls_options().ca_file(directory.at("empty.pem")))));
        EXPECT_EQ(error, transfer_error::ca_file_wrong);
    }());
}

TEST(curl_over_tls, shows_a_certificate_of_its_own) {
    run_bounded([]() -> task<> {
        const certificate_authority authority;
        const scratch_directory directory;
        const key_and_certificate own = authority.issue(certificate_wish("a client"));
        directory.write("own.pem", own.certificate_pem());
        directory.write("own.key", own.key_pem("password"));
        const key_and_certificate shown = authority.issue(certificate_wish("localhost").address("127.0.0.1"));
        tls_server_options demanding(tls_certificate::pem(shown.certificate_pem(), shown.key_pem()));
        demanding.client_certificates(tls_client_check::required, tls_trust().pem(authority.pem()));
        test_site site(http::server_options().tls(tls_context(demanding)));
        site.scheme = "https";
        client by;
        tls_options tls = tls_options().ca_pem(authority.pem());
        std::error_code error = co_await error_of(by.send(trusting(site.at("/"), tls)));
        EXPECT_TRUE(error) << "nobody is let in without one";
        tls.client_certificate(directory.at("own.pem"), directory.at("own.key"), "password");
        error = co_await error_of(by.send(trusting(site.at("/"), tls)));
        EXPECT_FALSE(error) << error.message();
        tls.client_certificate(directory.at("own.pem"), directory.at("own.key"), "wrong");
        client another;
        error = co_await error_of(another.send(trusting(site.at("/"), tls)));
        EXPECT_EQ(error, transfer_error::client_certificate_wrong);
    }());
}

}  // namespace
}  // namespace eddy::curl::own_tls_test
