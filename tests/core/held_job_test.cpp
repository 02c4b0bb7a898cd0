#include "support/counted_object.hpp"
#include "support/gate.hpp"
#include "support/manual_loop.hpp"

#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>

#include <gtest/gtest.h>

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// What a task was given is destroyed when it ends, not when its handle is awaited or dropped.

namespace eddy::held_job_test {
namespace {

using test::gate;
using test::manual_loop;

using token = std::shared_ptr<int>;

template <class T>
task<T> give(token, T value) {
    co_await yield();
    co_return std::forward<T>(value);
}
task<> give_nothing(token) {
    co_await yield();
}
task<int> fail(token) {
    co_await yield();
    throw std::runtime_error("out of cheese");
}

// Whether the token of a task is destroyed as soon as the task has ended.
template <class Make>
bool frees_its_token(manual_loop& loop, Make make) {
    auto held = std::make_shared<int>(7);
    const std::weak_ptr<int> given = held;
    auto running = spawn(make(std::move(held)));
    loop.step();
    EXPECT_FALSE(given.expired());
    EXPECT_FALSE(running.done());
    loop.run();
    EXPECT_TRUE(running.done());
    return given.expired();
}

TEST(task_end, frees_what_the_task_was_given_though_a_handle_keeps_the_result) {
    manual_loop loop;
    EXPECT_TRUE(frees_its_token(loop, [](token t) { return give<int>(std::move(t), 1); }));
    EXPECT_TRUE(frees_its_token(
        loop, [](token t) { return give<std::unique_ptr<int>>(std::move(t), std::make_unique<int>(2)); }));
    EXPECT_TRUE(frees_its_token(loop, [](token t) { return give_nothing(std::move(t)); }));
    EXPECT_TRUE(frees_its_token(loop, [](token t) { return fail(std::move(t)); }));
    int referred = 0;
    EXPECT_TRUE(frees_its_token(loop, [&](token t) { return give<int&>(std::move(t), referred); }));
}

TEST(task_end, keeps_the_result_for_the_handle) {
    const auto before = detail::frame_cache::live_blocks();
    {
        manual_loop loop;
        int referred = 0;
        auto number = spawn(give<int>({}, 1));
        auto owned = spawn(give<std::unique_ptr<int>>({}, std::make_unique<int>(2)));
        auto nothing = spawn(give_nothing({}));
        auto reference = spawn(give<int&>({}, referred));
        auto failed = spawn(fail({}));
        auto dropped = spawn(give<std::string>({}, std::string(100, 'x')));
        loop.run();
        EXPECT_EQ(number.get(), 1);
        EXPECT_EQ(*owned.get(), 2);
        nothing.get();
        EXPECT_EQ(&reference.get(), &referred);
        EXPECT_THROW(failed.get(), std::runtime_error);
        EXPECT_EQ(detail::frame_cache::live_blocks(), before + 1);
    }
    EXPECT_EQ(detail::frame_cache::live_blocks(), before);
}

TEST(task_end, counts_as_work_that_is_done_though_a_handle_is_left) {
    manual_loop loop;
    auto running = spawn(give<int>({}, 1));
    EXPECT_EQ(loop.loop().jobs(), 1u);
    loop.run();
    EXPECT_EQ(loop.loop().jobs(), 0u);
    EXPECT_EQ(running.get(), 1);
    EXPECT_EQ(loop.loop().jobs(), 0u);
}

struct throws_when_moved {
    throws_when_moved() = default;
    throws_when_moved(throws_when_moved&&) { throw std::runtime_error("cannot be moved"); }
    throws_when_moved& operator=(throws_when_moved&&) = delete;
};

TEST(task_end, gives_what_moving_the_result_threw) {
    manual_loop loop;
    const auto work = [](token) -> task<throws_when_moved> { co_return {}; };
    auto held = std::make_shared<int>(7);
    const std::weak_ptr<int> given = held;
    auto running = spawn(work(std::move(held)));
    loop.run();
    EXPECT_TRUE(given.expired());
    EXPECT_THROW(static_cast<void>(running.get()), std::runtime_error);
}

// Calls a function when it is destroyed.
class at_end {
public:
    explicit at_end(std::function<void()> called) : called_(std::move(called)) {}
    at_end(at_end&& other) noexcept : called_(std::exchange(other.called_, nullptr)) {}
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

TEST(task_end, lets_a_destructor_drop_the_handle_of_its_own_task) {
    const auto before = detail::frame_cache::live_blocks();
    manual_loop loop;
    std::optional<handle<std::string>> running;
    bool was_done = true;
    running = spawn(keep(at_end([&] {
        was_done = running->done();
        running.reset();
    })));
    loop.run();
    EXPECT_FALSE(running.has_value());
    EXPECT_FALSE(was_done);
    EXPECT_EQ(detail::frame_cache::live_blocks(), before);
}

TEST(task_end, lets_a_destructor_detach_its_own_task) {
    const auto before = detail::frame_cache::live_blocks();
    manual_loop loop;
    handle<std::string> running;
    running = spawn(keep(at_end([&] { running.detach(); })));
    loop.run();
    EXPECT_FALSE(static_cast<bool>(running));
    EXPECT_EQ(detail::frame_cache::live_blocks(), before);
}

TEST(task_end, lets_a_destructor_drop_the_task_that_waits_for_it) {
    const auto before = detail::frame_cache::live_blocks();
    manual_loop loop;
    std::optional<handle<>> waiting;
    const auto wait = [](at_end given) -> task<> {
        auto child = spawn(keep(std::move(given)));
        co_await child;
    };
    waiting = spawn(wait(at_end([&] { waiting.reset(); })));
    loop.run();
    EXPECT_FALSE(waiting.has_value());
    EXPECT_EQ(detail::frame_cache::live_blocks(), before);
}

TEST(task_end, is_seen_by_a_handle_that_outlives_the_loop) {
    const auto before = detail::frame_cache::live_blocks();
    std::optional<handle<std::string>> running;
    {
        manual_loop loop;
        running = spawn(keep(at_end([] {})));
        loop.run();
    }
    EXPECT_EQ(running->get().size(), 100u);
    EXPECT_EQ(detail::frame_cache::live_blocks(), before);
}

// -- destructors that throw --

class throws_at_end {
public:
    throws_at_end() = default;
    throws_at_end(throws_at_end&& other) noexcept : throws_(std::exchange(other.throws_, false)) {}
    throws_at_end& operator=(throws_at_end&&) = delete;
    ~throws_at_end() noexcept(false) {
        if (throws_)
            throw std::runtime_error("out of cheese");
    }

private:
    bool throws_ = true;
};

task<> wait_for(gate& never) {
    co_await never;
}

task<> wait_holding(gate& never) {
    const throws_at_end local;
    co_await never;
}
task<> wait_inside(gate& never) {
    co_await wait_holding(never);
}
template <class Make>
void drop_while_it_waits(Make make) {
    manual_loop loop;
    gate never;
    auto dropped = spawn(make(never), "cheese counter");
    loop.run();
    dropped.cancel();
}

TEST(task_end_death_test, ends_the_program_and_names_the_task_when_a_destructor_throws) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    const char* const message = "a destructor of a task threw: cheese counter: out of cheese";
    EXPECT_DEATH(drop_while_it_waits([](gate& never) { return wait_holding(never); }), message);
    EXPECT_DEATH(drop_while_it_waits([](gate& never) { return wait_inside(never); }), message);
    const auto outside = [](gate& never) -> task<> {
        const throws_at_end local;
        co_await wait_for(never);
    };
    EXPECT_DEATH(drop_while_it_waits(outside), message);
    const auto given = [](gate& never, throws_at_end) -> task<> { co_await never; };
    EXPECT_DEATH(drop_while_it_waits([&](gate& never) { return given(never, throws_at_end()); }), message);
}

TEST(task_end_death_test, names_a_task_that_ends_when_a_destructor_of_what_it_was_given_throws) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto at_once = [](gate&, throws_at_end) -> task<> { co_return; };
    EXPECT_DEATH(drop_while_it_waits([&](gate& never) { return at_once(never, throws_at_end()); }),
                 "a destructor of a task threw: cheese counter: out of cheese");
}

}  // namespace
}  // namespace eddy::held_job_test
