#include "integrations_curl/test_site.hpp"
#include "support/certificates.hpp"
#include "support/free_port.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_folder.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/integrations/curl/client.hpp>
#include <eddy/integrations/curl/error.hpp>
#include <eddy/os/command.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// nginx at the other end: HTTP/1.1, TLS, HTTP/2 with many transfers over one connection, compression, digest.
namespace eddy::curl {
namespace {

using namespace std::chrono_literals;
using eddy::test::certificate_authority;
using eddy::test::certificate_wish;
using eddy::test::error_of;
using eddy::test::numbered_text;
using eddy::test::run_bounded;
using eddy::test::scratch_folder;

std::string nginx_path() {
    for (const char* path : {"/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/bin/nginx"})
        if (std::filesystem::exists(path))
            return path;
    return {};
}

/// nginx with a configuration of its own, in a folder that goes with it.
class nginx {
public:
    nginx() {
        const auto shown = authority.issue(certificate_wish("localhost").address("127.0.0.1"));
        folder_.write("cert.pem", shown.certificate_pem());
        folder_.write("key.pem", shown.key_pem());
        folder_.write("www/a.txt", numbered_text(300'000));
        folder_.write("www/b.txt", numbered_text(50'000));
        folder_.write("www/dav/old.txt", "old");
        folder_.write("nginx.conf", configuration());
    }
    task<> start() {
        running_ = co_await command(nginx_path())
                       .arguments("-p", folder_.root(), "-c", folder_.at("nginx.conf"))
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
    [[nodiscard]] transfer_options trusting() const {
        return transfer_options().tls(tls_options().ca_pem(authority.pem()));
    }

    certificate_authority authority;

private:
    [[nodiscard]] std::string configuration() const {
        const std::string root = folder_.root();
        return "daemon off; master_process off; error_log stderr crit; pid " + root + "/pid;\n" +
               "events {}\nhttp { access_log off; client_body_temp_path " + root + "/body;\n" +
               "proxy_temp_path " + root + "/p; fastcgi_temp_path " + root + "/f;\n" + "uwsgi_temp_path " +
               root + "/u; scgi_temp_path " + root + "/s;\n" +
               "gzip on; gzip_types *; gzip_min_length 1000;\n" + "server { listen 127.0.0.1:" + plain_ +
               "; listen 127.0.0.1:" + secure_ + " ssl http2;\n" + "ssl_certificate " + root +
               "/cert.pem; ssl_certificate_key " + root + "/key.pem;\n" + "root " + root +
               "/www; location = /old { return 301 /b.txt; }\n" +
               "location /dav { dav_methods PUT DELETE; client_max_body_size 10m; } } }\n";
    }

    scratch_folder folder_;
    std::string plain_ = std::to_string(eddy::test::free_port());
    std::string secure_ = std::to_string(eddy::test::free_port());
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
    if (nginx_path().empty())
        GTEST_SKIP() << "nginx is not installed";
    run_bounded([]() -> task<> {
        nginx server;
        co_await server.start();
        co_await converse(server, false);
    }());
}

TEST(curl_with_nginx, speaks_http_2_over_tls) {
    if (nginx_path().empty())
        GTEST_SKIP() << "nginx is not installed";
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
    if (nginx_path().empty())
        GTEST_SKIP() << "nginx is not installed";
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

}  // namespace
}  // namespace eddy::curl
