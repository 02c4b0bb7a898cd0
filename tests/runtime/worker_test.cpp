#include "support/run_bounded.hpp"
#include "support/stream_pair.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/sync/channel.hpp>
#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <type_traits>

namespace eddy::worker_test {
namespace {

using namespace std::chrono_literals;

// What the library does with a worker is not for its users.
static_assert(!std::is_convertible_v<worker&, detail::worker_core&>);

task<> answer(channel<int>& requested, channel<int>& answers) {
    while (const auto number = co_await requested.recv())
        co_await answers.send(*number);
}

// Two workers that wait for nothing but each other's messages, so that both look for them in the end.
task<> talk(int messages) {
    channel<int> requested(1);
    channel<int> answers(1);
    auto other = runtime::current().spawn_on(1, answer(requested, answers));
    for (int number = 0; number < messages; ++number) {
        co_await requested.send(number);
        EXPECT_EQ(co_await answers.recv(), number);
    }
    requested.close();
    co_await other;
}

runtime_options looking_for(duration longest) {
    return runtime_options().workers(2).spin_max(longest);
}

// The bound of the test is shorter than what a worker looks for messages here.
constexpr duration very_long = 1h;

TEST(a_worker_that_looks_for_messages, ends_with_its_runtime) {
    for (int round = 0; round < 20; ++round)
        test::run_bounded(talk(10), looking_for(very_long));
}

TEST(a_worker_that_looks_for_messages, fires_timers) {
    test::run_bounded(
        []() -> task<> {
            co_await talk(10);
            co_await sleep_for(5ms);
            co_await runtime::current().spawn_on(1, [] -> task<> { co_await sleep_for(5ms); }());
        }(),
        looking_for(very_long));
}

TEST(a_worker_that_looks_for_messages, serves_its_connections) {
    test::run_bounded(
        []() -> task<> {
            co_await talk(10);
            auto pair = co_await test::connected_streams();
            std::array<std::byte, 3> content{};
            const auto writing = spawn([](tcp_stream& to) -> task<> {
                co_await sleep_for(1ms);  // the reader waits for the system by then
                co_await to.write_all(as_bytes("abc"));
            }(pair.server));
            EXPECT_EQ(co_await pair.client.read(content), content.size());
            EXPECT_EQ(as_text(content), "abc");
        }(),
        looking_for(very_long));
}

TEST(a_worker_that_looks_for_messages, calls_what_is_posted_to_the_runtime) {
    test::run_bounded(
        []() -> task<> {
            for (int round = 0; round < 20; ++round) {
                co_await talk(5);
                event called;
                runtime::current().post([&called] { called.set(); });
                co_await called.wait();
            }
        }(),
        looking_for(very_long));
}

TEST(a_worker_that_looks_for_messages, may_be_told_not_to) {
    test::run_bounded(talk(10), looking_for(0s));
}

}  // namespace
}  // namespace eddy::worker_test
