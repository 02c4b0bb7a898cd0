#include "support/gate.hpp"
#include "support/manual_loop.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>

#include <gtest/gtest.h>

#include <concepts>
#include <coroutine>
#include <expected>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

namespace eddy::as_result_test {
namespace {

/// An operation that waits one turn and ends as it was told.
class scripted {
public:
    explicit scripted(std::expected<int, std::errc> outcome) : outcome_(outcome) {}
    scripted(scripted&&) noexcept = default;
    scripted& operator=(scripted&&) = delete;

    bool await_ready() const noexcept { return false; }
    void await_suspend(detail::suspension point) noexcept {
        auto& loop = detail::resume_loop::current();
        loop.make_ready(loop.suspend(point));
    }
    std::unique_ptr<int> await_resume() {
        if (!outcome_)
            throw std::system_error(std::make_error_code(outcome_.error()));
        return std::make_unique<int>(*outcome_);
    }
    std::expected<std::unique_ptr<int>, std::error_code> outcome() {
        if (!outcome_)
            return std::unexpected(std::make_error_code(outcome_.error()));
        return std::make_unique<int>(*outcome_);
    }

private:
    std::expected<int, std::errc> outcome_;
};

TEST(as_result, gives_a_value) {
    test::manual_loop loop;
    const auto work = []() -> task<int> {
        auto result = co_await as_result(scripted(3));
        co_return result ? **result : -1;
    };
    auto running = spawn(work());
    loop.run();
    EXPECT_EQ(running.get(), 3);
}

TEST(as_result, gives_an_error_where_the_operation_throws) {
    test::manual_loop loop;
    const auto quiet = []() -> task<std::error_code> {
        auto result = co_await as_result(scripted(std::unexpected(std::errc::broken_pipe)));
        co_return result ? std::error_code() : result.error();
    };
    const auto loud = []() -> task<> { co_await scripted(std::unexpected(std::errc::broken_pipe)); };
    auto first = spawn(quiet());
    auto second = spawn(loud());
    loop.run();
    EXPECT_EQ(first.get(), std::errc::broken_pipe);
    EXPECT_THROW(second.get(), std::system_error);
}

TEST(as_result, asks_for_the_outcome_where_there_is_one) {
    EXPECT_TRUE(reports_outcome<scripted>);
    EXPECT_FALSE(reports_outcome<std::suspend_always>);
    EXPECT_FALSE(reports_outcome<task<int>>);
}

[[noreturn]] void fail_with(std::errc error) {
    throw std::system_error(std::make_error_code(error));
}

task<int> number_or(std::errc error, bool fails) {
    co_await yield();
    if (fails)
        fail_with(error);
    co_return 3;
}

task<> nothing_or(std::errc error, bool fails) {
    co_await yield();
    if (fails)
        fail_with(error);
}

template <class T>
T result_of(task<T> work) {
    test::manual_loop loop;
    auto running = spawn(std::move(work));
    loop.run();
    return running.get();
}

TEST(as_result, gives_the_value_or_the_error_of_a_task) {
    const auto work = []() -> task<> {
        const auto good = co_await as_result(number_or(std::errc::broken_pipe, false));
        EXPECT_EQ(good, (std::expected<int, std::error_code>(3)));
        const auto bad = co_await as_result(number_or(std::errc::broken_pipe, true));
        EXPECT_EQ(bad.error(), std::errc::broken_pipe);
        auto named = number_or(std::errc::io_error, true);
        const auto moved = co_await as_result(std::move(named));
        EXPECT_EQ(moved.error(), std::errc::io_error);
    };
    result_of(work());
}

TEST(as_result, gives_success_or_the_error_of_a_task_without_a_value) {
    const auto work = []() -> task<> {
        const std::expected<void, std::error_code> good =
            co_await as_result(nothing_or(std::errc::broken_pipe, false));
        EXPECT_TRUE(good.has_value());
        const auto bad = co_await as_result(nothing_or(std::errc::broken_pipe, true));
        EXPECT_EQ(bad.error(), std::errc::broken_pipe);
    };
    result_of(work());
}

TEST(as_result, gives_a_reference_in_a_wrapper) {
    const auto same = [](std::string& text) -> task<std::string&> { co_return text; };
    const auto work = [](auto refer) -> task<> {
        std::string text = "before";
        auto result = co_await as_result(refer(text));
        EXPECT_TRUE(result.has_value());
        result->get() = "after";
        EXPECT_EQ(text, "after");
    };
    result_of(work(same));
}

TEST(as_result, gives_a_value_where_a_task_gives_an_rvalue_reference) {
    const auto give = [](std::string& text) -> task<std::string&&> { co_return std::move(text); };
    const auto work = [](auto given) -> task<> {
        std::string text = "a text that is too long to be stored in place";
        const std::string before = text;
        const auto result = co_await as_result(given(text));
        EXPECT_TRUE((std::same_as<decltype(result), const std::expected<std::string, std::error_code>>));
        EXPECT_EQ(result.value(), before);
    };
    result_of(work(give));
}

TEST(as_result, gives_move_only_values) {
    const auto owned = []() -> task<std::unique_ptr<int>> { co_return std::make_unique<int>(5); };
    const auto work = [](auto make) -> task<int> {
        const auto result = co_await as_result(make());
        co_return **result;
    };
    EXPECT_EQ(result_of(work(owned)), 5);
}

TEST(as_result, takes_a_handle_as_an_lvalue) {
    const auto work = []() -> task<> {
        auto good = spawn(number_or(std::errc::broken_pipe, false));
        auto bad = spawn(nothing_or(std::errc::broken_pipe, true));
        const auto first = co_await as_result(good);
        const auto second = co_await as_result(bad);
        EXPECT_EQ(first, (std::expected<int, std::error_code>(3)));
        EXPECT_EQ(second.error(), std::errc::broken_pipe);
    };
    result_of(work());
}

TEST(as_result, of_a_handle_that_is_dropped_leaves_the_task_running) {
    test::manual_loop loop;
    test::gate opened;
    const auto waits = [](test::gate& gate) -> task<int> {
        co_await gate;
        co_return 4;
    };
    const auto asks = [](handle<int>& awaited) -> task<> { static_cast<void>(co_await as_result(awaited)); };
    auto running = spawn(waits(opened));
    auto asking = spawn(asks(running));
    loop.run();
    asking.cancel();
    opened.open();
    loop.run();
    EXPECT_EQ(running.get(), 4);
}

TEST(as_result, that_is_dropped_drops_the_task) {
    test::manual_loop loop;
    test::gate never;
    const auto waits = [](test::gate& gate) -> task<> { co_await gate; };
    const auto asks = [](auto make, test::gate& gate) -> task<> {
        static_cast<void>(co_await as_result(make(gate)));
    };
    auto asking = spawn(asks(waits, never));
    loop.run();
    EXPECT_TRUE(never.has_waiter());
    asking.cancel();
    EXPECT_FALSE(never.has_waiter());
}

TEST(as_result, takes_a_ready_or_task) {
    const auto at_once = []() -> ready_or_task<int> { return 6; };
    const auto later = []() -> ready_or_task<int> {
        co_await yield();
        fail_with(std::errc::io_error);
    };
    const auto work = [](auto first, auto second) -> task<> {
        const auto good = co_await as_result(first());
        EXPECT_EQ(good, (std::expected<int, std::error_code>(6)));
        const auto bad = co_await as_result(second());
        EXPECT_EQ(bad.error(), std::errc::io_error);
    };
    result_of(work(at_once, later));
}

TEST(as_result, lets_other_exceptions_through) {
    const auto other = []() -> task<> {
        co_await yield();
        throw std::invalid_argument("other");
    };
    const auto work = [](auto make) -> task<bool> {
        try {
            static_cast<void>(co_await as_result(make()));
        } catch (const std::invalid_argument&) {
            co_return true;
        }
        co_return false;
    };
    EXPECT_TRUE(result_of(work(other)));
}

/// An awaitable of another library, which resumes whoever awaits it inside await_suspend and ends as it was
/// told. It cannot be moved.
class foreign {
public:
    explicit foreign(std::expected<int, std::errc> outcome) : outcome_(outcome) {}
    foreign(const foreign&) = delete;
    foreign& operator=(const foreign&) = delete;
    ~foreign() = default;

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> point) const { point.resume(); }
    int await_resume() const {
        if (!outcome_)
            fail_with(outcome_.error());
        return *outcome_;
    }

private:
    std::expected<int, std::errc> outcome_;
};

TEST(as_result, takes_foreign_awaitables_that_cannot_be_moved) {
    const auto work = []() -> task<> {
        const auto good = co_await as_result(foreign(7));
        EXPECT_EQ(good, (std::expected<int, std::error_code>(7)));
        const auto bad = co_await as_result(foreign(std::unexpected(std::errc::io_error)));
        EXPECT_EQ(bad.error(), std::errc::io_error);
        foreign named(8);
        const auto referred = co_await as_result(named);
        EXPECT_EQ(referred, (std::expected<int, std::error_code>(8)));
    };
    result_of(work());
}

}  // namespace
}  // namespace eddy::as_result_test
