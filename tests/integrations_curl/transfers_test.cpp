#include "integrations_curl/test_site.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"

#include <eddy/integrations/curl/client.hpp>
#include <eddy/integrations/curl/error.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <system_error>
#include <vector>

// What is asked, and what comes back, over HTTP/1.1 from the library's own server.
namespace eddy::curl::transfers_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::error_of;
using eddy::test::run_bounded;
using eddy::test::scratch_directory;
using eddy::test::test_site;

task<std::string> text_of(client& by, request req) {
    transfer answer = co_await by.send(std::move(req));
    co_return co_await answer.read_all();
}

TEST(curl_transfers, keep_the_type_of_a_body_that_a_call_is_given) {
    run_bounded([]() -> task<> {
        test_site site;
        client by;
        std::string type = "text/plain";
        task<transfer> posts = by.post(site.at("/p"), "body", type);
        task<transfer> puts = by.put(site.at("/p"), "whole", type);
        type.assign(type.size(), '?');
        transfer posted = co_await std::move(posts);
        std::string text = co_await posted.read_all();
        EXPECT_EQ(text, "POST /p|text/plain|-|-|-|eddy|body");
        transfer put = co_await std::move(puts);
        text = co_await put.read_all();
        EXPECT_EQ(text, "PUT /p|text/plain|-|-|-|eddy|whole");
    }());
}

TEST(curl_transfers, let_no_text_begin_another_line) {
    run_bounded([]() -> task<> {
        test_site site;
        client by;
        const auto outcome = [&](request req) -> task<std::error_code> {
            co_return co_await error_of(text_of(by, std::move(req)));
        };
        const std::vector<std::string> all = {"a\r\nX-Evil: b", "a\nb", "a\rb", std::string("a\0b", 3),
                                              "a\x7f"};
        for (const std::string& evil : all) {
            request with_agent(site.at("/"));
            transfer_options agent;
            with_agent.options(agent.user_agent(evil));
            EXPECT_EQ(co_await outcome(with_agent), transfer_error::bad_argument);
            request with_user(site.at("/"));
            EXPECT_EQ(co_await outcome(with_user.login(evil, "b")), transfer_error::bad_argument);
            request with_password(site.at("/"));
            EXPECT_EQ(co_await outcome(with_password.login("a", evil)), transfer_error::bad_argument);
            request with_proxy(site.at("/"));
            transfer_options proxied;
            proxy_options proxy(site.at("/"));
            with_proxy.options(proxied.proxy(proxy.login(evil, "b")));
            EXPECT_EQ(co_await outcome(with_proxy), transfer_error::bad_argument);
            request with_form(site.at("/"));
            form entered;
            entered.file("name", "file", upload(std::string("x")), evil);
            EXPECT_EQ(co_await outcome(with_form.form(entered)), transfer_error::bad_argument);
        }
        const std::string text = co_await text_of(by, site.at("/a"));
        EXPECT_EQ(text, "GET /a|-|-|-|-|eddy|");
    }());
}

TEST(curl_transfers, ask_by_every_method) {
    run_bounded([]() -> task<> {
        test_site site;
        client by;
        transfer got = co_await by.get(site.at("/a?b"));
        EXPECT_EQ(got.status(), 200U);
        EXPECT_TRUE(got.is_success());
        std::string text = co_await got.read_all();
        EXPECT_EQ(text, "GET /a?b|-|-|-|-|eddy|");
        transfer posted = co_await by.post(site.at("/p"), "body", "text/plain");
        text = co_await posted.read_all();
        EXPECT_EQ(text, "POST /p|text/plain|-|-|-|eddy|body");
        EXPECT_EQ(posted.find("x-size"), "4");
        transfer put = co_await by.put(site.at("/p"), "whole", "");
        text = co_await put.read_all();
        EXPECT_EQ(text, "PUT /p|-|-|-|-|eddy|whole");
        transfer removed = co_await by.remove(site.at("/p"));
        text = co_await removed.read_all();
        EXPECT_EQ(text, "DELETE /p|-|-|-|-|eddy|");
        transfer head = co_await by.head(site.at("/p"));
        EXPECT_EQ(head.status(), 200U);
        text = co_await head.read_all();
        EXPECT_EQ(text, "");
        text = co_await text_of(by, request(site.at("/p")).method("PATCH").body("x", "a/b"));
        EXPECT_EQ(text, "PATCH /p|a/b|-|-|-|eddy|x");
        text = co_await text_of(by, request(site.at("/p")).method("POST"));
        EXPECT_EQ(text, "POST /p|application/x-www-form-urlencoded|-|-|-|eddy|");
        text = co_await text_of(by, request(site.at("/p")).method("QUERY").field("X-Test", "yes"));
        EXPECT_EQ(text, "QUERY /p|-|-|-|yes|eddy|");
    }());
}

