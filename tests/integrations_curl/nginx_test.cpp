#include "integrations_curl/test_site.hpp"
#include "support/certificates.hpp"
#include "support/foreign_proxy.hpp"
#include "support/free_port.hpp"
#include "support/place_of.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/integrations/curl/client.hpp>
#include <eddy/integrations/curl/error.hpp>
#include <eddy/os/command.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

// nginx at the other end: HTTP/1.1, TLS, HTTP/2 with many transfers over one connection, compression, local
// sockets.
namespace eddy::curl::nginx_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::certificate_authority;
using eddy::test::certificate_wish;
using eddy::test::error_of;
using eddy::test::foreign_proxy;
using eddy::test::numbered_text;
using eddy::test::place_of;
using eddy::test::run_bounded;
using eddy::test::scratch_directory;

/// nginx with a configuration of its own, in a directory that goes with it.
class nginx {
public:
    nginx() {
        const auto shown = authority.issue(certificate_wish("localhost").address("127.0.0.1"));
        directory_.write("cert.pem", shown.certificate_pem());
        directory_.write("key.pem", shown.key_pem());
        directory_.write("www/a.txt", numbered_text(300'000));
        directory_.write("www/b.txt", numbered_text(50'000));
        directory_.write("www/dav/old.txt", "old");
        directory_.write("nginx.conf", configuration());
    }
    task<> start() {
        running_ = co_await command(place_of("nginx"))
                       .arguments("-p", directory_.root(), "-c", directory_.at("nginx.conf"))
                       .start();
        client by;
        for (;;) {
            const std::error_code error = co_await error_of(by.get("http://127.0.0.1:" + plain_ + "/b.txt"));
            if (error != transfer_error::cannot_connect)
                co_return;
            co_await sleep_for(5ms);
        }
    }
    [[nodiscard]] std::string plainly(std::string_view path) const {
        return "http://127.0.0.1:" + plain_ + std::string(path);
    }
    [[nodiscard]] std::string securely(std::string_view path) const {
        return "https://127.0.0.1:" + secure_ + std::string(path);
    }
    [[nodiscard]] std::string socket_path() const { return directory_.at("web.sock"); }
    /// nginx as a proxy of HTTP, to which TLS is spoken or not.
    [[nodiscard]] std::string proxy(bool is_secure) const {
        return is_secure ? "https://127.0.0.1:" + secure_proxy_ : "http://127.0.0.1:" + proxy_;
    }
    [[nodiscard]] transfer_options trusting() const {
        return transfer_options().tls(tls_options().ca_pem(authority.pem()));
    }

    certificate_authority authority;

private:
    [[nodiscard]] std::string configuration() const {
        const std::string root = ".";  // below the directory, whose name may hold what needs quotes
        return "daemon off; master_process off; error_log stderr crit; pid " + root + "/pid;\n" +
               "events {}\nhttp { access_log off; client_body_temp_path " + root + "/body;\n" +
               "proxy_temp_path " + root + "/p; fastcgi_temp_path " + root + "/f;\n" + "uwsgi_temp_path " +
               root + "/u; scgi_temp_path " + root + "/s;\n" +
               "gzip on; gzip_types *; gzip_min_length 1000;\n" + "server { listen 127.0.0.1:" + plain_ +
               "; listen \"unix:" + socket_path() + "\" ssl http2;\nlisten 127.0.0.1:" + secure_ +
               " ssl http2;\n" + "ssl_certificate " + root + "/cert.pem; ssl_certificate_key " + root +
               "/key.pem;\n" + "root " + root + "/www; location = /old { return 301 /b.txt; }\n" +
               "location /dav { dav_methods PUT DELETE; client_max_body_size 10m; } }\n" +
               "server { listen 127.0.0.1:" + proxy_ + "; listen 127.0.0.1:" + secure_proxy_ +
               " ssl; ssl_certificate " + root + "/cert.pem; ssl_certificate_key " + root + "/key.pem;\n" +
               "location / { proxy_pass http://$http_host$request_uri; } } }\n";
    }

    scratch_directory directory_;
    std::string plain_ = std::to_string(eddy::test::free_port());
    std::string secure_ = std::to_string(eddy::test::free_port());
    std::string proxy_ = std::to_string(eddy::test::free_port());
    std::string secure_proxy_ = std::to_string(eddy::test::free_port());
    std::optional<child> running_;
};

task<std::string> text_of(client& by, std::string url) {
    transfer answer = co_await by.get(std::move(url));
    co_return co_await answer.read_all();
}

async_generator<std::string> pieces_of(std::string text) {
    for (std::size_t at = 0; at < text.size(); at += 30'000)
        co_yield text.substr(at, 30'000);
}

task<> converse(nginx& server, bool is_secure) {
    const auto at = [&](std::string_view path) {
        return is_secure ? server.securely(path) : server.plainly(path);
    };
    client by(client_options().transfers(server.trusting()));
    transfer packed = co_await by.get(at("/old"));
    std::string text = co_await packed.read_all();
    EXPECT_TRUE(text == numbered_text(50'000)) << "redirected and packed by gzip";
    EXPECT_EQ(packed.find("content-encoding"), "gzip");
    EXPECT_EQ(packed.statistics().http_major, is_secure ? 2U : 1U);
    request part(at("/a.txt"));
    part.field("Range", "bytes=10-19").options(server.trusting().decompress(false));
    transfer partial = co_await by.send(part);
    EXPECT_EQ(partial.status(), 206U);
    text = co_await partial.read_all();
    EXPECT_EQ(text, numbered_text(20).substr(10));
    request sent(at("/dav/new.txt"));
    sent.method("PUT").body(upload::of_texts(pieces_of(numbered_text(2'000'000))));
    transfer made = co_await by.send(sent);
    EXPECT_EQ(made.status(), 201U);
    co_await made.finish();
    text = co_await text_of(by, at("/dav/new.txt"));
    EXPECT_TRUE(text == numbered_text(2'000'000));
    transfer removed = co_await by.remove(at("/dav/new.txt"));
    EXPECT_EQ(removed.status(), 204U);
    transfer missing = co_await by.head(at("/dav/new.txt"));
    EXPECT_EQ(missing.status(), 404U);
}

TEST(curl_with_nginx, speaks_http_1) {
    if (place_of("nginx").empty())
        GTEST_SKIP() << "[nginx] nginx is not installed";
    run_bounded([]() -> task<> {
        nginx server;
        co_await server.start();
        co_await converse(server, false);
    }());
}

TEST(curl_with_nginx, speaks_http_2_over_tls) {
    if (place_of("nginx").empty())
        GTEST_SKIP() << "[nginx] nginx is not installed";
    run_bounded([]() -> task<> {
        nginx server;
        co_await server.start();
        co_await converse(server, true);
        client stranger;
        const std::error_code error = co_await error_of(stranger.get(server.securely("/")));
        EXPECT_EQ(error, transfer_error::peer_not_verified);
    }());
}

TEST(curl_with_nginx, carries_many_transfers_over_one_connection_of_http_2) {
    if (place_of("nginx").empty())
        GTEST_SKIP() << "[nginx] nginx is not installed";
    run_bounded([]() -> task<> {
        nginx server;
        co_await server.start();
        client by(client_options().transfers(server.trusting().decompress(false)));
        std::vector<transfer> several;
        for (int count = 0; count < 50; ++count)
            several.push_back(by.start(server.securely("/a.txt")));
        // Some are let go of at different times, and those that stay are read one after the other: a stream
        // that is not read holds nobody up.
        for (int count = 0; count < 10; ++count)
            several.pop_back();
        co_await several.back().head();
        for (int count = 0; count < 10; ++count)
            several.pop_back();
        unsigned connections = 0;
        for (transfer& each : several) {
            const std::string text = co_await each.read_all();
            EXPECT_TRUE(text == numbered_text(300'000));
            EXPECT_EQ(each.statistics().http_major, 2U);
            connections += each.statistics().connections_made;
        }
        EXPECT_LE(connections, 1U);
    }());
}

task<> read_streams_of_one_connection(client& by, request req) {
    std::vector<transfer> several;
    for (int count = 0; count < 20; ++count)
        several.push_back(by.start(req));
    unsigned connections = 0;
    for (transfer& each : several) {
        const std::string text = co_await each.read_all();
        EXPECT_TRUE(text == numbered_text(300'000));
        EXPECT_EQ(each.statistics().http_major, 2U);
        connections += each.statistics().connections_made;
    }
    EXPECT_EQ(connections, 1U);
}

TEST(curl_with_nginx, carries_many_transfers_over_one_connection_to_a_local_socket) {
    if (place_of("nginx").empty())
        GTEST_SKIP() << "[nginx] nginx is not installed";
    run_bounded([]() -> task<> {
        nginx server;
        co_await server.start();
        client by(client_options().transfers(server.trusting()));
        request req("https://localhost/a.txt");
        co_await read_streams_of_one_connection(by, req.local_socket(server.socket_path()));
        request redirected("https://localhost/old");
        transfer led = co_await by.send(redirected.local_socket(server.socket_path()));
        const std::string text = co_await led.read_all();
        EXPECT_EQ(led.url(), "https://localhost/b.txt");
        EXPECT_TRUE(text == numbered_text(50'000)) << "redirects lead to the same socket";
        request by_another_name("https://not.its.name/a.txt");
        const std::error_code error =
            co_await error_of(by.send(by_another_name.local_socket(server.socket_path())));
        EXPECT_EQ(error, transfer_error::peer_not_verified);
    }());
}

TEST(curl_with_nginx, carries_many_transfers_through_one_tunnel) {
    if (place_of("nginx").empty() || !foreign_proxy::is_installed(foreign_proxy::kind::http))
        GTEST_SKIP() << "[nginx] nginx or tinyproxy is not installed";
    run_bounded([]() -> task<> {
        nginx server;
        co_await server.start();
        foreign_proxy proxy(foreign_proxy::kind::http);
        co_await proxy.start();
        client by(client_options().transfers(server.trusting().proxy(proxy_options(proxy.url("http")))));
        co_await read_streams_of_one_connection(by, server.securely("/a.txt"));
    }());
}

TEST(curl_with_nginx, goes_by_a_proxy_over_connections_that_are_kept_and_may_be_secure) {
    if (place_of("nginx").empty())
        GTEST_SKIP() << "[nginx] nginx is not installed";
    run_bounded([]() -> task<> {
        nginx server;
        co_await server.start();
        for (const bool is_secure : {false, true}) {
            const proxy_options proxy =
                proxy_options(server.proxy(is_secure)).tls(tls_options().ca_pem(server.authority.pem()));
            client by(client_options().transfers(transfer_options().proxy(proxy)));
            for (unsigned count = 0; count < 3; ++count) {
                transfer answer = co_await by.get(server.plainly("/a.txt"));
                const std::string text = co_await answer.read_all();
                EXPECT_TRUE(text == numbered_text(300'000));
                EXPECT_EQ(answer.statistics().connections_made, count == 0 ? 1U : 0U);
            }
        }
        // Whom to trust as a server says nothing of the proxy.
        client by(client_options().transfers(server.trusting().proxy(proxy_options(server.proxy(true)))));
        const std::error_code error = co_await error_of(by.get(server.plainly("/a.txt")));
        EXPECT_EQ(error, transfer_error::peer_not_verified);
    }());
}

}  // namespace
}  // namespace eddy::curl::nginx_test
