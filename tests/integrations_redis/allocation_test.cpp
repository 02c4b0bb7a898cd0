// Whatever cannot be allocated, no reply comes to another task than the one that has asked.

#include "support/time_bound.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/integrations/redis/connection.hpp>
#include <eddy/integrations/redis/request.hpp>
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

TEST(a_redis_connection_without_memory, gives_each_reply_to_whom_it_belongs) {
    const test::time_bound bound;
    const auto found =
        testing::fail_allocation_everywhere(&converse, scenario_options().name("converse").run_time_max(5s));
    EXPECT_TRUE(found) << found.message();
    EXPECT_GT(found.points(), 20U);
}

}  // namespace
}  // namespace eddy::redis::allocation_test
