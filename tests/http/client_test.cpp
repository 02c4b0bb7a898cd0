#include "http/scripted_origin.hpp"
#include "support/run_bounded.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/http/client/client.hpp>
#include <eddy/http/message/http_error.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace eddy::http::client_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::run_bounded;
using test::empty;
using test::error_of;
using test::line_of;
using test::ok;
using test::scripted_origin;

task<std::string> text_of(client& by, std::string to) {
    client_response response = co_await by.get(std::move(to));
    co_return co_await response.text();
}

TEST(client, gets_in_one_line) {
    run_bounded([]() -> task<> {
        scripted_origin origin({{ok("hello", "X: y\r\n")}});
        client_response response = co_await get("http://a.test:81/b?c#d", origin.options());
        EXPECT_EQ(response.status(), status::ok);
        EXPECT_TRUE(response.is_success());
        EXPECT_EQ(response.find("x"), "y");
        EXPECT_EQ(response.body().size(), 5U);
        const std::string text = co_await response.text();
        EXPECT_EQ(text, "hello");
        EXPECT_EQ(origin.connected().at(0), "a.test:81");
        EXPECT_EQ(origin.requested().at(0),
                  "GET /b?c HTTP/1.1\r\nHost: a.test:81\r\nUser-Agent: eddy\r\nAccept: */*\r\n"
                  "Accept-Encoding: gzip, deflate, br\r\n\r\n");
    }());
}

async_generator<std::string> endless_body(event<>& may_end) {
    co_yield std::string("begun");
    co_await may_end.wait();
}

// The next request would stand in the middle of the body.
TEST(client, does_not_reuse_a_connection_whose_request_is_still_being_sent) {
    run_bounded([]() -> task<> {
        scripted_origin origin({{"early:" + ok("refused"), ok("too far")}, {ok("second")}});
        client by(origin.options());
        event<> may_end;
        client_request upload(method::post, "http://a.test/upload");
        upload.content(outgoing_body::of_texts(endless_body(may_end)));
        client_response response = co_await by.send(std::move(upload));
        const std::string text = co_await response.text();
        EXPECT_EQ(text, "refused");
        const std::string next = co_await text_of(by, "http://a.test/next");
        EXPECT_EQ(next, "second");
        EXPECT_EQ(origin.connected().size(), 2U);
        may_end.set();
    }());
}

TEST(client, copies_texts_before_a_call_returns) {
    run_bounded([]() -> task<> {
        scripted_origin origin({{ok("")}});
        client by(origin.options());
        std::string to = "http://a.test/one";
        std::string type = "text/plain";
        task<client_response> asks = by.post(to, std::string("x"), type);
        to.assign(to.size(), '?');
        type.assign(type.size(), '?');
        const client_response response = co_await std::move(asks);
        EXPECT_EQ(response.status(), status::ok);
        EXPECT_TRUE(origin.requested().at(0).starts_with("POST /one HTTP/1.1\r\nHost: a.test\r\n"));
        EXPECT_TRUE(origin.requested().at(0).contains("Content-Type: text/plain\r\n"));
    }());
}

TEST(client, uses_a_connection_again_once_its_answer_was_read) {
    run_bounded([]() -> task<> {
        scripted_origin origin({{ok("one"), empty("204 "), ok("", "A: b\r\n"), ok("four")}});
        client by(origin.options());
        const std::string one = co_await text_of(by, "http://a/1");
        EXPECT_EQ(one, "one");
        EXPECT_EQ(by.idle_connections(), 1U);
        const client_response two = co_await by.get("http://a/2");
        EXPECT_EQ(by.idle_connections(), 1U) << "there is no body to be read";
        const client_response three = co_await by.head("http://a/3");
        const std::string four = co_await text_of(by, "http://a/4");
        EXPECT_EQ(four, "four");
        EXPECT_EQ(origin.connected().size(), 1U);
    }());
}

TEST(client, reads_no_body_of_an_answer_that_has_none) {
    run_bounded([]() -> task<> {
        const std::string hints = "HTTP/1.1 103 Early Hints\r\nContent-Length: 5\r\n\r\n";
        scripted_origin origin({{"HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n"},
                                {"HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n"},
                                {hints + ok("one"), ok("two")}});
        client by(origin.options());
        for (int round = 0; round < 2; ++round) {
            client_response response = co_await by.get("http://a/");
            EXPECT_EQ(response.status(), status::no_content);
            EXPECT_EQ(co_await response.text(), "");
            EXPECT_EQ(by.idle_connections(), 0U) << "a body may yet come";
        }
        EXPECT_EQ(co_await text_of(by, "http://a/"), "one");
        EXPECT_EQ(co_await text_of(by, "http://a/"), "two");
    }());
}