TEST(curl_transfers, give_any_status_as_an_answer_unless_it_is_to_fail) {
    run_bounded([]() -> task<> {
        test_site site;
        client by;
        transfer missing = co_await by.get(site.at("/missing"));
        EXPECT_EQ(missing.status(), 404U);
        EXPECT_FALSE(missing.is_success());
        const std::string text = co_await missing.read_all();
        EXPECT_EQ(text, "no such thing");
        request strict(site.at("/missing"));
        strict.options(transfer_options().fail_on_status(true));
        const std::error_code error = co_await error_of(by.send(strict));
        EXPECT_EQ(error, transfer_error::refused_status);
    }());
}

TEST(curl_transfers, send_fields_logins_and_forms) {
    run_bounded([]() -> task<> {
        test_site site;
        client by;
        std::string text = co_await text_of(by, request(site.at("/")).login("user", "word"));
        EXPECT_EQ(text, "GET /|-|Basic dXNlcjp3b3Jk|-|-|eddy|");
        text = co_await text_of(by, request(site.at("/")).bearer("abc").field("X-Test", ""));
        EXPECT_EQ(text, "GET /|-|Bearer abc|-||eddy|");
        text = co_await text_of(by, request(site.at("/")).without_field("User-Agent"));
        EXPECT_EQ(text, "GET /|-|-|-|-|-|");
        const std::string encoded = url_encoded_form().field("a b", "c&d=\xc3\xa9").field("e", "").text();
        EXPECT_EQ(encoded, "a+b=c%26d%3D%C3%A9&e=");
        form entered;
        entered.field("title", "A day")
            .file("photo", "day.png", upload(std::string(100'000, 'p')), "image/png");
        text = co_await text_of(by, request(site.at("/")).form(entered));
        EXPECT_TRUE(text.starts_with("POST /|multipart/form-data; boundary=")) << text.substr(0, 100);
        EXPECT_NE(text.find("name=\"title\"\r\n\r\nA day\r\n"), text.npos);
        EXPECT_NE(text.find("name=\"photo\"; filename=\"day.png\"\r\nContent-Type: image/png\r\n\r\n" +
                            std::string(100'000, 'p') + "\r\n"),
                  text.npos);
    }());
}

TEST(curl_transfers, refuse_what_would_split_a_request) {
    EXPECT_THROW(request("http://a/").field("X-A", "b\r\nX-C: d"), std::system_error);
    EXPECT_THROW(request("http://a/").field("X-A: b\r\nX-C", "d"), std::system_error);
    EXPECT_THROW(request("http://a/").field("", "d"), std::system_error);
    EXPECT_THROW(request("http://a/").method("GET /\r\n"), std::system_error);
    EXPECT_THROW(request("http://a/").without_field("X\n"), std::system_error);
    EXPECT_THROW(request("http://a/").bearer("a\r\nb"), std::system_error);
}

TEST(curl_transfers, follow_redirects_as_far_as_they_may) {
    run_bounded([]() -> task<> {
        test_site site;
        client by;
        transfer moved = co_await by.post(site.at("/moved"), "body", "text/plain");
        EXPECT_EQ(moved.status(), 200U);
        EXPECT_EQ(moved.url(), site.at("/echo?moved"));
        std::string text = co_await moved.read_all();
        EXPECT_TRUE(text.starts_with("GET /echo?moved")) << text;
        EXPECT_EQ(moved.statistics().redirects, 1U);
        EXPECT_FALSE(moved.find("Location")) << "the fields are the last answer's";
        transfer again = co_await by.post(site.at("/moved-as-it-is"), "body", "text/plain");
        text = co_await again.read_all();
        EXPECT_TRUE(text.starts_with("POST /echo?moved") && text.ends_with("|body")) << text;
        const std::error_code error = co_await error_of(by.get(site.at("/round")));
        EXPECT_EQ(error, transfer_error::too_many_redirects);
        EXPECT_EQ(site.answers.exchanges, 2 + 2 + 11);
        request direct(site.at("/moved"));
        direct.options(transfer_options().redirects_max(0));
        transfer kept = co_await by.send(direct);
        EXPECT_EQ(kept.status(), 302U);
        EXPECT_EQ(kept.find("location"), "/echo?moved");
        text = co_await kept.read_all();
        EXPECT_EQ(text, "moved");
    }());
}

TEST(curl_transfers, keep_cookies_together_if_they_are_wanted) {
    run_bounded([]() -> task<> {
        test_site site;
        client by(client_options().cookies(true));
        std::string text = co_await text_of(by, site.at("/cookie"));
        text = co_await text_of(by, site.at("/"));
        EXPECT_EQ(text, "GET /|-|-|taste=sweet|-|eddy|");
        EXPECT_EQ(by.cookies().size(), 1U);
        by.add_cookie("Set-Cookie: more=1; domain=127.0.0.1; path=/");
        EXPECT_EQ(by.cookies().size(), 2U);
        by.clear_cookies();
        text = co_await text_of(by, site.at("/"));
        EXPECT_EQ(text, "GET /|-|-|-|-|eddy|");
        client without;
        text = co_await text_of(without, site.at("/cookie"));
        text = co_await text_of(without, site.at("/"));
        EXPECT_EQ(text, "GET /|-|-|-|-|eddy|");
    }());
}

TEST(curl_transfers, fail_with_codes_of_their_own) {
    run_bounded([]() -> task<> {
        client by;
        std::error_code error = co_await error_of(by.get("http://127.0.0.1:1/"));
        EXPECT_EQ(error, transfer_error::cannot_connect);
        EXPECT_EQ(std::string(error.category().name()), "curl");
        error = co_await error_of(by.get("http://"));
        EXPECT_EQ(error, transfer_error::malformed_url);
        error = co_await error_of(by.get("file:///etc/hostname"));
        EXPECT_EQ(error, transfer_error::unsupported_protocol);
        error = co_await error_of(by.get("http://does-not-exist.invalid/"));
        EXPECT_EQ(error, transfer_error::host_not_resolved);
        EXPECT_EQ(by.running(), 0U);
    }());
}

TEST(curl_transfers, end_when_their_time_is_over) {
    run_bounded([]() -> task<> {
        test_site site;
        client by;
        request late(site.at("/never"));
        late.options(transfer_options().total_time(50ms));
        std::error_code error = co_await error_of(by.send(late));
        EXPECT_EQ(error, transfer_error::timed_out);
        EXPECT_EQ(error, std::errc::timed_out);
        request gated(site.at("/gated"));
        gated.options(transfer_options().total_time(50ms));
        transfer begun = co_await by.send(gated);
        EXPECT_EQ(begun.status(), 200U) << "the head has come";
        error = co_await error_of(begun.read_all());
        EXPECT_EQ(error, std::errc::timed_out);
        request slow(site.at("/never"));
        slow.options(transfer_options().lowest_speed(1000, 1s));
        error = co_await error_of(by.send(slow));
        EXPECT_EQ(error, std::errc::timed_out);
    }());
}

TEST(curl_transfers, tell_what_they_were) {
    run_bounded([]() -> task<> {
        test_site site;
        client by;
        transfer first = co_await by.post(site.at("/bytes/100000"), std::string(500, 'x'), "a/b");
        co_await first.finish();
        const curl::statistics figures = first.statistics();
        EXPECT_EQ(figures.bytes_downloaded, 100'000U);
        EXPECT_EQ(figures.bytes_uploaded, 500U);
        EXPECT_EQ(figures.connections_made, 1U);
        EXPECT_EQ(figures.http_major, 1U);
        EXPECT_EQ(figures.peer_address, "127.0.0.1");
        EXPECT_EQ(figures.peer_port, site.port);
        EXPECT_GT(figures.total, 0s);
        EXPECT_LE(figures.connected, figures.first_byte);
        EXPECT_LE(figures.first_byte, figures.total);
        transfer second = co_await by.get(site.at("/"));
        co_await second.finish();
        EXPECT_EQ(second.statistics().connections_made, 0U) << "the connection is used again";
    }());
}

TEST(curl_transfers, go_through_a_proxy_and_by_other_addresses) {
    run_bounded([]() -> task<> {
        test_site proxy;
        client by;
        request req("http://far.example/x");
        req.options(transfer_options().proxy(proxy_options(proxy.at("")).login("a", "b")));
        std::string text = co_await text_of(by, req);
        EXPECT_TRUE(text.starts_with("GET http://far.example/x|")) << text;
        request resolved("http://near.example:" + std::to_string(proxy.port) + "/y");
        resolved.resolve("near.example:" + std::to_string(proxy.port) + ":127.0.0.1");
        text = co_await text_of(by, resolved);
        EXPECT_TRUE(text.starts_with("GET /y|")) << text;
    }());
}

std::string url_of_file(std::string path) {
    for (std::size_t at = path.find(' '); at != std::string::npos; at = path.find(' ', at))
        path.replace(at, 1, "%20");
    return "file://" + path;
}

TEST(curl_transfers, speak_other_protocols) {
    run_bounded([]() -> task<> {
        const scratch_directory directory;
        directory.write("there", eddy::test::numbered_text(300'000));
        client by;
        request reading(url_of_file(directory.at("there")));
        reading.protocols("file");
        const std::error_code large = co_await error_of(by.start(reading).read_all());
        EXPECT_EQ(large, transfer_error::too_large) << "nothing holds such a transfer back";
        reading.options(transfer_options().buffer_bytes_max(300'000));
        transfer read = by.start(reading);
        std::string text = co_await read.read_all();
        EXPECT_EQ(text, eddy::test::numbered_text(300'000));
        request writing(url_of_file(directory.at("new")));
        writing.protocols("file").body("written");
        transfer written = by.start(writing);
        co_await written.finish();
        EXPECT_EQ(directory.read("new"), "written");
        request missing(url_of_file(directory.at("none")));
        missing.protocols("file");
        const std::error_code error = co_await error_of(by.send(missing));
        EXPECT_EQ(error, transfer_error::cannot_read_file);
    }());
}

}  // namespace
}  // namespace eddy::curl::transfers_test
