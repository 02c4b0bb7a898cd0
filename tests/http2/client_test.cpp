#include "http2/client_origins.hpp"
#include "support/certificates.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/async_generator.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/http/router.hpp>
#include <eddy/http/server/response.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/sync/auto_reset_event.hpp>
#include <eddy/sync/event.hpp>
#include <eddy/tls/tls_context.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// The client against the library's own server: what a user sees is what HTTP/1 shows.
namespace eddy::http::test::client_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::certificate_authority;
using eddy::test::certificate_wish;
using eddy::test::run_bounded;

TEST(http2_client, gets_by_prior_knowledge) {
    run_bounded([]() -> task<> {
        served_origin origin(echo_path);
        client by(origin.options());
        client_response response = co_await by.get("http://a.test/b?c");
        EXPECT_EQ(2, response.head().major_version());
        EXPECT_EQ(status::ok, response.status());
        EXPECT_EQ("4", response.find(field::content_length));
        EXPECT_EQ(4U, response.body().size());
        EXPECT_EQ("/b?c", co_await response.text());
        EXPECT_TRUE(response.body().is_over());
        EXPECT_EQ("/d", co_await text_of(by, "http://a.test/d"));
        EXPECT_EQ(1U, origin.connected());
        EXPECT_EQ(1U, by.idle_connections());
    }());
}

TEST(http2_client, speaks_http1_in_clear_unless_it_knows_better) {
    run_bounded([]() -> task<> {
        served_origin origin(echo_path);
        client by(origin.options(http2_options()));
        const client_response response = co_await by.get("http://a.test/b");
        EXPECT_EQ(1, response.head().major_version());
    }());
}

TEST(http2_client, shares_a_connection_among_requests) {
    run_bounded([]() -> task<> {
        std::size_t waiting = 0;
        event<> held;
        served_origin origin([&](exchange& ex) -> task<void> {
            ++waiting;
            co_await held.wait();
            co_await echo_path(ex);
        });
        client by(origin.options());
        std::vector<handle<std::string>> all;
        for (int index = 0; index < 50; ++index)
            all.push_back(spawn(text_of(by, "http://a/" + std::to_string(index))));
        while (waiting < 50)
            co_await yield();
        held.set();
        for (int index = 0; index < 50; ++index)
            EXPECT_EQ("/" + std::to_string(index), co_await all[static_cast<std::size_t>(index)]);
        EXPECT_EQ(1U, origin.connected());
    }());
}

TEST(http2_client, makes_another_connection_when_the_first_is_full) {
    run_bounded([]() -> task<> {
        std::size_t waiting = 0;
        event<> held;
        served_origin origin(
            [&](exchange& ex) -> task<void> {
                ++waiting;
                co_await held.wait();
                co_await echo_path(ex);
            },
            speaking_http2(http2_options().streams_max(3)));
        client by(origin.options());
        // So that the limit is known.
        held.set();
        EXPECT_EQ("/", co_await text_of(by, "http://a/"));
        held.reset();
        waiting = 0;
        std::vector<handle<std::string>> all;
        for (int index = 0; index < 8; ++index)
            all.push_back(spawn(text_of(by, "http://a/x")));
        while (waiting < 8)
            co_await yield();
        EXPECT_EQ(3U, origin.connected());
        held.set();
        for (auto& each : all)
            EXPECT_EQ("/x", co_await each);
        EXPECT_EQ(3U, by.idle_connections());
    }());
}

TEST(http2_client, waits_for_room_when_there_may_be_no_more_connections) {
    run_bounded([]() -> task<> {
        std::size_t most = 0;
        std::size_t now = 0;
        served_origin origin(
            [&](exchange& ex) -> task<void> {
                most = std::max(most, ++now);
                for (int turn = 0; turn < 5; ++turn)
                    co_await yield();
                --now;
                co_await echo_path(ex);
            },
            speaking_http2(http2_options().streams_max(2)));
        client by(origin.options().connections_per_origin_max(2));
        EXPECT_EQ("/", co_await text_of(by, "http://a/"));
        std::vector<handle<std::string>> all;
        for (int index = 0; index < 30; ++index)
            all.push_back(spawn(text_of(by, "http://a/x")));
        for (auto& each : all)
            EXPECT_EQ("/x", co_await each);
        EXPECT_EQ(2U, origin.connected());
        EXPECT_EQ(4U, most);
    }());
}