TEST(client, takes_more_fields_if_told_to) {
    run_bounded([]() -> task<> {
        std::string fields;
        for (int number = 0; number < 250; ++number)
            fields += "X-" + std::to_string(number) + ": " + std::to_string(number) + "\r\n";
        scripted_origin origin({{ok("", fields)}, {ok("", fields)}});
        const std::error_code refused = co_await error_of(get("http://a/", origin.options()));
        EXPECT_EQ(refused, http_error::head_too_large);
        client by(origin.options().limits(response_limits().header_count_max(255)));
        const client_response response = co_await by.get("http://a/");
        EXPECT_EQ(response.find("x-249"), "249");
    }());
}

TEST(client, closes_a_connection_whose_answer_was_not_read) {
    run_bounded([]() -> task<> {
        scripted_origin origin({{ok("one")}, {ok("two")}});
        client by(origin.options());
        {
            const client_response unread = co_await by.get("http://a/1");
        }
        EXPECT_EQ(by.idle_connections(), 0U);
        const std::string two = co_await text_of(by, "http://a/2");
        EXPECT_EQ(two, "two");
        EXPECT_EQ(origin.ended(), 1U);
    }());
}

TEST(client, never_uses_a_connection_again_that_must_not_be) {
    run_bounded([]() -> task<> {
        scripted_origin origin({{ok("one", "Connection: close\r\n")},
                                {ok("two") + "HTTP/1.1 200 OK\r\n"},
                                {"close:HTTP/1.1 200 OK\r\n\r\nthree"},
                                {"HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\nfour"},
                                {ok("five")}});
        client by(origin.options());
        std::string all;
        for (int i = 0; i < 5; ++i)
            all += co_await text_of(by, "http://a/");
        EXPECT_EQ(all, "onetwothreefourfive");
        EXPECT_EQ(origin.connected().size(), 5U);
    }());
}

TEST(client, does_not_share_connections_between_origins) {
    run_bounded([]() -> task<> {
        scripted_origin origin({{ok("a")}, {ok("b")}, {ok("c")}});
        client by(origin.options());
        for (const char* to : {"http://a/", "http://b/", "http://a:81/"})
            static_cast<void>(co_await text_of(by, to));
        EXPECT_EQ(origin.connected(), (std::vector<std::string>{"a:80", "b:80", "a:81"}));
        EXPECT_EQ(by.idle_connections(), 3U);
        by.close_idle_connections();
        EXPECT_EQ(by.idle_connections(), 0U);
    }());
}

TEST(client, notices_that_an_idle_connection_was_closed) {
    run_bounded([]() -> task<> {
        scripted_origin origin({{"close:" + ok("one")}, {ok("two")}});
        client by(origin.options());
        static_cast<void>(co_await text_of(by, "http://a/"));
        for (int i = 0; i < 10; ++i)
            co_await yield();
        client_response response = co_await by.post("http://a/", std::string("x"), "text/plain");
        const std::string text = co_await response.text();
        EXPECT_EQ(text, "two") << "even a POST, which is not repeated";
    }());
}

TEST(client, repeats_only_what_may_be_repeated_when_a_reused_connection_ends) {
    run_bounded([]() -> task<> {
        scripted_origin origin({{ok("one"), "close"}, {ok("two"), "close"}, {ok("three")}});
        client by(origin.options());
        static_cast<void>(co_await text_of(by, "http://a/1"));
        const std::string two = co_await text_of(by, "http://a/2");
        EXPECT_EQ(two, "two");
        EXPECT_EQ(line_of(origin.requested().at(1)), line_of(origin.requested().at(2)));
        const std::error_code error =
            co_await error_of(by.post("http://a/3", std::string("x"), "text/plain"));
        EXPECT_EQ(error, http_error::connection_closed);
        const std::string three = co_await text_of(by, "http://a/4");
        EXPECT_EQ(three, "three");
    }());
}

TEST(client, does_not_repeat_what_was_closed_after_a_byte_or_on_a_fresh_connection) {
    run_bounded([]() -> task<> {
        scripted_origin origin({{ok("one"), "close:H"}, {"close"}});
        client by(origin.options());
        static_cast<void>(co_await text_of(by, "http://a/1"));
        std::error_code error = co_await error_of(by.get("http://a/2"));
        EXPECT_EQ(error, http_error::truncated);
        error = co_await error_of(by.get("http://a/3"));
        EXPECT_EQ(error, http_error::connection_closed);
    }());
}

