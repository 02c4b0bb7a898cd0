#include "rpc/rpc_origin.hpp"
#include "support/run_bounded.hpp"
#include "support/seed.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/yield.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

// A service that counts, and between it and its clients a proxy that cuts, stalls and half-closes connections, while the
// server is ended and started again, and clients drop calls.
namespace eddy::rpc::test::rpc_counting_test {
namespace {

using eddy::test::between;
using eddy::test::run_bounded;
using eddy::test::seeded_generator;

constexpr std::string_view add = "/test.Greeter/Add";
constexpr unsigned attempts_max = 4;
const std::string four_attempts =
    R"({"methodConfig": [{"name": [{"service": "test.Greeter"}], "retryPolicy": {"maxAttempts": 4,
        "initialBackoff": "0.001s", "maxBackoff": "0.002s", "backoffMultiplier": 2, "retryableStatusCodes": ["UNAVAILABLE"]}}]})";

/// Counts how often each key was added.
class counting_origin : public rpc_origin {
public:
    explicit counting_origin(std::mt19937_64& by) : random_(by) {
        // It may be dropped before and behind the moment at which it counts.
        greeter.add_unary<std::string, std::string>(
            "Add", [this](server_call&, std::string key) -> task<std::string> {
                for (int turns = between(random_, 0, 3); turns > 0; --turns)
                    co_await yield();
                const int added = ++counts[key.substr(0, key.find(' '))];
                for (int turns = between(random_, 0, 3); turns > 0; --turns)
                    co_await yield();
                co_return std::to_string(added) + std::string(between<std::size_t>(random_, 0, 3000), '.');
            });
    }

    std::map<std::string, int> counts;

private:
    std::mt19937_64& random_;
};

/// Between the clients and a server.
class unreliable_proxy {
public:
    unreliable_proxy(rpc_origin& to, std::mt19937_64& by) : to_(to), random_(by) {}

    /// For a channel.
    [[nodiscard]] std::function<task<any_stream>(http::client_target)> transport() {
        return [this](http::client_target) { return open(*this); };
    }
    int faults = 0;
    bool is_reliable = false;

private:
    enum class fault : std::uint8_t { none, cut, half_close, stall };

