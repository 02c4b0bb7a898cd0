#include "integrations_curl/test_site.hpp"
#include "support/descriptors.hpp"
#include "support/free_port.hpp"
#include "support/listening.hpp"
#include "support/place_of.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"
#include "support/turns.hpp"

#include <eddy/integrations/curl/client.hpp>
#include <eddy/integrations/curl/error.hpp>
#include <eddy/os/command.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// lighttpd at the other end: logins by digest, and HTTP over a local socket.
namespace eddy::curl::lighttpd_test {
namespace {

using eddy::test::error_of;
using eddy::test::numbered_text;
using eddy::test::open_descriptors;
using eddy::test::place_of;
using eddy::test::run_bounded;
using eddy::test::scratch_directory;
using eddy::test::turns;
using eddy::test::turns_until_done;
using eddy::test::until_listening;

/// lighttpd with a configuration of its own, in a directory that goes with it. /open is for all, /md5, /sha256
/// and /either are for "user" with "pass word" by digest, /basic is without; each has a file, and a script
/// that gives the request's body back.
class lighttpd {
public:
    lighttpd() {
        for (const std::string each : {"open", "md5", "sha256", "either", "basic"}) {
            directory_.write("www/" + each + "/a.txt", numbered_text(300'000));
            directory_.write("www/" + each + "/echo.sh", "printf 'Content-Type: a/b\\r\\n\\r\\n'\ncat\n");
        }
        directory_.write("users", "user:pass word\n");
        directory_.write("lighttpd.conf", configuration());
    }
    task<> start() {
        command run(place_of("lighttpd"));
        run.arguments("-D", "-f", directory_.at("lighttpd.conf"));
        running_ = co_await run.start();
        co_await until_listening(*running_, port_);
    }
    [[nodiscard]] std::string at(std::string_view path) const {
        return "http://127.0.0.1:" + std::to_string(port_) + std::string(path);
    }
    [[nodiscard]] std::string socket_path() const { return directory_.at("web.sock"); }

private:
    [[nodiscard]] std::string configuration() const {
        const std::string root = directory_.root();
        const auto guarded = [](const std::string& path, const std::string& how) {
            return "\"" + path + "\" => (\"method\" => " + how +
                   ", \"realm\" => \"a realm\", \"require\" => \"valid-user\"),\n";
        };
        const auto digest = [](const std::string& algorithm) {
            return "\"digest\", \"algorithm\" => \"" + algorithm + "\"";
        };
        return "server.modules = (\"mod_auth\", \"mod_authn_file\", \"mod_cgi\")\n"
               "server.bind = \"127.0.0.1\"\nserver.port = " +
               std::to_string(port_) + "\nserver.document-root = \"" + root + "/www\"\nserver.errorlog = \"" +
               root + "/log\"\nserver.upload-dirs = (\"" + root + "\")\n$SERVER[\"socket\"] == \"" +
               socket_path() +
               "\" {}\ncgi.assign = (\".sh\" => \"/bin/sh\")\nauth.backend = \"plain\"\n"
               "auth.backend.plain.userfile = \"" +
               root + "/users\"\nauth.require = (\n" + guarded("/md5", digest("MD5")) +
               guarded("/sha256", digest("SHA-256")) + guarded("/either", digest("SHA-256|MD5")) +
               guarded("/basic", "\"basic\"") + ")\n";
    }

    scratch_directory directory_;
    std::uint16_t port_ = eddy::test::free_port();
    std::optional<child> running_;
};

class curl_with_lighttpd : public ::testing::Test {
protected:
    void SetUp() override {
        if (place_of("lighttpd").empty())
            GTEST_SKIP() << "[lighttpd] lighttpd is not installed";
    }
};

async_generator<std::string> pieces_of(std::string text) {
    for (std::size_t at = 0; at < text.size(); at += 30'000)
        co_yield text.substr(at, 30'000);
}

request with_login(std::string url, login_scheme scheme, std::string password = "pass word") {
    request req(std::move(url));
    req.login("user", std::move(password), scheme);
    return req;
}

TEST_F(curl_with_lighttpd, logs_in_by_digest) {
    run_bounded([]() -> task<> {
        lighttpd server;
        co_await server.start();
        client by;
        for (const char* directory : {"/md5", "/sha256", "/either"})
            for (const login_scheme scheme : {login_scheme::digest, login_scheme::any}) {
                transfer got = co_await by.send(with_login(server.at(directory) + "/a.txt", scheme));
                EXPECT_EQ(got.status(), 200U) << directory;
                const std::string text = co_await got.read_all();
                EXPECT_TRUE(text == numbered_text(300'000)) << directory;
                EXPECT_LE(got.statistics().connections_made, 1U)
                    << "the second request goes where the first went";
            }
    }());
}

TEST_F(curl_with_lighttpd, is_not_let_in_with_another_password_or_a_scheme_that_the_server_does_not_take) {
    run_bounded([]() -> task<> {
        lighttpd server;
        co_await server.start();
        client by;
        // At the same time, for lighttpd takes a second to refuse a wrong password.
        std::vector<transfer> refused;
        std::vector<transfer> failing;
        for (const login_scheme scheme : {login_scheme::basic, login_scheme::digest, login_scheme::any})
            for (const char* path : {"/md5/a.txt", "/basic/a.txt"}) {
                request wrong = with_login(server.at(path), scheme, "word");
                refused.push_back(by.start(wrong));
                failing.push_back(by.start(wrong.options(transfer_options().fail_on_status(true))));
            }
        for (transfer& each : refused) {
            co_await each.head();
            EXPECT_EQ(each.status(), 401U);
            EXPECT_TRUE(each.find("WWW-Authenticate"));
        }
        for (transfer& each : failing) {
            const std::error_code error = co_await error_of(each.head());
            EXPECT_EQ(error, transfer_error::refused_status);
        }
        transfer open_only = co_await by.send(with_login(server.at("/md5/a.txt"), login_scheme::basic));
        EXPECT_EQ(open_only.status(), 401U) << "the right password, by another scheme";
        transfer digest_only = co_await by.send(with_login(server.at("/basic/a.txt"), login_scheme::digest));
        EXPECT_EQ(digest_only.status(), 401U) << "a password that is asked for openly is not given";
        transfer agreed = co_await by.send(with_login(server.at("/basic/a.txt"), login_scheme::any));
        EXPECT_EQ(agreed.status(), 200U);
    }());
}

TEST_F(curl_with_lighttpd, sends_bodies_with_a_digest) {
    run_bounded([]() -> task<> {
        lighttpd server;
        co_await server.start();
        client by;
        const std::string sent = numbered_text(400'000);
        for (const login_scheme scheme : {login_scheme::digest, login_scheme::any}) {
            request text = with_login(server.at("/sha256/echo.sh"), scheme);
            transfer answer = co_await by.send(text.body(sent, "a/b"));
            EXPECT_EQ(answer.status(), 200U);
            const std::string back = co_await answer.read_all();
            EXPECT_TRUE(back == sent) << back.size();
        }
        // The first request, which is to be refused, goes without the body: there is one to be sent yet.
        request stream = with_login(server.at("/sha256/echo.sh"), login_scheme::digest);
        transfer answer =
            co_await by.send(stream.body(upload::of_texts(pieces_of(sent), sent.size()), "a/b"));
        const std::string back = co_await answer.read_all();
        EXPECT_TRUE(back == sent) << back.size();
        // Without a scheme that is known beforehand it may be refused before it is begun.
        request asking = with_login(server.at("/sha256/echo.sh"), login_scheme::any);
        asking.field("Expect", "100-continue").body(upload::of_texts(pieces_of(sent), sent.size()), "a/b");
        transfer requested = co_await by.send(asking);
        const std::string same = co_await requested.read_all();
        EXPECT_TRUE(same == sent) << same.size();
    }());
}

TEST_F(curl_with_lighttpd, leaves_no_descriptor_when_it_is_dropped_within_a_login) {
    run_bounded([]() -> task<> {
        lighttpd server;
        co_await server.start();
        const std::size_t before = open_descriptors();
        constexpr int rounds = 20;
        int whole = 0;
        for (int round = 0; round <= rounds; ++round) {
            client by;
            std::vector<transfer> several;
            for (const char* path : {"/md5/a.txt", "/sha256/a.txt"})
                several.push_back(by.start(with_login(server.at(path), login_scheme::digest)));
            if (round == 0)
                whole = co_await turns_until_done(several.back().head());
            else
                co_await turns(whole * round / rounds);
            several.pop_back();
            transfer other = co_await by.send(with_login(server.at("/either/a.txt"), login_scheme::any));
            EXPECT_EQ(other.status(), 200U);
        }
        // That of finding out whether lighttpd listens may have been open at first.
        EXPECT_LE(open_descriptors(), before);
    }());
}

TEST_F(curl_with_lighttpd, speaks_over_a_local_socket) {
    run_bounded([]() -> task<> {
        lighttpd server;
        co_await server.start();
        client by;
        const auto locally = [&](std::string_view path) {
            request req("http://a.name.that.no.server.resolves" + std::string(path));
            req.local_socket(server.socket_path()).login("user", "pass word", login_scheme::digest);
            return req;
        };
        unsigned connections = 0;
        for (int count = 0; count < 5; ++count) {
            transfer got = co_await by.send(locally(count % 2 == 0 ? "/open/a.txt" : "/md5/a.txt"));
            EXPECT_EQ(got.status(), 200U);
            const std::string text = co_await got.read_all();
            EXPECT_TRUE(text == numbered_text(300'000));
            connections += got.statistics().connections_made;
        }
        EXPECT_EQ(connections, 1U);
        const std::string sent = numbered_text(400'000);
        request posted = locally("/open/echo.sh");
        transfer answer = co_await by.send(posted.body(sent, "a/b"));
        const std::string back = co_await answer.read_all();
        EXPECT_TRUE(back == sent) << back.size();
        request nowhere = locally("/open/a.txt");
        const std::error_code error =
            co_await error_of(by.send(nowhere.local_socket(server.socket_path() + ".none")));
        EXPECT_EQ(error, transfer_error::cannot_connect) << error.message();
        request by_proxy = locally("/open/a.txt");
        by_proxy.options(transfer_options().proxy(proxy_options("http://127.0.0.1:1")));
        transfer direct = co_await by.send(by_proxy);
        EXPECT_EQ(direct.status(), 200U) << "no proxy is on the way to a local socket";
    }());
}

TEST_F(curl_with_lighttpd, keeps_the_connections_of_local_sockets_apart) {
    run_bounded([]() -> task<> {
        lighttpd one;
        lighttpd other;
        co_await one.start();
        co_await other.start();
        client by;
        const auto connections_made_by = [&](const lighttpd& at) -> task<unsigned> {
            request req("http://localhost/open/a.txt");
            req.local_socket(at.socket_path());
            transfer got = co_await by.send(req);
            co_await got.finish();
            co_return got.statistics().connections_made;
        };
        unsigned made = co_await connections_made_by(one);
        EXPECT_EQ(made, 1U);
        made = co_await connections_made_by(other);
        EXPECT_EQ(made, 1U) << "the same URL, elsewhere";
        made = co_await connections_made_by(one);
        EXPECT_EQ(made, 0U);
    }());
}

}  // namespace
}  // namespace eddy::curl::lighttpd_test