TEST(http2_client, gives_up_a_wait_for_room_in_time) {
    run_bounded([]() -> task<> {
        event<> held;
        bool is_begun = false;
        served_origin origin(
            [&](exchange& ex) -> task<void> {
                is_begun = true;
                co_await held.wait();
                co_await echo_path(ex);
            },
            speaking_http2(http2_options().streams_max(1)));
        client by(origin.options(in_clear().streams_max(1)).connections_per_origin_max(1).pool_time(1ms));
        auto first = spawn(text_of(by, "http://a/1"));
        while (!is_begun)
            co_await yield();
        const std::error_code late = co_await error_of(text_of(by, "http://a/2"));
        EXPECT_EQ(http_error::pool_timed_out, late);
        held.set();
        EXPECT_EQ("/1", co_await first);
    }());
}

TEST(http2_client, goes_on_to_open_when_the_request_that_opens_is_dropped) {
    run_bounded([]() -> task<> {
        served_origin origin(echo_path);
        event<> may_connect;
        std::size_t asked = 0;
        client_options options = origin.options();
        const client_transport inner = options.transport();
        options.transport([&, inner](client_target to) -> task<any_stream> {
            if (++asked == 1)
                co_await may_connect.wait();
            co_return co_await inner(std::move(to));
        });
        client by(std::move(options));
        auto first = spawn(text_of(by, "http://a/1"));
        while (asked == 0)
            co_await yield();
        auto second = spawn(text_of(by, "http://a/2"));
        auto third = spawn(text_of(by, "http://a/3"));
        for (int turn = 0; turn < 10; ++turn)
            co_await yield();
        EXPECT_EQ(1U, asked) << "they wait for what the connection turns out to be";
        first.cancel();
        EXPECT_EQ("/2", co_await second);
        EXPECT_EQ("/3", co_await third);
        EXPECT_EQ(1U, origin.connected());
    }());
}

task<void> echo_body(exchange& ex) {
    co_await ex.begin_response(status::ok, {});
    std::array<std::byte, 10'000> room;
    while (const std::size_t count = co_await ex.body().read(room)) {
        co_await ex.write(std::span<const std::byte>(room).first(count));
        co_await ex.flush();
    }
    ex.add_trailer("Checksum", "7");
}

TEST(http2_client, sends_bodies_of_any_size) {
    run_bounded([]() -> task<> {
        served_origin origin(echo_body);
        client by(origin.options());
        for (const std::size_t size : {0UL, 1UL, 8192UL, 8193UL, 65'535UL, 65'536UL, 3'000'000UL}) {
            const std::string body(size, 'b');
            client_response response = co_await by.post("http://a/", body, "text/plain");
            EXPECT_EQ(body, co_await response.text()) << size;
            EXPECT_EQ(1U, response.body().trailers().size());
        }
        EXPECT_EQ(1U, origin.connected());
    }());
}

async_generator<std::string> questions(auto_reset_event& next) {
    for (int round = 0; round < 5; ++round) {
        co_await next.wait();
        co_yield "question " + std::to_string(round);
    }
}

TEST(http2_client, sends_a_body_while_it_reads_the_response) {
    run_bounded([]() -> task<> {
        served_origin origin(echo_body);
        client by(origin.options());
        auto_reset_event next;
        client_request request(method::post, "http://a/");
        request.content(outgoing_body::of_texts(questions(next)));
        client_response response = co_await by.send(std::move(request));
        for (int round = 0; round < 5; ++round) {
            next.set();
            std::array<std::byte, 100> room;
            const std::size_t count = co_await response.body().read(room);
            EXPECT_EQ("question " + std::to_string(round),
                      as_text(std::span<const std::byte>(room).first(count)));
        }
        EXPECT_EQ("", co_await response.text());
        EXPECT_EQ("checksum", response.body().trailers().at(0).first);
    }());
}

TEST(http2_client, waits_for_the_servers_consent_to_a_body) {
    run_bounded([]() -> task<> {
        served_origin origin([](exchange& ex) -> task<void> {
            if (ex.request().path() == "/no")
                co_return co_await ex.respond(status::forbidden, {}, "no");
            co_await ex.respond(status::ok, {}, co_await ex.body().read_all(1000));
        });
        client by(origin.options());
        client_request request(method::put, "http://a/yes");
        request.content(std::string("body")).expect_continue(true);
        client_response agreed = co_await by.send(request);
        EXPECT_EQ("body", co_await agreed.text());
        client_request refused(method::put, "http://a/no");
        refused.content(std::string("body")).expect_continue(true);
        client_response no = co_await by.send(refused);
        EXPECT_EQ("no", co_await no.text());
        EXPECT_EQ(1U, origin.connected());
    }());
}