    static task<any_stream> open(unreliable_proxy& self) {
        any_stream server = co_await self.to_.open();
        auto [client, here] = duplex(65'536);
        self.passing_.push_back(spawn(pass(self, any_stream(std::move(here)), std::move(server))));
        co_return any_stream(std::move(client));
    }

    static task<> pass(unreliable_proxy& self, any_stream client, any_stream server) {
        co_await when_all(pump(self, client, server), pump(self, server, client));
    }

    /// Copies bytes, up to a fault after some number of them.
    static task<> pump(unreliable_proxy& self, any_stream& from, any_stream& to) {
        std::array<std::byte, 4096> room;
        std::size_t left = self.is_reliable ? std::numeric_limits<std::size_t>::max()
                                            : between<std::size_t>(self.random_, 200, 20'000);
        for (;;) {
            const auto count =
                co_await as_result(from.read(std::span(room).first(std::min(room.size(), left))));
            if (!count || *count == 0)
                break;
            const auto written = co_await as_result(to.write_all(std::span(room).first(*count)));
            if (!written)
                break;
            left -= *count;
            if (left != 0)
                continue;
            ++self.faults;
            const auto what = static_cast<fault>(between(self.random_, 0, 3));
            if (what == fault::cut) {
                from.close();
                to.close();
                co_return;
            }
            if (what == fault::half_close)
                break;
            for (int turns = what == fault::stall ? 300 : 0; turns > 0; --turns)
                co_await yield();
            left = between<std::size_t>(self.random_, 200, 20'000);
        }
        static_cast<void>(co_await as_result(to.shutdown()));
    }

    rpc_origin& to_;
    std::mt19937_64& random_;
    std::vector<handle<>> passing_;
};

/// What a client knows of its calls.
struct tally {
    std::map<std::string, bool> has_succeeded;
    std::map<std::string, unsigned> attempts;
};

task<> add_keys(const channel& to, std::string name, int keys, std::mt19937_64& random, tally& known) {
    const std::size_t message_bytes = between<std::size_t>(random, 0, 2000);
    for (int at = 0; at < keys; ++at) {
        const std::string key = name + std::to_string(at);
        call_info info;
        const std::string message = key + " " + std::string(message_bytes, 'm');
        const call_options options = call_options().info(&info).wait_for_ready(true);
        auto calling = spawn(status_of(call<std::string>(to, add, message, options)));
        if (between(random, 0, 7) == 0) {
            // A client that has gone does not know what has come of its call.
            for (int turns = between(random, 0, 20); turns > 0; --turns)
                co_await yield();
            calling.cancel();
            known.has_succeeded[key] = false;
            known.attempts[key] = attempts_max;
            continue;
        }
        const status end = co_await calling;
        known.has_succeeded[key] = end.is_ok();
        known.attempts[key] = info.attempts();
        EXPECT_TRUE(end.is_ok() || end.code() == status_code::unavailable ||
                    end.code() == status_code::cancelled || end.code() == status_code::internal ||
                    end.code() == status_code::unknown)
            << end.message();
    }
}

task<> end_now_and_then(counting_origin& server, const bool& is_over, std::mt19937_64& random) {
    while (!is_over) {
        for (int turns = between(random, 100, 1000); turns > 0 && !is_over; --turns)
            co_await yield();
        server.cut();
        server.refusals = between(random, 0, 2);
    }
}

/// Adds keys by several clients at a time until all is over.
task<tally> count_by(counting_origin& server, const channel_options& options, std::mt19937_64& random) {
    tally known;
    unreliable_proxy between_them(server, random);
    {
        channel_options chosen = options;
        chosen.transport(between_them.transport());
        chosen.reconnect_wait(std::chrono::milliseconds(1), std::chrono::milliseconds(2));
        const channel to("http://origin.test", std::move(chosen));
        bool is_over = false;
        const handle<> ending = spawn(end_now_and_then(server, is_over, random));
        std::vector<task<>> clients;
        for (int at = 0; at < 4; ++at)
            clients.push_back(add_keys(to, std::string(1, static_cast<char>('a' + at)), 60, random, known));
        co_await when_all(std::move(clients));
        is_over = true;
    }
    EXPECT_LT(0, between_them.faults);
    co_return known;
}

TEST(rpc_counting, without_retries_nothing_is_done_twice_and_nothing_that_has_succeeded_is_lost) {
    run_bounded([]() -> task<> {
        std::mt19937_64 random = seeded_generator();
        counting_origin server(random);
        const tally known = co_await count_by(server, channel_options(), random);
        std::size_t succeeded = 0;
        for (const auto& [key, has_succeeded] : known.has_succeeded) {
            const int count = server.counts[key];
            EXPECT_LE(count, 1) << key;
            EXPECT_TRUE(count == 1 || !has_succeeded) << key;
            succeeded += has_succeeded ? 1 : 0;
        }
        EXPECT_EQ(240U, known.has_succeeded.size());
        EXPECT_LT(80U, succeeded);
    }());
}

TEST(rpc_counting, with_retries_nothing_is_done_more_often_than_it_was_tried) {
    run_bounded([]() -> task<> {
        std::mt19937_64 random = seeded_generator();
        counting_origin server(random);
        const tally known =
            co_await count_by(server, channel_options().service_config(four_attempts), random);
        std::size_t repeated = 0;
        std::size_t succeeded = 0;
        for (const auto& [key, has_succeeded] : known.has_succeeded) {
            const int count = server.counts[key];
            EXPECT_LE(static_cast<unsigned>(count), known.attempts.at(key)) << key;
            EXPECT_TRUE(count >= 1 || !has_succeeded) << key;
            succeeded += has_succeeded ? 1 : 0;
            repeated += known.attempts.at(key) > 1 ? 1 : 0;
        }
        EXPECT_LT(160U, succeeded);
        EXPECT_LT(0U, repeated);
    }());
}

}  // namespace
}  // namespace eddy::rpc::test::rpc_counting_test
