#include "support/no_more_descriptors.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"
#include "tls/tls_pair.hpp"

#include <eddy/tls/tls_context.hpp>
#include <eddy/tls/tls_error.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace eddy::tls_context_test {
namespace {

using namespace std::chrono_literals;
using test::authority;
using test::certificate_wish;
using test::client_options;
using test::run_bounded;
using test::scratch_directory;
using test::shown;

/// What making a context says.
std::string refusal(const tls_certificate& certificate) {
    try {
        const tls_context made{tls_server_options(certificate)};
    } catch (const std::system_error& error) {
        EXPECT_EQ(error.code(), tls_error::bad_certificate_file);
        return error.what();
    }
    return "";
}

bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

void write_files(const scratch_directory& place, const test::key_and_certificate& made) {
    place.write("chain.pem", made.certificate_pem());
    place.write("key.pem", made.key_pem());
}

tls_certificate in_files(const scratch_directory& place) {
    return tls_certificate::files(place.at("chain.pem"), place.at("key.pem"));
}

TEST(a_tls_context, reads_files) {
    const scratch_directory place;
    write_files(place, test::localhost());
    place.write("authority.pem", authority().pem());
    run_bounded([](tls_context server, tls_context client) -> task<> {
        auto ends = co_await test::secured_pipe(server, client);
        EXPECT_EQ(ends.client.info().peer->subject, "CN=localhost");
    }(tls_context{tls_server_options(in_files(place))}, tls_context{tls_client_options().trust(
                                                            tls_trust().file(place.at("authority.pem")))}));
}

TEST(a_tls_context, names_the_file_that_is_bad) {
    const scratch_directory place;
    write_files(place, test::localhost());
    EXPECT_EQ(refusal(in_files(place)), "");
    place.write("chain.pem", "nothing");
    EXPECT_TRUE(mentions(refusal(in_files(place)), "chain.pem")) << refusal(in_files(place));
    write_files(place, test::localhost());
    place.write("key.pem", "nothing");
    EXPECT_TRUE(mentions(refusal(in_files(place)), "key.pem")) << refusal(in_files(place));
    std::filesystem::remove(place.at("key.pem"));
    EXPECT_TRUE(mentions(refusal(in_files(place)), "cannot be read")) << refusal(in_files(place));
    place.write("key.pem", authority().issue(certificate_wish("localhost")).key_pem());
    EXPECT_TRUE(mentions(refusal(in_files(place)), "belongs to")) << refusal(in_files(place));
    write_files(place, test::localhost());
    place.write("chain.pem", test::localhost().certificate_pem() + "-----BEGIN CERTIFICATE-----\nAAAA\n");
    EXPECT_TRUE(mentions(refusal(in_files(place)), "chain of certificates")) << refusal(in_files(place));
    EXPECT_TRUE(mentions(refusal(tls_certificate::pem("", "")), "certificate"));
}

TEST(a_tls_context, refuses_trust_that_names_nobody) {
    EXPECT_THROW(tls_context{tls_client_options().trust(tls_trust().pem("nothing"))}, std::system_error);
    EXPECT_THROW(tls_context{tls_client_options().trust(tls_trust().file("/no/such/file"))},
                 std::system_error);
}

TEST(a_tls_context, decrypts_keys_with_their_password_only) {
    const std::string chain = test::localhost().certificate_pem();
    const std::string key = test::localhost().key_pem("secret");
    EXPECT_EQ(refusal(tls_certificate::pem(chain, key).password("secret")), "");
    const std::string none = refusal(tls_certificate::pem(chain, key));
    EXPECT_TRUE(mentions(none, "needs a password")) << none;
    const std::string wrong = refusal(tls_certificate::pem(chain, key).password("secrets"));
    EXPECT_TRUE(mentions(wrong, "has another password")) << wrong;
}

TEST(a_tls_context, refuses_options_that_mean_nothing) {
    EXPECT_THROW(tls_context{test::server_options().alpn({""})}, std::invalid_argument);
    EXPECT_THROW(tls_context{test::server_options().alpn({std::string(256, 'x')})}, std::invalid_argument);
    EXPECT_THROW(tls_context{test::server_options().ciphers("none of these")}, std::invalid_argument);
    EXPECT_THROW(tls_context{client_options().require_ocsp(true).without_verification()},
                 std::invalid_argument);
}

TEST(a_chain, is_shown_whole) {
    // The client knows the first authority only; the second one stands between.
    const test::certificate_authority middle = authority().issue_authority("middle");
    const auto own = middle.issue(certificate_wish("localhost"));
    run_bounded([](tls_certificate alone, tls_certificate whole) -> task<> {
        const tls_context client(client_options());
        const auto refused = co_await test::refusals(tls_context{tls_server_options(std::move(alone))},
                                                     client, tls_target("localhost"));
        EXPECT_EQ(refused.second, tls_error::certificate_refused);
        const auto taken = co_await test::refusals(tls_context{tls_server_options(std::move(whole))}, client,
                                                   tls_target("localhost"));
        EXPECT_FALSE(taken.second) << taken.second.message();
    }(shown(own), tls_certificate::pem(own.certificate_pem() + middle.pem(), own.key_pem())));
}

// -- reloading --

TEST(a_reload, shows_new_certificates_and_keeps_connections) {
    const scratch_directory place;
    write_files(place, test::localhost());
    run_bounded([](const scratch_directory& files) -> task<> {
        tls_context server{tls_server_options(in_files(files))};
        const tls_context copy = server;
        EXPECT_FALSE(server.reload_if_changed());
        auto before = co_await test::secured_pipe(copy);
        EXPECT_EQ(before.client.info().peer->names.size(), 3U);

        write_files(files, authority().issue(certificate_wish("localhost").name("another.test")));
        EXPECT_TRUE(server.reload_if_changed());
        EXPECT_FALSE(server.reload_if_changed());
        auto after = co_await test::secured_pipe(copy);
        EXPECT_EQ(after.client.info().peer->names.size(), 2U);

        co_await test::write_text(before.client, "still");
        EXPECT_EQ(co_await test::read_text(before.server), "still");
    }(place));
}

TEST(a_reload, that_fails_changes_nothing) {
    const scratch_directory place;
    write_files(place, test::localhost());
    run_bounded([](const scratch_directory& files) -> task<> {
        tls_context server{tls_server_options(in_files(files))};
        files.write("key.pem", "half of a ke");
        EXPECT_THROW(static_cast<void>(server.reload_if_changed()), std::system_error);
        EXPECT_FALSE(server.reload_if_changed()) << "the same bad file is not read again and again";
        EXPECT_THROW(server.reload(), std::system_error);
        auto ends = co_await test::secured_pipe(server);
        EXPECT_EQ(ends.client.info().peer->names.size(), 3U);
        write_files(files, authority().issue(certificate_wish("localhost")));
        EXPECT_TRUE(server.reload_if_changed());
    }(place));
}

TEST(a_reload, that_lacks_a_descriptor_is_tried_again) {
    const scratch_directory place;
    write_files(place, test::localhost());
    tls_context server{tls_server_options(in_files(place))};
    write_files(place, authority().issue(certificate_wish("localhost")));
    for (int round = 0; round < 2; ++round) {
        const test::no_more_descriptors until_here;
        try {
            static_cast<void>(server.reload_if_changed());
            ADD_FAILURE() << "it has read files without a descriptor";
        } catch (const std::system_error& error) {
            EXPECT_EQ(error.code(), std::errc::too_many_files_open) << error.what();
        }
    }
    EXPECT_TRUE(server.reload_if_changed());
}

TEST(a_reload, lets_sessions_be_resumed) {
    run_bounded([]() -> task<> {
        tls_context server(test::server_options());
        tls_context client(client_options());
        for (int round = 0; round < 3; ++round) {
            auto ends = co_await test::secured_pipe(server, client);
            co_await test::write_text(ends.server, "x");
            EXPECT_EQ(co_await test::read_text(ends.client), "x");
            EXPECT_EQ(ends.client.info().is_resumed, round != 0);
            server.reload();
            client.reload();
        }
    }());
}

// -- key log --

class key_log : public ::testing::Test {
protected:
    void SetUp() override { ::setenv("SSLKEYLOGFILE", place_.at("keys").c_str(), 1); }
    void TearDown() override { ::unsetenv("SSLKEYLOGFILE"); }

