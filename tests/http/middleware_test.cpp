#include "http/routed.hpp"

#include <eddy/http/routing/access_log.hpp>
#include <eddy/http/routing/authentication.hpp>
#include <eddy/http/routing/concurrency_limit.hpp>
#include <eddy/http/routing/cors.hpp>
#include <eddy/http/routing/rate_limit.hpp>
#include <eddy/http/routing/request_id.hpp>
#include <eddy/http/routing/request_timeout.hpp>
#include <eddy/http/routing/security_headers.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::http::test::middleware_test {
namespace {

using namespace std::chrono_literals;

auto say(std::string_view text) {
    return [text = std::string(text)] { return response::text(text); };
}

/// What a log wrote on the server's worker: to be looked at once the server is gone.
class log_lines {
public:
    std::function<void(std::string_view)> sink() {
        return [this](std::string_view line) { lines.emplace_back(line); };
    }
    [[nodiscard]] std::string dateless(std::size_t number) const {
        std::string line = lines.at(number);
        if (const auto date = line.find('['); date != std::string::npos)
            line.replace(date, line.find(']') - date + 1, "[date]");
        return line;
    }
    std::vector<std::string> lines;
};

TEST(an_access_log, tells_of_each_request_in_the_common_and_combined_formats) {
    log_lines common;
    log_lines combined;
    {
        routed server([&](router& routes) {
            routes.use(access_log(common.sink(), access_log_format::common));
            routes.use(access_log(combined.sink()));
            routes.get("/a", say("hello"));
            routes.get("/later", []() -> task<response> {
                co_await sleep_for(1us);
                co_return response::text("later").status(status::accepted);
            });
        });
        server.get("/a?b=c", "Referer: http://x/\r\nUser-Agent: y\r\n");
        server.get("/later");
        server.get("/none");
    }
    ASSERT_EQ(common.lines.size(), 3U);
    ASSERT_EQ(combined.lines.size(), 3U);
    EXPECT_EQ(common.lines[0].find('['), 14U);
    EXPECT_EQ(common.lines[0].substr(17, 1) + common.lines[0].substr(35, 7), "/ +0000]") << common.lines[0];
    EXPECT_EQ(common.dateless(0), "127.0.0.1 - - [date] \"GET /a?b=c HTTP/1.1\" 200 5");
    EXPECT_EQ(combined.dateless(0), common.dateless(0) + " \"http://x/\" \"y\"");
    EXPECT_EQ(common.dateless(1), "127.0.0.1 - - [date] \"GET /later HTTP/1.1\" 202 5");
    EXPECT_EQ(combined.dateless(1), common.dateless(1) + " \"-\" \"-\"");
    EXPECT_EQ(common.dateless(2), "127.0.0.1 - - [date] \"GET /none HTTP/1.1\" 404 10");
}

TEST(an_access_log, cannot_be_forged) {
    log_lines combined;
    log_lines json;
    {
        routed server([&](router& routes) {
            routes.use(access_log(combined.sink()));
            routes.use(access_log(json.sink(), access_log_format::json));
        });
        server.get("/x", "User-Agent: a\"b\\\xff\t\r\nX-Y: z\r\n");
    }
    EXPECT_EQ(combined.dateless(0),
              "127.0.0.1 - - [date] \"GET /x HTTP/1.1\" 404 10 \"-\" \"a\\x22b\\x5c\\xff\"");
    ASSERT_EQ(json.lines.size(), 1U);
    EXPECT_NE(json.lines[0].find("\"target\":\"/x\""), std::string::npos) << json.lines[0];
    EXPECT_NE(json.lines[0].find("\"user_agent\":\"a\\u0022b\\u005c\\u00ff\""), std::string::npos)
        << json.lines[0];
}

TEST(an_access_log, tells_of_requests_that_were_dropped) {
    log_lines common;
    {
        routed server([&](router& routes) {
            routes.use(access_log(common.sink(), access_log_format::common));
            routes.get("/wait", []() -> task<> { co_await sleep_for(1h); });
        });
        blocking_client client(server.port());
        client.send(get("/wait"));
        while (server.call([&] { return server.the_server().statistics().requests; }) == 0)
            std::this_thread::yield();
        server.drop();
    }
    EXPECT_EQ(common.dateless(0), "127.0.0.1 - - [date] \"GET /wait HTTP/1.1\" 499 0");
}

TEST(request_ids, are_taken_from_the_client_if_they_are_valid_and_made_otherwise) {
    log_lines json;
    routed server([&](router& routes) {
        routes.use(access_log(json.sink(), access_log_format::json)).use(request_ids());
        routes.get("/",
                   [](exchange& ex) { return response::text(ex.attributes().find<request_id>()->text()); });
    });
    const response_seen given = server.get("/", "X-Request-Id: aZ0._-\r\n");
    EXPECT_EQ(given.field("X-Request-Id"), "aZ0._-");
    EXPECT_EQ(given.body, "aZ0._-");
    const std::string first = server.get("/", "X-Request-Id: a b\r\n").field("X-Request-Id");
    const std::string second = server.get("/", "X-Request-Id: " + std::string(129, 'a') + "\r\n").body;
    const std::string third = server.get("/").body;
    for (const std::string& made : {first, second, third})
        EXPECT_TRUE(made.size() == 32 && request_ids::is_valid(made)) << made;
    EXPECT_NE(first, second);
    EXPECT_NE(second, third);
    server.drop();
    ASSERT_EQ(json.lines.size(), 4U);
    EXPECT_NE(json.lines[0].find("\"id\":\"aZ0._-\""), std::string::npos) << json.lines[0];
}

TEST(a_rate_limit, answers_429_with_the_time_to_wait) {
    routed server([](router& routes) {
        routes.use(rate_limit(rate_limit_options(0.001).burst(2)));
        routes.get("/", say("hello"));
    });
    EXPECT_EQ(server.get("/").status, 200);
    EXPECT_EQ(server.get("/").status, 200);
    const response_seen refused = server.get("/");
    EXPECT_EQ(refused.status, 429);
    EXPECT_GT(std::stoi(refused.field("Retry-After")), 900);
    EXPECT_LE(std::stoi(refused.field("Retry-After")), 1000);
}

TEST(a_rate_limit, counts_by_key_and_forgets_keys_beyond_its_limit) {
    routed server([](router& routes) {
        routes.use(rate_limit(rate_limit_options(0.001).burst(1).keys_max(2).key(
            [](exchange& ex) { return std::string(ex.request().find("x-key").value_or("")); })));
        routes.get("/", say("hello"));
    });
    EXPECT_EQ(server.get("/", "X-Key: a\r\n").status, 200);
    EXPECT_EQ(server.get("/", "X-Key: a\r\n").status, 429);
    EXPECT_EQ(server.get("/", "X-Key: b\r\n").status, 200);
    EXPECT_EQ(server.get("/", "X-Key: c\r\n").status, 200);  // for which another is forgotten
    EXPECT_EQ(server.get("/", "X-Key: c\r\n").status, 429);
}

TEST(a_token_bucket, fills_by_the_rate_up_to_its_burst) {
    time_point now{};
    token_bucket bucket(2, 3, now);
    for (int count = 0; count < 3; ++count)
        EXPECT_TRUE(bucket.try_take(now));
    EXPECT_FALSE(bucket.try_take(now));
    EXPECT_EQ(bucket.wait(now), 500ms);
    EXPECT_FALSE(bucket.try_take(now + 499ms));
    EXPECT_TRUE(bucket.try_take(now + 501ms));
    EXPECT_FALSE(bucket.is_full(now + 1s));
    EXPECT_TRUE(bucket.is_full(now + 1h));
    now += 1h;
    for (int count = 0; count < 3; ++count)
        EXPECT_TRUE(bucket.try_take(now));
    EXPECT_FALSE(bucket.try_take(now));
    EXPECT_FALSE(bucket.try_take(now - 1s));  // time that goes back fills nothing
}

TEST(a_concurrency_limit, answers_503_beyond_it_and_has_room_again_afterwards) {
    auto waiting = std::make_shared<door>();
    routed server([&](router& routes) {
        routes
            .get("/wait",
                 [waiting]() -> task<response> {
                     co_await *waiting;
                     co_return response::text("waited");
                 })
            .use(concurrency_limit(1, 7s));
        routes.get("/free", say("free"));
    });
    blocking_client first(server.port());
    first.send(get("/wait"));
    while (server.call([&] { return server.the_server().statistics().requests; }) == 0)
        std::this_thread::yield();
    const response_seen refused = server.get("/wait");
    EXPECT_EQ(refused.status, 503);
    EXPECT_EQ(refused.field("Retry-After"), "7");
    EXPECT_EQ(server.get("/free").status, 200);
    server.call([&] { waiting->open(); });
    EXPECT_EQ(first.read_response().value_or(response_seen()).body, "waited");
    EXPECT_EQ(server.said("GET", "/wait"), "200 waited");
}

TEST(cors, allows_the_origins_that_it_knows) {
    routed server([](router& routes) {
        routes.use(cors(cors_options()
                            .origin("https://a.example")
                            .origins([](std::string_view origin) { return origin.ends_with(".b.example"); })
                            .methods("GET, PUT")
                            .headers("X-Mine")
                            .exposed_headers("X-Seen")
                            .credentials(true)
                            .max_age(60s)));
        routes.put("/", say("hello"));
    });
    const response_seen preflight =
        server.ask("OPTIONS", "/", "Origin: https://a.example\r\nAccess-Control-Request-Method: PUT\r\n");
    EXPECT_EQ(preflight.status, 204);
    EXPECT_EQ(preflight.field("Access-Control-Allow-Origin"), "https://a.example");
    EXPECT_EQ(preflight.field("Access-Control-Allow-Credentials"), "true");
    EXPECT_EQ(preflight.field("Access-Control-Allow-Methods"), "GET, PUT");
    EXPECT_EQ(preflight.field("Access-Control-Allow-Headers"), "X-Mine");
    EXPECT_EQ(preflight.field("Access-Control-Max-Age"), "60");
    EXPECT_EQ(preflight.field("Vary"), "Origin");

    const response_seen real = server.ask("PUT", "/", "Origin: https://x.b.example\r\n");
    EXPECT_EQ(real.body, "hello");
    EXPECT_EQ(real.field("Access-Control-Allow-Origin"), "https://x.b.example");
    EXPECT_EQ(real.field("Access-Control-Expose-Headers"), "X-Seen");

    for (const std::string_view other :
         {"https://a.example.evil", "http://a.example", "null", "https://A.example"}) {
        const response_seen refused = server.ask(
            "OPTIONS", "/", "Origin: " + std::string(other) + "\r\nAccess-Control-Request-Method: PUT\r\n");
        EXPECT_EQ(refused.status, 204);
        EXPECT_EQ(refused.field("Access-Control-Allow-Origin"), "") << other;
        EXPECT_EQ(refused.field("Access-Control-Allow-Methods"), "") << other;
        EXPECT_EQ(refused.field("Vary"), "Origin");
    }
    EXPECT_EQ(server.ask("PUT", "/").field("Vary"), "Origin");
    EXPECT_EQ(server.ask("OPTIONS", "/").field("Allow"), "PUT, OPTIONS");
}

TEST(cors, for_any_origin_says_so_and_not_with_credentials) {
    routed server([](router& routes) {
        routes.use(cors(cors_options().any_origin()));
        routes.get("/", say("hello"));
    });
    const response_seen response = server.get("/", "Origin: https://a.example\r\n");
    EXPECT_EQ(response.field("Access-Control-Allow-Origin"), "*");
    EXPECT_EQ(response.field("Vary"), "");
    EXPECT_THROW(cors(cors_options().any_origin().credentials(true)), std::invalid_argument);
}

TEST(basic_authentication, lets_in_who_has_the_right_password) {
    routed server([](router& routes) {
        routes.use(
            basic_authentication("a \"realm\"", [](const std::string& name, const std::string& password) {
                return name == "Aladdin" && constant_time_equal(password, "open sesame");
            }));
        routes.get("/", [](exchange& ex) {
            return response::text(ex.attributes().find<authenticated_user>()->name());
        });
    });
    // RFC 7617 section 2.
    EXPECT_EQ(server.said("GET", "/", "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n"),
              "200 Aladdin");
    EXPECT_EQ(server.said("GET", "/", "Authorization: bASIC  QWxhZGRpbjpvcGVuIHNlc2FtZQ\r\n"), "200 Aladdin");
    for (const std::string_view wrong :
         {"", "Basic", "Basic ", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZP==", "Basic QWxhZGRpbjpvcGVu",
          "Basic QWxhZGRpbg==", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=", "Basic !",
          "Bearer QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "BasicQWxhZGRpbjpvcGVuIHNlc2FtZQ=="}) {
        const response_seen refused = server.get("/", "Authorization: " + std::string(wrong) + "\r\n");
        EXPECT_EQ(refused.status, 401) << wrong;
        EXPECT_EQ(refused.field("WWW-Authenticate"), "Basic realm=\"a \\\"realm\\\"\", charset=\"UTF-8\"");
    }
    EXPECT_EQ(server.get("/").status, 401);
    EXPECT_THROW(basic_authentication("a\r\nb", nullptr), std::invalid_argument);
}

TEST(bearer_authentication, asks_a_task_whether_a_token_is_good) {
    routed server([](router& routes) {
        routes.use(bearer_authentication("api", [](exchange&, std::string token) -> task<bool> {
            co_await sleep_for(1us);
            co_return constant_time_equal(token, "a.b-c~d+e/f==");
        }));
        routes.get("/", say("in"));
    });
    EXPECT_EQ(server.said("GET", "/", "Authorization: Bearer a.b-c~d+e/f==\r\n"), "200 in");
    const response_seen refused = server.get("/", "Authorization: Bearer wrong\r\n");
    EXPECT_EQ(refused.status, 401);
    EXPECT_EQ(refused.field("WWW-Authenticate"), "Bearer realm=\"api\", error=\"invalid_token\"");
    EXPECT_EQ(server.get("/").field("WWW-Authenticate"), "Bearer realm=\"api\"");
    for (const std::string_view malformed :
         {"Bearer ", "Bearer a b", "Bearer =", "Bearer a=b", "Bearer \xc3\xa9"})
        EXPECT_EQ(server.get("/", "Authorization: " + std::string(malformed) + "\r\n").status, 400)
            << malformed;
}

TEST(secrets, are_equal_or_not) {
    EXPECT_TRUE(constant_time_equal("", ""));
    EXPECT_TRUE(constant_time_equal("abc", "abc"));
    EXPECT_FALSE(constant_time_equal("abc", "abd"));
    EXPECT_FALSE(constant_time_equal("abc", "ab"));
}

TEST(a_request_timeout, drops_the_handler_and_answers_in_its_place) {
    auto dropped = std::make_shared<bool>(false);
    struct noted {
        explicit noted(std::shared_ptr<bool> reported) : flag(std::move(reported)) {}
        ~noted() { *flag = true; }
        std::shared_ptr<bool> flag;
    };
    routed server([&](router& routes) {
        routes
            .get("/slow",
                 [dropped]() -> task<response> {
                     const noted here(dropped);
                     co_await sleep_for(1h);
                     co_return response::text("never");
                 })
            .use(request_timeout(1ms));
        routes.get("/gateway", []() -> task<> { co_await sleep_for(1h); })
            .use(request_timeout(1ms, status::gateway_timeout));
        routes.get("/quick", say("quick")).use(request_timeout(1ms));
        routes
            .get("/begun",
                 [](exchange& ex) -> task<> {
                     co_await ex.begin_response(status::ok, {});
                     co_await sleep_for(1h);
                 })
            .use(request_timeout(1ms));
        routes
            .get("/own",
                 []() -> task<response> {
                     co_await sleep_for(1us);
                     throw std::system_error(std::make_error_code(std::errc::timed_out));
                 })
            .use(request_timeout(1h));
    });
    EXPECT_EQ(server.get("/slow").status, 503);
    EXPECT_TRUE(server.call([&] { return *dropped; }));
    EXPECT_EQ(server.get("/gateway").status, 504);
    EXPECT_EQ(server.said("GET", "/quick"), "200 quick");
    EXPECT_EQ(server.get("/own").status, 500);
    blocking_client client(server.port());
    client.send(get("/begun"));
    const std::string seen = client.read_to_end();
    EXPECT_TRUE(seen.starts_with("HTTP/1.1 200") && !seen.ends_with("0\r\n\r\n")) << seen;
}

TEST(security_headers, are_added_to_every_answer) {
    routed server([](router& routes) {
        routes.use(security_headers().content_security_policy("default-src 'self'").strict_transport(1h));
        routes.get("/", say("hello"));
    });
    for (const std::string_view path : {"/", "/none"}) {
        const response_seen response = server.get(path);
        EXPECT_EQ(response.field("X-Content-Type-Options"), "nosniff");
        EXPECT_EQ(response.field("X-Frame-Options"), "DENY");
        EXPECT_EQ(response.field("Referrer-Policy"), "strict-origin-when-cross-origin");
        EXPECT_EQ(response.field("Content-Security-Policy"), "default-src 'self'");
        EXPECT_EQ(response.field("Strict-Transport-Security"), "");
    }
}

TEST(security_headers, can_be_set_to_other_values_and_left_out) {
    routed server([](router& routes) {
        routes.use(security_headers().frame_options("SAMEORIGIN").referrer_policy(""));
        routes.get("/", say("hello"));
    });
    const response_seen response = server.get("/");
    EXPECT_EQ(response.field("X-Frame-Options"), "SAMEORIGIN");
    EXPECT_EQ(response.field("Referrer-Policy"), "");
    EXPECT_EQ(response.field("Content-Security-Policy"), "");
}

}  // namespace
}  // namespace eddy::http::test::middleware_test
