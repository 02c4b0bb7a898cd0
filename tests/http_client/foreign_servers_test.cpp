#include "support/certificates.hpp"
#include "support/free_port.hpp"
#include "support/place_of.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/http/client/client.hpp>
#include <eddy/os/command.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <string>

// The client against servers that others have written, if they are installed.
namespace eddy::http::foreign_servers_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::certificate_authority;
using eddy::test::certificate_wish;
using eddy::test::place_of;
using eddy::test::run_bounded;
using eddy::test::scratch_directory;

/// Directory with the certificate of a server, and who trusts it.
class secured_directory {
public:
    secured_directory() {
        const auto made = authority_.issue(certificate_wish("localhost").address("127.0.0.1"));
        directory_.write("cert.pem", made.certificate_pem());
        directory_.write("key.pem", made.key_pem());
    }
    [[nodiscard]] const scratch_directory& directory() const { return directory_; }
    [[nodiscard]] client_options options() const {
        // The server is given a moment to begin.
        return client_options().retries(12, 5ms).tls(
            tls_context(tls_client_options().trust(tls_trust().pem(authority_.pem()))));
    }

private:
    scratch_directory directory_;
    certificate_authority authority_;
};

task<std::string> text_of(client& by, client_request wanted) {
    client_response response = co_await by.send(std::move(wanted));
    co_return std::to_string(to_number(response.status())) + " " + co_await response.text();
}

task<> ask_nginx(std::string nginx) {
    const secured_directory site;
    const std::string plain = std::to_string(eddy::test::free_port());
    const std::string secure = std::to_string(eddy::test::free_port());
    const std::string directory = site.directory().at("");
    const std::string root = ".";  // below that directory, whose name may hold what needs quotes
    site.directory().write("www/a.txt", std::string(100'000, 'a'));
    site.directory().write("nginx.conf", "daemon off; master_process off; error_log stderr crit; pid " +
                                             root +
                                             "/pid;\n"
                                             "events {}\nhttp { access_log off; client_body_temp_path " +
                                             root +
                                             "/body;\n"
                                             "proxy_temp_path " +
                                             root + "/p; fastcgi_temp_path " + root +
                                             "/f;\n"
                                             "uwsgi_temp_path " +
                                             root + "/u; scgi_temp_path " + root +
                                             "/s;\n"
                                             "gzip on; gzip_types *; gzip_min_length 1000;\n"
                                             "server { listen 127.0.0.1:" +
                                             plain + "; listen 127.0.0.1:" + secure +
                                             " ssl;\n"
                                             "ssl_certificate " +
                                             root + "/cert.pem; ssl_certificate_key " + root +
                                             "/key.pem;\n"
                                             "root " +
                                             root + "/www; location = /old { return 301 /a.txt; } } }\n");
    child running =
        co_await command(nginx).arguments("-p", directory, "-c", directory + "/nginx.conf").start();
    client by(site.options());
    for (const std::string& origin : {"http://127.0.0.1:" + plain, "https://127.0.0.1:" + secure}) {
        std::string text = co_await text_of(by, client_request(method::get, origin + "/old"));
        EXPECT_EQ(text, "200 " + std::string(100'000, 'a')) << "redirected, chunked and packed by gzip";
        text =
            co_await text_of(by, client_request(method::get, origin + "/a.txt").field("Range", "bytes=0-9"));
        EXPECT_EQ(text, "206 aaaaaaaaaa");
        const client_response none = co_await by.head(origin + "/none");
        EXPECT_EQ(none.status(), status::not_found);
        text = co_await text_of(
            by, client_request(method::post, origin + "/a.txt").content(std::string(1 << 18, 'x')));
        EXPECT_TRUE(text.starts_with("405 ")) << text.substr(0, 50);
    }
    EXPECT_LE(by.idle_connections(), 2U);
}

TEST(a_client, understands_nginx) {
    const std::string nginx = place_of("nginx");
    if (nginx.empty())
        GTEST_SKIP() << "[nginx] nginx is not installed";
    run_bounded(ask_nginx(nginx));
}

task<> ask_node(std::string node) {
    const secured_directory site;
    const std::string plain = std::to_string(eddy::test::free_port());
    const std::string secure = std::to_string(eddy::test::free_port());
    site.directory().write("server.js", R"(
const fs = require('fs'), http = require('http'), https = require('https');
const answer = (req, res) => {
    if (req.url === '/close') { res.setHeader('Connection', 'close'); return res.end('closing'); }
    res.setHeader('Trailer', 'X-Size');
    let size = 0;
    req.on('data', piece => { size += piece.length; res.write(piece); });
    req.on('end', () => { res.addTrailers({'X-Size': String(size)}); res.end('!'); });
};
const [,, plain, secure, root] = process.argv;
http.createServer(answer).listen(plain, '127.0.0.1');
https.createServer({cert: fs.readFileSync(root + '/cert.pem'), key: fs.readFileSync(root + '/key.pem')}, answer)
    .listen(secure, '127.0.0.1');
)");
    child running = co_await command(node)
                        .arguments(site.directory().at("server.js"), plain, secure, site.directory().at(""))
                        .start();
    client by(site.options());
    for (const std::string& origin : {"http://127.0.0.1:" + plain, "https://127.0.0.1:" + secure}) {
        std::string text = co_await text_of(by, client_request(method::get, origin + "/close"));
        EXPECT_EQ(text, "200 closing");
        const auto pieces = []() -> async_generator<std::string> {
            for (int i = 0; i < 50; ++i)
                co_yield std::string(5000, 'z');
        };
        client_request streamed(method::put, origin + "/");
        streamed.content(outgoing_body::of_texts(pieces())).expect_continue(true);
        client_response response = co_await by.send(streamed);
        text = co_await response.text();
        EXPECT_EQ(text, std::string(250'000, 'z') + "!");
        EXPECT_EQ(response.body().trailers().size(), 1U);
        text = co_await text_of(by, client_request(method::get, origin + "/"));
        EXPECT_EQ(text, "200 !");
    }
}

TEST(a_client, understands_node) {
    const std::string node = place_of("node");
    if (node.empty())
        GTEST_SKIP() << "[node] Node is not installed";
    run_bounded(ask_node(node));
}

}  // namespace
}  // namespace eddy::http::foreign_servers_test
