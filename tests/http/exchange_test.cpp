#include "http/blocking_client.hpp"
#include "http/sample_handler.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <thread>

// What becomes of handlers that do not do as they should.
namespace eddy::http::test::exchange_test {
namespace {

class http_exchange : public testing::Test {
protected:
    void expect_error_500(std::string_view path) {
        blocking_client client(server.port());
        const auto response = client.ask(get(path));
        ASSERT_TRUE(response) << path;
        EXPECT_EQ(response->status, 500) << path;
        EXPECT_EQ(response->field("Connection"), "close");
        EXPECT_FALSE(response->fields.contains("X-Forged"));
        EXPECT_TRUE(client.sees_end());
        expect_life();
    }
    void expect_life() {
        blocking_client client(server.port());
        EXPECT_EQ(client.ask(get("/alive")).value_or(response_seen()).body, "/alive");
    }

    sample_server server;
};

TEST_F(http_exchange, gives_500_for_a_handler_that_throws) {
    expect_error_500("/throw");
}

TEST_F(http_exchange, gives_500_for_a_handler_that_throws_what_is_no_exception_class) {
    expect_error_500("/throw_number");
}

TEST_F(http_exchange, gives_500_for_a_handler_that_forgets_to_answer) {
    expect_error_500("/silent");
}

TEST_F(http_exchange, gives_500_for_a_field_that_would_split_the_answer) {
    expect_error_500("/bad_field");
    expect_error_500("/bad_name");
}

TEST_F(http_exchange, gives_500_for_fields_that_are_too_large) {
    expect_error_500("/huge_field");
}

TEST_F(http_exchange, keeps_the_answers_before_a_500_in_order) {
    blocking_client client(server.port());
    ASSERT_TRUE(client.send(get("/first") + get("/throw") + get("/never")));
    EXPECT_EQ(client.read_response().value_or(response_seen()).body, "/first");
    EXPECT_EQ(client.read_response().value_or(response_seen()).status, 500);
    EXPECT_TRUE(client.sees_end());
}

TEST_F(http_exchange, shows_that_an_answer_was_cut_short_by_ending_the_connection) {
    for (const char* const path : {"/begin_and_throw", "/begin_and_leave"}) {
        blocking_client client(server.port());
        ASSERT_TRUE(client.send(get(path)));
        EXPECT_FALSE(client.read_response()) << path;
        EXPECT_NE(client.error(), EAGAIN) << path;
        expect_life();
    }
}

TEST_F(http_exchange, sends_the_answers_before_one_that_is_cut_short) {
    for (const char* const path : {"/begin_and_throw", "/begin_and_leave"}) {
        blocking_client client(server.port());
        ASSERT_TRUE(client.send(get("/first") + get("/second") + get(path)));
        EXPECT_EQ(client.read_response().value_or(response_seen()).body, "/first") << path;
        EXPECT_EQ(client.read_response().value_or(response_seen()).body, "/second") << path;
        const std::string rest = client.read_to_end();
        EXPECT_TRUE(rest.empty() || rest.ends_with("short")) << rest;
    }
}

TEST_F(http_exchange, lets_a_handler_end_the_connection) {
    blocking_client client(server.port());
    const auto response = client.ask(get("/last"));
    ASSERT_TRUE(response);
    EXPECT_EQ(response->body, "last");
    EXPECT_EQ(response->field("Connection"), "close");
    EXPECT_TRUE(client.sees_end());
}

TEST_F(http_exchange, carries_bodies_of_all_sizes_whole) {
    blocking_client client(server.port());
    for (const std::size_t size :
         {0U, 1U, 7900U, 8000U, 8192U, 65536U, 262143U, 262144U, 262145U, 3000001U}) {
        const auto response = client.ask(get("/sized?" + std::to_string(size)));
        ASSERT_TRUE(response) << size;
        ASSERT_EQ(response->body, sample_body(size)) << size;
    }
}

// Not until the client reads again, so that what it then reads shows whether anything was sent twice.
TEST_F(http_exchange, sends_nothing_twice_when_a_write_has_timed_out) {
    sample_server hasty(server_options().write_timeout(std::chrono::milliseconds(100)));
    blocking_client slow(hasty.port(), 4096);
    std::string requests;
    constexpr std::size_t size = 3000;
    for (std::size_t number = 0; number < 3000; ++number)
        requests += get("/sized?" + std::to_string(size) + "-" + std::to_string(number % 26));
    std::thread sender([&] { slow.send(requests); });
    while (hasty.sample().timeouts == 0)
        std::this_thread::yield();
    std::size_t number = 0;
    while (const auto response = slow.read_response()) {
        const bool is_right = response->body == sample_body(size, number % 26);
        EXPECT_TRUE(is_right) << "answer " << number;
        if (!is_right)
            break;
        ++number;
    }
    EXPECT_GT(number, 0U);
    slow.shut_down();
    sender.join();
}

}  // namespace
}  // namespace eddy::http::test::exchange_test
