// Whatever cannot be allocated, no reply comes to another task than the one that has asked.

#include "support/on_each_worker.hpp"
#include "support/redis_server.hpp"
#include "support/require.hpp"
#include "support/time_bound.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/integrations/redis/client.hpp>
#include <eddy/integrations/redis/connection.hpp>
#include <eddy/integrations/redis/request.hpp>
#include <eddy/integrations/redis/subscriber.hpp>
#include <eddy/runtime/runtime_options.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/stream/duplex.hpp>
#include <eddy/testing/fail_allocation_everywhere.hpp>
#include <eddy/testing/replace_new.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::redis::allocation_test {
namespace {

using namespace std::chrono_literals;
using testing::scenario_options;

/// A command whose bytes are these many, whatever its number is: *2 $4 ECHO $4 0001.
constexpr std::size_t command_bytes = 24;
constexpr std::size_t number_at = 18;

/// Answers each ECHO, in order, without an allocation of its own.
task<> echo(duplex_stream stream) {
    std::array<char, command_bytes> command{};
    std::array<char, 10> answer{'$', '4', '\r', '\n', 0, 0, 0, 0, '\r', '\n'};
    try {
        for (;;) {
            std::size_t filled = 0;
            while (filled != command.size()) {
                const std::size_t count =
                    co_await stream.read(std::as_writable_bytes(std::span(command)).subspan(filled));
                if (count == 0)
                    co_return;
                filled += count;
            }
            std::copy_n(command.begin() + number_at, 4, answer.begin() + 4);
            co_await stream.write_all(std::as_bytes(std::span(answer)));
        }
    } catch (const std::bad_alloc&) {
        stream.close();
    } catch (const std::system_error&) {
        stream.close();
    }
}

std::string number_text(int number) {
    const std::string digits = std::to_string(number);
    return std::string(4 - digits.size(), '0') + digits;
}

/// Asks for several numbers at once. Fails with std::logic_error if a reply is another command's.
task<> ask(connection& on, int first, int count) {
    pipeline batch;
    for (int number = first; number < first + count; ++number)
        batch.add("ECHO", number_text(number));
    const std::vector<reply> replies = co_await on.execute_all(std::move(batch));
    for (int at = 0; at < count; ++at)
        if (replies[static_cast<std::size_t>(at)].as<std::string>() != number_text(first + at))
            throw std::logic_error("the reply to another command");
}

/// The same for the rest, as a connection that works goes on and one that has failed says so.
task<> ask_if_it_works(connection& on, int first, int count) {
    try {
        co_await ask(on, first, count);
    } catch (const std::bad_alloc&) {
        // of this command, or of the connection, which has failed then
    } catch (const std::system_error&) {
        if (on.is_open())
            throw;
    }
}

task<> converse() {
    auto [here, there] = duplex(1000);
    const handle<> server = spawn(echo(std::move(there)));
    connection on{any_stream(std::move(here)), options().health_interval(duration::max())};
    handle<> beside = spawn(ask_if_it_works(on, 100, 3));
    co_await ask_if_it_works(on, 200, 1);
    co_await beside;
    for (int round = 3; round < 6 && on.is_open(); ++round)
        co_await ask_if_it_works(on, 100 * round, round);
}

scenario_options on_two_workers(std::string name) {
    return scenario_options().name(std::move(name)).runtime(runtime_options().workers(2)).run_time_max(10s);
}

TEST(a_redis_connection_without_memory, gives_each_reply_to_whom_it_belongs) {
    const test::time_bound bound;
    const auto found = testing::fail_allocation_everywhere([] { return test::on_each_worker(&converse); },
                                                           on_two_workers("converse"));
    EXPECT_TRUE(found) << found.message();
    EXPECT_GT(found.points(), 40U);
}

/// A subscriber, and what is published to it. Nothing is lost or mixed up but where a connection was.
class conversation {
public:
    conversation(const options& wanted, std::string channel) : wanted_(wanted), channel_(std::move(channel)) {
        wanted_.pauses(1ms, 2ms);
    }

    task<> run() {
        try {
            subscriber news(options(wanted_).on_event([this](const connection_event& what) noexcept {
                is_lost_ = is_lost_ || what.what != connection_event::kind::connected;
            }));
            client used(wanted_);
            for (int round = 0; round < 4 && !is_lost_; ++round)
                co_await converse_once(used, news, round);
        } catch (const std::bad_alloc&) {
            // of the clients
        } catch (const std::system_error& error) {
            if (!is_lost_ && error.code() != client_error::connection_lost)
                throw;
        }
    }

private:
    // What has no memory fails alone: the next one finds all as it should be.
    task<> converse_once(client& used, subscriber& news, int round) {
        try {
            const std::string on = channel_ + number_text(round);
            co_await add(news, round == 1, on);
            co_await publish(used, news, on);
            if (round != 2)
                news.unsubscribe(on);
        } catch (const std::bad_alloc&) {
        }
    }
    task<> add(subscriber& news, bool is_pattern, const std::string& on) {
        if (is_pattern)
            co_await news.subscribe_pattern(on);
        else
            co_await news.subscribe(on);
    }

    // Subscribed means subscribed: the server knows one receiver, and that gets what was published.
    task<> publish(client& used, subscriber& news, const std::string& on) {
        for (int number = 0; number < 3 && !is_lost_; ++number) {
            const reply receivers = co_await used.command("PUBLISH", on, number_text(number));
            if (is_lost_)
                co_return;
            test::require(receivers.as<int>() == 1, "subscribed to, and the server does not know it");
            std::optional<message> came = co_await next(news);
            while (came && came->channel != on)  // of a round that has failed
                came = co_await next(news);
            test::require(is_lost_ || came->payload == number_text(number), "another message");
        }
    }
    // Or nothing, if the message went with the connection.
    task<std::optional<message>> next(subscriber& news) {
        auto come = spawn(receive(news));
        while (!come.done() && !is_lost_)
            co_await sleep_for(100us);
        if (come.done())
            co_return co_await come;
        co_return std::nullopt;
    }
    static task<std::optional<message>> receive(subscriber& news) { co_return co_await news.receive(); }

    options wanted_;
    std::string channel_;
    bool is_lost_ = false;
};

task<> converse_with(options wanted) {
    conversation talk(wanted, "channel " + std::to_string(worker::current().index()) + ' ');
    co_await talk.run();
}

TEST(a_subscriber_without_memory, is_subscribed_to_what_it_says_and_receives_it) {
    const test::time_bound bound;
    const test::redis_server server;
    const auto found = testing::fail_allocation_everywhere(
        [wanted = server.options()] {
            return test::on_each_worker([wanted] { return converse_with(wanted); });
        },
        on_two_workers("subscribe"));
    EXPECT_TRUE(found) << found.message();
    EXPECT_GT(found.points(), 40U);
}

}  // namespace
}  // namespace eddy::redis::allocation_test