    /// What is in the file after a handshake.
    std::string after(tls_server_options server, tls_client_options client) {
        run_bounded([](tls_context accepting, tls_context connecting) -> task<> {
            co_await test::secured_pipe(std::move(accepting), std::move(connecting));
        }(tls_context(std::move(server)), tls_context(std::move(client))));
        return place_.read("keys");
    }

    scratch_directory place_;
};

TEST_F(key_log, is_written_only_where_it_is_allowed) {
    EXPECT_EQ(after(test::server_options(), client_options()), "");
    EXPECT_FALSE(std::filesystem::exists(place_.at("keys")));
    const std::string keys = after(test::server_options().key_log_from_environment(true), client_options());
    EXPECT_TRUE(mentions(keys, "SERVER_TRAFFIC_SECRET_0 ")) << keys;
    using std::filesystem::perms;
    EXPECT_EQ(
        std::filesystem::status(place_.at("keys")).permissions() & (perms::group_all | perms::others_all),
        perms::none);
}

TEST_F(key_log, is_written_by_clients_too) {
    const std::string keys = after(test::server_options(), client_options().key_log_from_environment(true));
    EXPECT_TRUE(mentions(keys, "CLIENT_TRAFFIC_SECRET_0 ")) << keys;
}

}  // namespace
}  // namespace eddy::tls_context_test
