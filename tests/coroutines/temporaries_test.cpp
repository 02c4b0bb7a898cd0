// g++ 12 destroys some temporaries of a co_await expression twice (double_destruction_test.cpp shows which).
// These tests pin the forms that the library's interface and its documentation rely on, with every compiler.

#include "coroutines/living_count.hpp"
#include "support/manual_loop.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>

#include <gtest/gtest.h>

#include <coroutine>
#include <utility>

namespace eddy::temporaries_test {
namespace {

using test::counted;
using test::living_after;

class options {
public:
    explicit options(int& living) noexcept : member_(living) {}
    options& chained(int) noexcept { return *this; }

private:
    counted member_;
};

task<> take(options) {
    co_await yield();
}

template <class Function>
task<> call(Function function) {
    co_await yield();
    function();
}

class awaiter_with_constructor {
public:
    explicit awaiter_with_constructor(counted held) noexcept : held_(std::move(held)) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(detail::suspension point) noexcept {
        auto& loop = detail::resume_loop::current();
        loop.make_ready(loop.suspend(point));
    }
    void await_resume() const noexcept {}

private:
    counted held_;
};

TEST(temporaries_of_an_await, with_a_constructor_die_once) {
    const auto work = [](int& living) -> task<> { co_await take(options(living)); };
    EXPECT_EQ(living_after(work), 0);
}

TEST(temporaries_of_an_await, with_chained_setters_die_once) {
    const auto work = [](int& living) -> task<> { co_await take(options(living).chained(1).chained(2)); };
    EXPECT_EQ(living_after(work), 0);
}

TEST(temporaries_of_an_await, that_are_awaiters_with_a_constructor_die_once) {
    const auto work = [](int& living) -> task<> { co_await awaiter_with_constructor(counted(living)); };
    EXPECT_EQ(living_after(work), 0);
}

class awaiter_at_its_place {
public:
    awaiter_at_its_place() noexcept : place_(this) {}
    awaiter_at_its_place(const awaiter_at_its_place&) = delete;
    awaiter_at_its_place& operator=(const awaiter_at_its_place&) = delete;
    ~awaiter_at_its_place() = default;
    bool await_ready() const noexcept { return false; }
    void await_suspend(detail::suspension point) noexcept {
        auto& loop = detail::resume_loop::current();
        loop.make_ready(loop.suspend(point));
    }
    const void* await_resume() const noexcept { return place_ == this ? this : nullptr; }

private:
    const void* place_;
};

TEST(temporaries_of_an_await, that_are_awaiters_may_be_unable_to_move) {
    const auto work = [](int&) -> task<> {
        const void* const temporary = co_await awaiter_at_its_place();
        EXPECT_NE(temporary, nullptr);
    };
    EXPECT_EQ(living_after(work), 0);
}

TEST(an_awaiter_with_a_name, is_awaited_where_it_stands) {
    const auto work = [](int&) -> task<> {
        awaiter_at_its_place named;
        const void* const seen = co_await named;
        EXPECT_EQ(seen, &named);
    };
    EXPECT_EQ(living_after(work), 0);
}

TEST(temporaries_of_an_await, are_spared_by_a_named_lambda_that_is_moved_in) {
    const auto work = [](int& living) -> task<> {
        auto function = [held = counted(living)] {};
        co_await call(std::move(function));
    };
    EXPECT_EQ(living_after(work), 0);
}

TEST(temporaries_of_an_await, are_spared_by_a_named_task) {
    const auto work = [](int& living) -> task<> {
        auto named = call([held = counted(living)] {});
        co_await std::move(named);
    };
    EXPECT_EQ(living_after(work), 0);
}

TEST(temporaries_of_an_await, die_once_when_the_await_is_dropped) {
    int living = 0;
    {
        test::manual_loop loop;
        const auto work = [](int& count) -> task<> {
            auto function = [held = counted(count)] {};
            co_await take(options(count).chained(1));
            co_await call(std::move(function));
        };
        auto dropped = spawn(work(living));
        loop.step();
        EXPECT_GT(living, 0);
    }
    EXPECT_EQ(living, 0);
}

}  // namespace
}  // namespace eddy::temporaries_test