TEST(client, waits_only_so_long) {
    const auto outcome = [](const auto& set) -> task<std::error_code> {
        scripted_origin origin({{"silence"}});
        client_options options = origin.options();
        set(options);
        co_return co_await error_of(get("http://a/", options));
    };
    EXPECT_EQ(run_bounded(outcome([](client_options& o) { o.first_byte_time(5ms); })),
              http_error::first_byte_timed_out);
    EXPECT_EQ(run_bounded(outcome([](client_options& o) { o.total_time(5ms); })),
              http_error::total_timed_out);
    EXPECT_EQ(run_bounded(outcome([](client_options& o) {
                  o.connect_time(5ms).transport([](client_target) -> task<any_stream> {
                      co_await sleep_for(1h);
                      throw std::runtime_error("never");
                  });
              })),
              http_error::connect_timed_out);
    run_bounded([]() -> task<> {
        scripted_origin origin({{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel"}});
        client by(origin.options().idle_time(5ms));
        const std::error_code error = co_await error_of(text_of(by, "http://a/"));
        EXPECT_EQ(error, http_error::idle_timed_out);
    }());
    run_bounded([]() -> task<> {
        scripted_origin origin({{ok("hello")}});
        client by(origin.options().connections_per_origin_max(1).pool_time(5ms));
        const client_response unread = co_await by.get("http://a/");
        const std::error_code error = co_await error_of(by.get("http://a/"));
        EXPECT_EQ(error, http_error::pool_timed_out);
    }());
}

TEST(client, lets_those_who_wait_for_a_connection_go_in_order) {
    run_bounded([]() -> task<> {
        scripted_origin origin({{ok("0"), ok("1"), ok("3")}});
        client by(origin.options().connections_per_origin_max(1));
        client_response first = co_await by.get("http://a/0");
        std::string order;
        const auto ask = [](client& via, std::string to, std::string& done) -> task<> {
            done += co_await text_of(via, std::move(to));
        };
        const handle<> one = spawn(ask(by, "http://a/1", order));
        co_await yield();
        handle<> two = spawn(ask(by, "http://a/2", order));
        co_await yield();
        handle<> three = spawn(ask(by, "http://a/3", order));
        co_await yield();
        two.cancel();
        order += co_await first.text();
        co_await three;
        EXPECT_EQ(order, "013");
        EXPECT_EQ(line_of(origin.requested().at(2)), "GET /3 HTTP/1.1");
    }());
}

TEST(client, keeps_only_so_many_connections) {
    run_bounded([]() -> task<> {
        scripted_origin origin({{ok("")}, {ok("")}, {ok("")}, {ok("")}});
        client by(origin.options().connections_max(2));
        for (const char* to : {"http://a/", "http://b/", "http://c/"})
            static_cast<void>(co_await by.get(to));
        EXPECT_EQ(by.idle_connections(), 2U);
        for (int i = 0; i < 10; ++i)
            co_await yield();
        EXPECT_EQ(origin.ended(), 1U) << "the oldest has made way";
        client none(origin.options().keep_idle(0s));
        static_cast<void>(co_await none.get("http://a/"));
        EXPECT_EQ(none.idle_connections(), 0U);
    }());
}

TEST(client, closes_what_nobody_uses) {
    run_bounded([]() -> task<> {
        scripted_origin origin({{ok("")}});
        client by(origin.options().keep_idle(10ms));
        static_cast<void>(co_await by.get("http://a/"));
        EXPECT_EQ(by.idle_connections(), 1U);
        co_await sleep_for(15ms);
        while (by.idle_connections() != 0 || origin.ended() != 1)
            co_await yield();
    }());
}

TEST(client, tries_again_if_told_to) {
    run_bounded([]() -> task<> {
        scripted_origin origin(
            {{"close"}, {empty("503 ", "Retry-After: 0\r\n"), empty("429 "), ok("at last")}});
        client by(origin.options().retries(3, 1ms));
        const std::string text = co_await text_of(by, "http://a/");
        EXPECT_EQ(text, "at last");
        EXPECT_EQ(origin.requested().size(), 4U);
    }());
    run_bounded([]() -> task<> {
        scripted_origin origin({{empty("503 "), ok("")}, {empty("503 ", "Retry-After: 3600\r\n")}});
        client by(origin.options().retries(3, 1ms, 1s));
        const client_response posted = co_await by.post("http://a/", std::string("x"), "text/plain");
        EXPECT_EQ(posted.status(), status::service_unavailable) << "a POST is not repeated";
        by.close_idle_connections();
        const client_response too_long = co_await by.get("http://a/");
        EXPECT_EQ(too_long.status(), status::service_unavailable);
        const std::error_code refused = co_await error_of(by.get("http://b/"));
        EXPECT_EQ(refused, std::errc::connection_refused);
    }());
}

TEST(client, does_not_try_again_before_the_time_that_a_server_names) {
    for (const char* const time : {"Fri, 31 Dec 9999 23:59:59 GMT", "4294967295", "18446744073709551615",
                                   "99999999999999999999999", "3600"})
        for (const duration longest : {duration(1s), duration::max()})
            run_bounded([](std::string after, duration wait_max) -> task<> {
                scripted_origin origin({{empty("503 ", "Retry-After: " + after + "\r\n"), ok("too soon")}});
                client by(origin.options().retries(3, 1ms, wait_max).total_time(30min));
                const client_response response = co_await by.get("http://a/");
                EXPECT_EQ(response.status(), status::service_unavailable) << after;
                EXPECT_EQ(origin.requested().size(), 1U);
            }(time, longest));
}

TEST(client, asks_a_proxy) {
    run_bounded([]() -> task<> {
        scripted_origin origin({{ok("by proxy"), ok("other")}, {ok("direct")}, {empty("403 Forbidden")}});
        proxy_settings proxies;
        proxies.for_all("http://u:p%40@proxy:3128").except("direct.test");
        client by(origin.options().proxies(proxies));
        std::string all = co_await text_of(by, "http://a/b?c");
        all += co_await text_of(by, "http://other/");
        EXPECT_TRUE(origin.requested().at(0).starts_with("GET http://a/b?c HTTP/1.1\r\nHost: a\r\n"));
        EXPECT_TRUE(origin.requested().at(0).contains("Proxy-Authorization: Basic dTpwQA==\r\n"));
        all += co_await text_of(by, "http://x.direct.test/d");
        EXPECT_FALSE(origin.requested().at(2).contains("Proxy-Authorization"));
        EXPECT_EQ(all, "by proxyotherdirect");
        EXPECT_EQ(origin.connected(), (std::vector<std::string>{"proxy:3128", "x.direct.test:80"}));
        const std::error_code error = co_await error_of(by.get("https://secure/"));
        EXPECT_EQ(error, http_error::proxy_refused);
        EXPECT_EQ(
            origin.requested().at(3),
            "CONNECT secure:443 HTTP/1.1\r\nHost: secure:443\r\nProxy-Authorization: Basic dTpwQA==\r\n\r\n");
    }());
}

TEST(client, takes_nothing_for_the_servers_that_a_proxy_sends_behind_its_response) {
    run_bounded([]() -> task<> {
        scripted_origin origin({{"close:HTTP/1.1 200 OK\r\n\r\nsurplus"}});
        client by(origin.options().proxies(proxy_settings().for_all("http://proxy:3128")));
        const std::error_code error = co_await error_of(by.get("https://secure/"));
        EXPECT_EQ(error, http_error::proxy_refused);
    }());
}

TEST(client, keeps_cookies_if_told_to) {
    run_bounded([]() -> task<> {
        scripted_origin origin(
            {{ok("", "Set-Cookie: a=b; Path=/\r\nSet-Cookie: c=d; Path=/x\r\n"), ok(""), ok("")}});
        client by(origin.options().cookies(true));
        for (const char* to : {"http://a.test/", "http://a.test/x", "http://a.test/"})
            static_cast<void>(co_await by.get(to));
        EXPECT_FALSE(origin.requested().at(0).contains("Cookie"));
        EXPECT_TRUE(origin.requested().at(1).contains("Cookie: c=d; a=b\r\n"));
        EXPECT_TRUE(origin.requested().at(2).contains("Cookie: a=b\r\n"));
    }());
}

TEST(client, changes_the_protocol) {
    run_bounded([]() -> task<> {
        scripted_origin origin({{"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: "
                                 "echo\r\nX: y\r\n\r\nfirst"},
                                {empty("400 Bad Request")}});
        client by(origin.options());
        client_request wanted(method::get, "http://a/");
        wanted.upgrade_to("echo");
        upgraded_stream changed = co_await by.upgrade(wanted);
        EXPECT_TRUE(origin.requested().at(0).contains("Connection: Upgrade\r\nUpgrade: echo\r\n"));
        EXPECT_EQ(changed.head().find("X"), "y");
        std::array<std::byte, 10> room;
        const std::size_t count = co_await changed.stream().read(room);
        EXPECT_EQ(as_text(std::span(room).first(count)), "first");
        const std::error_code error = co_await error_of(by.upgrade(wanted));
        EXPECT_EQ(error, http_error::upgrade_refused);
    }());
}

TEST(client, speaks_to_local_sockets_and_not_in_other_schemes) {
    run_bounded([]() -> task<> {
        scripted_origin origin({{ok("local")}});
        client by(origin.options());
        const std::string text = co_await text_of(by, "http+unix://%2Frun%2Fa.sock/b");
        EXPECT_EQ(text, "local");
        EXPECT_EQ(origin.connected().at(0), "/run/a.sock");
        EXPECT_TRUE(origin.requested().at(0).starts_with("GET /b HTTP/1.1\r\nHost: localhost\r\n"));
        std::error_code error = co_await error_of(by.get("ftp://a/"));
        EXPECT_EQ(error, http_error::unsupported_scheme);
    }());
}

}  // namespace
}  // namespace eddy::http::client_test