TEST(http2_client, resets_the_stream_of_a_request_that_is_dropped) {
    run_bounded([]() -> task<> {
        bool is_begun = false;
        bool is_dropped = false;
        event<> never;
        served_origin origin([&](exchange& ex) -> task<void> {
            if (ex.request().path() != "/slow")
                co_return co_await echo_path(ex);
            struct noting {
                bool& dropped;
                ~noting() { dropped = true; }
            };
            const noting until_then{is_dropped};
            is_begun = true;
            co_await never.wait();
        });
        client by(origin.options());
        auto slow = spawn(text_of(by, "http://a/slow"));
        while (!is_begun)
            co_await yield();
        slow.cancel();
        EXPECT_EQ("/next", co_await text_of(by, "http://a/next"));
        while (!is_dropped)
            co_await yield();
        EXPECT_EQ(1U, origin.connected());
    }());
}

TEST(http2_client, leaves_the_connection_usable_when_a_response_is_not_read) {
    run_bounded([]() -> task<> {
        served_origin origin([](exchange& ex) -> task<void> {
            co_await ex.begin_response(status::ok, {});
            for (int count = 0; count < 100; ++count)
                co_await ex.write(as_bytes(std::string(100'000, 'x')));
        });
        client by(origin.options());
        for (int round = 0; round < 20; ++round) {
            client_response response = co_await by.get("http://a/");
            std::array<std::byte, 100> room;
            EXPECT_NE(0U, co_await response.body().read(room));
        }
        client_response whole = co_await by.get("http://a/");
        EXPECT_EQ(10'000'000U, (co_await whole.text()).size());
        EXPECT_EQ(1U, origin.connected());
    }());
}

TEST(http2_client, follows_redirects_keeps_cookies_and_decodes) {
    run_bounded([]() -> task<> {
        router routes;
        routes.use(compression());
        routes.get("/from", [](exchange&) {
            return response::redirect("/to", status::found).header("Set-Cookie", "a=b");
        });
        routes.get("/to", [](exchange& ex) {
            return response::text(std::string(ex.request().find("Cookie").value_or("none")) +
                                  std::string(5000, '.'));
        });
        served_origin origin([&](exchange& ex) -> task<void> { co_await routes.handle(ex); });
        client by(origin.options().cookies(true));
        client_response response = co_await by.get("http://a.test/from");
        EXPECT_TRUE(response.find("content-encoding"));
        EXPECT_EQ("a=b" + std::string(5000, '.'), co_await response.text());
        EXPECT_EQ(1U, origin.connected());
    }());
}

TEST(http2_client, reads_no_body_where_there_is_none) {
    run_bounded([]() -> task<> {
        served_origin origin([](exchange& ex) -> task<void> {
            const bool is_empty = ex.request().path() == "/none";
            co_await ex.respond(is_empty ? status::no_content : status::ok, {}, is_empty ? "" : "12345");
        });
        client by(origin.options());
        client_response head = co_await by.head("http://a/");
        EXPECT_EQ("5", head.find(field::content_length));
        EXPECT_TRUE(head.body().is_over());
        client_response none = co_await by.get("http://a/none");
        EXPECT_EQ(status::no_content, none.status());
        EXPECT_EQ("", co_await none.text());
    }());
}

TEST(http2_client, closes_idle_connections) {
    run_bounded([]() -> task<> {
        served_origin origin(echo_path);
        client by(origin.options());
        static_cast<void>(co_await text_of(by, "http://a/1"));
        EXPECT_EQ(1U, by.idle_connections());
        by.close_idle_connections();
        EXPECT_EQ(0U, by.idle_connections());
        static_cast<void>(co_await text_of(by, "http://a/2"));
        EXPECT_EQ(2U, origin.connected());
        client not_kept(origin.options().keep_idle(0s));
        static_cast<void>(co_await text_of(not_kept, "http://a/3"));
        static_cast<void>(co_await text_of(not_kept, "http://a/4"));
        EXPECT_EQ(4U, origin.connected());
        client kept_shortly(origin.options().keep_idle(1ms));
        static_cast<void>(co_await text_of(kept_shortly, "http://a/5"));
        while (kept_shortly.idle_connections() != 0)
            co_await sleep_for(1ms);
    }());
}

TEST(http2_client, makes_room_for_connections_to_others) {
    run_bounded([]() -> task<> {
        served_origin origin(echo_path);
        client by(origin.options().connections_max(2));
        for (const char* to : {"http://a/", "http://b/", "http://c/", "http://a/"})
            EXPECT_EQ("/", co_await text_of(by, to));
        EXPECT_EQ(2U, by.idle_connections());
        EXPECT_EQ(4U, origin.connected());
    }());
}

TEST(http2_client, lets_a_response_outlive_the_client) {
    run_bounded([]() -> task<> {
        served_origin origin(echo_path);
        std::optional<client> by(origin.options());
        client_response response = co_await by->get("http://a/outlives");
        by.reset();
        EXPECT_EQ("/outlives", co_await response.text());
    }());
}

/// A server over TLS on a port of its own.
class secure_server {
public:
    secure_server(const certificate_authority& authority, request_handler& handler,
                  std::vector<std::string> alpn, bool speaks_http2)
        : serving_(tcp_listener::bind(endpoint::loopback_ipv4(0)), handler,
                   options(authority, std::move(alpn), speaks_http2)),
          running_(spawn(serving_.run())) {}

    [[nodiscard]] std::string url() {
        return "https://localhost:" + std::to_string(serving_.listener().local_endpoint().port()) + "/a";
    }
    [[nodiscard]] server& get() noexcept { return serving_; }

private:
    static server_options options(const certificate_authority& authority, std::vector<std::string> alpn,
                                  bool speaks_http2) {
        const auto made = authority.issue(certificate_wish("localhost").address("127.0.0.1"));
        server_options chosen;
        chosen.tls(
            tls_context(tls_server_options(tls_certificate::pem(made.certificate_pem(), made.key_pem()))
                            .alpn(std::move(alpn))));
        if (speaks_http2)
            chosen.protocol(http2());
        return chosen;
    }

    server serving_;
    handle<void> running_;
};

client_options trusting(const certificate_authority& authority) {
    return client_options()
        .tls(tls_context(tls_client_options().trust(tls_trust().pem(authority.pem()))))
        .protocol(http2());
}

task<void> version_and_path(exchange& ex) {
    co_await ex.respond(status::ok, {},
                        std::to_string(ex.request().major_version()) + std::string(ex.request().target()));
}

TEST(http2_client, is_agreed_on_by_alpn) {
    run_bounded([]() -> task<> {
        const certificate_authority authority;
        called_handler handler(version_and_path);
        secure_server origin(authority, handler, {"h2", "http/1.1"}, true);
        client by(trusting(authority));
        std::vector<handle<std::string>> all;
        for (int index = 0; index < 10; ++index)
            all.push_back(spawn(text_of(by, origin.url())));
        for (auto& each : all)
            EXPECT_EQ("2/a", co_await each);
        EXPECT_EQ(1U, by.idle_connections());
        client plain(trusting(authority).protocol(nullptr));
        EXPECT_EQ("1/a", co_await text_of(plain, origin.url()));
    }());
}

TEST(http2_client, falls_back_to_http1_where_the_server_does_not_choose_it) {
    run_bounded([]() -> task<> {
        const certificate_authority authority;
        called_handler handler(version_and_path);
        for (const bool has_alpn : {false, true}) {
            std::vector<std::string> alpn;
            if (has_alpn)
                alpn.emplace_back("http/1.1");
            secure_server origin(authority, handler, alpn, false);
            client by(trusting(authority).connections_per_origin_max(3));
            std::vector<handle<std::string>> all;
            for (int index = 0; index < 10; ++index)
                all.push_back(spawn(text_of(by, origin.url())));
            for (auto& each : all)
                EXPECT_EQ("1/a", co_await each);
            EXPECT_EQ(3U, by.idle_connections());
        }
    }());
}

// Those that begin while the first one finds out what the server speaks do not miss the moment at which it has.
TEST(http2_client, lets_requests_begin_at_any_moment_of_the_first) {
    run_bounded([]() -> task<> {
        const certificate_authority authority;
        called_handler handler(version_and_path);
        secure_server origin(authority, handler, {}, false);
        client by(trusting(authority).connections_per_origin_max(2));
        std::vector<handle<std::string>> all;
        all.push_back(spawn(text_of(by, origin.url())));
        do {
            all.push_back(spawn(text_of(by, origin.url())));
            co_await yield();
        } while (!all.front().done());
        for (auto& each : all)
            EXPECT_EQ("1/a", co_await each);
    }());
}

}  // namespace
}  // namespace eddy::http::test::client_test
