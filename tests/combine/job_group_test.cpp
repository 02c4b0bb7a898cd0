#include "support/manual_loop.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/race_ok.hpp>
#include <eddy/combine/shield.hpp>
#include <eddy/combine/task_set.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/combine/when_all_settled.hpp>
#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/stream/duplex.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// What a task was given is destroyed when it ends, whatever its group still waits for.

namespace eddy::job_group_test {
namespace {

using test::manual_loop;

using token = std::shared_ptr<int>;
using observer = std::weak_ptr<int>;

task<> hold(token) {
    co_return;
}
task<std::string> hold_for_text(token) {
    co_return std::string(100, 'x');
}
task<> fail(token) {
    throw std::runtime_error("out of cheese");
    co_return;
}
task<> await_end_of(observer given) {
    while (!given.expired())
        co_await yield();
}

// Whether `make(token, task that waits for the token's end)` ends within some turns.
template <class Make>
bool ends(Make make) {
    const auto before = detail::frame_cache::live_blocks();
    bool ended = false;
    {
        manual_loop loop;
        const auto work = [](auto function) -> task<> {
            auto held = std::make_shared<int>(7);
            task<> last = await_end_of(held);
            co_await function(std::move(held), std::move(last));
        };
        auto running = spawn(work(std::move(make)));
        loop.loop().run(100);
        ended = running.done();
    }
    EXPECT_EQ(detail::frame_cache::live_blocks(), before);
    return ended;
}

template <class... T>
std::vector<task<>> tasks(T... each) {
    std::vector<task<>> all;
    (all.push_back(std::move(each)), ...);
    return all;
}

TEST(task_end, frees_what_a_task_of_when_all_was_given) {
    EXPECT_TRUE(ends([](token t, task<> last) { return when_all(hold(std::move(t)), std::move(last)); }));
    EXPECT_TRUE(
        ends([](token t, task<> last) { return when_all(hold_for_text(std::move(t)), std::move(last)); }));
    EXPECT_TRUE(
        ends([](token t, task<> last) { return when_all(tasks(hold(std::move(t)), std::move(last))); }));
}

TEST(task_end, frees_what_a_task_of_when_all_settled_was_given) {
    EXPECT_TRUE(
        ends([](token t, task<> last) { return when_all_settled(fail(std::move(t)), std::move(last)); }));
    EXPECT_TRUE(ends(
        [](token t, task<> last) { return when_all_settled(hold_for_text(std::move(t)), std::move(last)); }));
    EXPECT_TRUE(ends(
        [](token t, task<> last) { return when_all_settled(tasks(fail(std::move(t)), std::move(last))); }));
}

TEST(task_end, frees_what_a_task_of_race_ok_was_given) {
    EXPECT_TRUE(ends([](token t, task<> last) { return race_ok(fail(std::move(t)), std::move(last)); }));
    EXPECT_TRUE(
        ends([](token t, task<> last) { return race_ok(tasks(fail(std::move(t)), std::move(last))); }));
}

TEST(task_end, frees_what_a_task_was_given_before_its_waiter_goes_on) {
    manual_loop loop;
    const auto work = []() -> task<> {
        auto held = std::make_shared<int>(7);
        const observer given = held;
        auto shielded = shield(hold_for_text(std::move(held)));
        static_cast<void>(co_await shielded);
        EXPECT_TRUE(given.expired());
        held = std::make_shared<int>(8);
        const observer raced = held;
        auto race_of_one = race(hold_for_text(std::move(held)));
        static_cast<void>(co_await race_of_one);
        EXPECT_TRUE(raced.expired());
    };
    auto running = spawn(work());
    loop.run();
    EXPECT_TRUE(running.done());
    running.get();
}

task<> produce(duplex_stream to) {
    for (int at = 0; at < 10; ++at)
        co_await to.write_all(std::as_bytes(std::span("some bytes")));
}
task<std::size_t> consume(duplex_stream from) {
    std::array<std::byte, 7> taken;
    std::size_t sum = 0;
    while (const std::size_t got = co_await from.read(taken))
        sum += got;
    co_return sum;
}

TEST(task_end, lets_producer_and_consumer_end_together) {
    manual_loop loop;
    const auto work = []() -> task<std::size_t> {
        auto [to, from] = duplex(16);
        const auto results = co_await when_all(produce(std::move(to)), consume(std::move(from)));
        co_return std::get<1>(results);
    };
    auto running = spawn(work());
    loop.run();
    ASSERT_TRUE(running.done());
    EXPECT_EQ(running.get(), 10 * sizeof("some bytes"));
}

// Calls a function when it is destroyed.
class at_end {
public:
    explicit at_end(std::function<void()> called) : called_(std::move(called)) {}
    at_end(at_end&&) noexcept = default;
    at_end& operator=(at_end&&) = delete;
    ~at_end() {
        if (called_)
            std::exchange(called_, nullptr)();
    }

private:
    std::function<void()> called_;
};

task<std::string> keep(at_end) {
    co_return std::string(100, 'x');
}
task<> await_for_ever() {
    for (;;)
        co_await yield();
}

TEST(task_end, lets_a_destructor_of_a_group_drop_the_whole_group) {
    const auto before = detail::frame_cache::live_blocks();
    {
        manual_loop loop;
        std::optional<handle<>> waiting;
        const auto work = [](at_end given) -> task<> {
            co_await when_all(await_for_ever(), keep(std::move(given)), await_for_ever());
        };
        waiting = spawn(work(at_end([&] { waiting.reset(); })));
        loop.loop().run(100);
        EXPECT_FALSE(waiting.has_value());
    }
    EXPECT_EQ(detail::frame_cache::live_blocks(), before);
}

TEST(task_end, lets_a_destructor_of_a_shielded_task_drop_its_waiter) {
    const auto before = detail::frame_cache::live_blocks();
    {
        manual_loop loop;
        std::optional<handle<>> waiting;
        const auto work = [](at_end given) -> task<> {
            static_cast<void>(co_await shield(keep(std::move(given))));
        };
        waiting = spawn(work(at_end([&] { waiting.reset(); })));
        loop.loop().run(100);
        EXPECT_FALSE(waiting.has_value());
    }
    EXPECT_EQ(detail::frame_cache::live_blocks(), before);
}

TEST(task_end, lets_destructors_of_losers_destroy_the_results_of_others) {
    const auto before = detail::frame_cache::live_blocks();
    {
        manual_loop loop;
        std::optional<handle<>> waiting;
        const auto lose = [](at_end) -> task<std::string> {
            co_await await_for_ever();
            co_return "";
        };
        const auto work = [](auto loser, at_end given) -> task<> {
            static_cast<void>(co_await race(loser(std::move(given)), keep(at_end([] {}))));
        };
        waiting = spawn(work(lose, at_end([&] { waiting.reset(); })));
        loop.loop().run(100);
        EXPECT_FALSE(waiting.has_value());
    }
    EXPECT_EQ(detail::frame_cache::live_blocks(), before);
}

}  // namespace
}  // namespace eddy::job_group_test
