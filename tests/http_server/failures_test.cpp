#include "http/conversation.hpp"
#include "http/routed.hpp"

#include <eddy/http/routing/router.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What is said of handlers that fail, and what they may give away.
namespace eddy::http::test::failures_test {
namespace {

const std::string get_secret = "GET /path?secret HTTP/1.1\r\nHost: h\r\n\r\n";

task<void> throw_words(exchange& ex) {
    throw std::runtime_error("two\nwords");
    co_await ex.respond(status::ok, {}, "never");
}

std::string standard_error_of(const function_handler::function& response, const std::string& request,
                              server_options options = server_options().name("")) {
    testing::internal::CaptureStderr();
    conversation(response, std::move(options)).hears(request);
    return testing::internal::GetCapturedStderr();
}

TEST(a_handler_that_fails, is_reported_in_one_line_without_the_query) {
    EXPECT_EQ(standard_error_of(&throw_words, get_secret),
              "eddy: the handler of GET /path failed: two words\n");
    const auto throw_number = [](exchange&) -> task<void> {
        throw 42;
        co_return;
    };
    EXPECT_EQ(standard_error_of(throw_number, get_secret),
              "eddy: the handler of GET /path failed: an exception of unknown type\n");
    const auto forget = [](exchange&) -> task<void> { co_return; };
    EXPECT_EQ(standard_error_of(forget, get_secret),
              "eddy: the handler of GET /path failed: it gave no response\n");
    const auto cut_short = [](exchange& ex) -> task<void> {
        co_await ex.begin_response(status::ok, {}, 10);
        throw std::runtime_error("too late");
    };
    EXPECT_EQ(standard_error_of(cut_short, get_secret), "eddy: the handler of GET /path failed: too late\n");
}

TEST(a_handler_that_fails, is_not_reported_where_the_request_or_the_client_is_at_fault) {
    const auto refuse = [](exchange&) -> task<void> {
        throw request_error(status::conflict, "no");
        co_return;
    };
    EXPECT_EQ(standard_error_of(refuse, get_secret), "");
    const auto read_all = [](exchange& ex) -> task<void> {
        const std::string body = co_await ex.body().read_all(100);
        co_await ex.respond(status::ok, {}, body);
    };
    EXPECT_EQ(standard_error_of(read_all, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nshort"),
              "");
}

TEST(a_handler_that_fails, is_reported_to_the_reporter_that_is_set) {
    std::vector<std::string> reported;
    const auto note = [&](exchange& ex, const std::exception_ptr& error) {
        std::string words = "none";
        try {
            if (error)
                std::rethrow_exception(error);
        } catch (const std::exception& known) {
            words = known.what();
        }
        reported.push_back(std::string(ex.request().path()) + ": " + words);
    };
    EXPECT_EQ(standard_error_of(&throw_words, get_secret, server_options().failure_reporter(note)), "");
    EXPECT_EQ(reported, std::vector<std::string>{"/path: two\nwords"});
}

TEST(a_handler_that_fails, is_answered_500_whatever_its_reporter_throws) {
    const auto fail = [](exchange&, const std::exception_ptr&) { throw std::runtime_error("as well"); };
    const std::string heard =
        conversation(&throw_words, server_options().name("").failure_reporter(fail)).hears(get_secret);
    EXPECT_TRUE(heard.starts_with("HTTP/1.1 500 ")) << heard;
}

TEST(a_handler_of_a_router_that_fails, is_reported_once_to_on_error_or_as_the_server_does_it) {
    for (const bool has_on_error : {false, true}) {
        int reported = 0;
        testing::internal::CaptureStderr();
        {
            routed server([&](router& routes) {
                routes.get("/fail", []() -> response { throw std::runtime_error("inside"); });
                routes.get("/late", [](exchange& ex) -> task<> {
                    co_await ex.begin_response(status::ok, {}, 10);
                    throw std::runtime_error("inside");
                });
                if (has_on_error)
                    routes.on_error([&](exchange&, const std::exception_ptr&) { ++reported; });
            });
            EXPECT_EQ(server.get("/fail").status, 500);
            static_cast<void>(server.get("/late"));
            const auto failures =
                server.call([&] { return server.the_server().statistics().handler_failures; });
            EXPECT_GE(failures, 2U);
        }
        const std::string lines = testing::internal::GetCapturedStderr();
        EXPECT_EQ(lines.empty(), has_on_error) << lines;
        EXPECT_EQ(reported != 0, has_on_error);
        EXPECT_EQ(lines.starts_with("eddy: the handler of GET /fail failed: inside\n"), !has_on_error)
            << lines;
    }
}

/// Gives away what it answers with, and is no coroutine that could keep it.
class giving_handler final : public request_handler {
public:
    [[nodiscard]] ready_or_task<> handle(exchange& ex) override {
        const std::string value(2000, 'v');
        const std::array<response_field, 1> fields = {response_field("X-Value", value)};
        if (ex.path() == "/begun")
            return ex.begin_response(status::ok, fields, 0);
        if (ex.path() == "/small")
            return ex.respond(status::ok, fields, std::string(10, 's'));
        if (ex.path() == "/kept")
            return ex.respond(status::ok, fields, "kept");
        return ex.respond(status::ok, fields, std::string(3'000'000, 'l'));
    }
};

TEST(an_answer, owns_what_it_is_given_for_as_long_as_it_takes) {
    served server([] { return std::make_unique<giving_handler>(); });
    blocking_client client(server.port());
    std::string requests;
    constexpr int count = 20;  // more than the connection's buffer holds
    for (int number = 0; number < count; ++number)
        requests += get("/small") + get("/begun") + get("/kept");
    ASSERT_TRUE(client.send(requests + get("/large")));
    for (int number = 0; number < count; ++number)
        for (const std::string& body : {std::string(10, 's'), std::string(), std::string("kept")}) {
            const auto response = client.read_response();
            ASSERT_TRUE(response) << number;
            EXPECT_EQ(response->field("X-Value"), std::string(2000, 'v')) << number;
            EXPECT_EQ(response->body, body);
        }
    const auto large = client.read_response();
    ASSERT_TRUE(large);
    EXPECT_EQ(large->field("X-Value"), std::string(2000, 'v'));
    EXPECT_TRUE(large->body == std::string(3'000'000, 'l'));
}

}  // namespace
}  // namespace eddy::http::test::failures_test
