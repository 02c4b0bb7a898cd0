#include "integrations_curl/test_site.hpp"
#include "support/descriptors.hpp"
#include "support/run_bounded.hpp"
#include "support/seed.hpp"
#include "support/turns.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/async_generator.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/integrations/curl/client.hpp>
#include <eddy/integrations/curl/error.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/testing/testing.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// Transfers that are let go of, at any time and in any order.
namespace eddy::curl::dropping_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::between;
using eddy::test::error_of;
using eddy::test::numbered_text;
using eddy::test::open_descriptors;
using eddy::test::run_bounded;
using eddy::test::seeded_generator;
using eddy::test::test_site;
using eddy::test::turns;
using eddy::test::turns_until;

async_generator<std::string> some_pieces() {
    for (int i = 0; i < 4; ++i) {
        co_await turns(1);
        co_yield std::string(700, 'x');
    }
}

task<> converse(client& by, const test_site& site) {
    transfer answer = co_await by.get(site.at("/bytes/100000"));
    const std::string text = co_await answer.read_all();
    EXPECT_EQ(text.size(), 100'000U);
    request req(site.at("/taking"));
    req.method("PUT").body(upload::of_texts(some_pieces()));
    transfer taken = co_await by.send(req);
    const std::string reported = co_await taken.read_all();
    EXPECT_TRUE(reported.starts_with("2800 ")) << reported;
}

task<> a_conversation_to_drop() {
    test_site site;
    client by;
    co_await converse(by, site);
}

TEST(a_dropped_curl_transfer, leaves_nothing_behind_wherever_it_is_dropped) {
    const auto found = testing::drop_everywhere(
        &a_conversation_to_drop,
        testing::drop_options().runtime(runtime_options().workers(1)).run_time_max(20s).stride(3));
    EXPECT_TRUE(found.passed()) << found.message();
}

TEST(a_dropped_curl_transfer, is_gone_at_once_and_the_client_goes_on) {
    run_bounded([]() -> task<> {
        test_site site;
        client by;
        for (int rounds = 0; rounds < 60; ++rounds) {
            handle<> running = spawn(converse(by, site));
            co_await turns(rounds);
            running.cancel();
            EXPECT_EQ(by.running(), 0U);
        }
        co_await converse(by, site);
    }());
}

TEST(a_dropped_curl_transfer, does_not_disturb_the_others) {
    run_bounded([]() -> task<> {
        auto random = seeded_generator();
        test_site site;
        client by(client_options().connections_per_host_max(50));
        const std::string expected = numbered_text(200'000);
        std::vector<handle<std::string>> kept;
        std::vector<handle<std::string>> dropped;
        const auto read = [](client& from, std::string url) -> task<std::string> {
            transfer answer = co_await from.get(url);
            co_return co_await answer.read_all();
        };
        for (int count = 0; count < 60; ++count) {
            auto& list = count % 3 == 0 ? dropped : kept;
            list.push_back(spawn(read(by, site.at("/bytes/200000"))));
        }
        while (!dropped.empty()) {
            co_await turns(between(random, 0, 10));
            dropped.erase(dropped.begin() + between<std::ptrdiff_t>(random, 0, std::ssize(dropped) - 1));
        }
        for (auto& each : kept) {
            const std::string text = co_await each;
            EXPECT_TRUE(text == expected);
        }
        EXPECT_EQ(by.running(), 0U);
    }());
}

TEST(a_dropped_curl_transfer, may_be_dropped_by_a_deadline_and_a_read_tried_again) {
    run_bounded([]() -> task<> {
        test_site site;
        client by;
        transfer answer = co_await by.get(site.at("/gated"));
        std::string room(100, '\0');
        const auto late =
            co_await as_result(with_timeout(answer.read(std::as_writable_bytes(std::span(room))), 20ms));
        EXPECT_FALSE(late.has_value());
        site.answers.gate.set();
        const std::string text = co_await answer.read_all();
        EXPECT_EQ(text, "behind the gate") << "the dropped read has lost nothing";
    }());
}

TEST(a_dropped_curl_transfer, may_outlive_its_client) {
    run_bounded([]() -> task<> {
        test_site site;
        std::optional<client> by(std::in_place);
        transfer answer = co_await by->get(site.at("/gated"));
        by.reset();
        site.answers.gate.set();
        const std::string text = co_await answer.read_all();
        EXPECT_EQ(text, "behind the gate");
    }());
}

task<> drop_while_a_name_is_resolved(client& by, int moment) {
    const std::size_t before = by.running();
    handle<std::error_code> asking = spawn(error_of(by.get("http://name.that.nobody.has.invalid:9/")));
    co_await turns(moment);
    asking.cancel();
    EXPECT_EQ(by.running(), before);
}

TEST(a_dropped_curl_transfer, leaves_no_descriptor) {
    run_bounded([]() -> task<> {
        test_site site;
        co_await turns(1);  // the server has begun
        const std::size_t before = open_descriptors();
        for (int time = 0; time < 5; ++time) {
            client by;
            std::vector<transfer> several;
            for (int count = 0; count < 10; ++count)
                several.push_back(by.start(site.at("/endless")));
            co_await several.front().head();
            several.erase(several.begin() + 3, several.begin() + 7);
            co_await several.back().head();
            co_await drop_while_a_name_is_resolved(by, time);
        }
        // The server's side and libcurl's thread end by themselves.
        co_await turns_until([&] { return open_descriptors() <= before; });
    }());
}

}  // namespace
}  // namespace eddy::curl::dropping_test
