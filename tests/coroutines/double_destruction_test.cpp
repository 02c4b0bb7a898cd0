// g++ 12 destroys some temporaries of a co_await expression twice, a wrong translation of valid programs. The
// library's interface avoids these forms and its documentation warns of them; these tests say for which
// compilers that is needed. One that fails because a compiler has mended the defect is good news.

#include "coroutines/living_count.hpp"

#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>

#include <gtest/gtest.h>

#include <utility>

namespace eddy::double_destruction_test {
namespace {

using test::counted;
using test::living_after;

#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ == 12
constexpr int expected_living = -1;
#else
constexpr int expected_living = 0;
#endif

struct aggregate {
    counted member;
    int number = 0;
};

task<> take(aggregate) {
    co_await yield();
}

template <class Function>
task<> call(Function function) {
    co_await yield();
    function();
}

struct aggregate_awaiter {
    bool await_ready() const noexcept { return false; }
    void await_suspend(detail::suspension point) noexcept {
        auto& loop = detail::resume_loop::current();
        loop.make_ready(loop.suspend(point));
    }
    void await_resume() const noexcept {}

    counted member;
};

class awaiter : public aggregate_awaiter {
public:
    explicit awaiter(counted held) noexcept : aggregate_awaiter{std::move(held)} {}
};

class counted_call {
public:
    explicit counted_call(int& living) noexcept : member_(living) {}
    void operator()() const noexcept {}

private:
    counted member_;
};

task<counted> give(int& living) {
    co_await yield();
    co_return counted(living);
}

TEST(a_temporary_of_an_await, dies_twice_if_it_is_a_lambda_that_captures_by_value) {
    const auto work = [](int& living) -> task<> { co_await call([held = counted(living)] {}); };
    EXPECT_EQ(living_after(work), expected_living);
}

TEST(a_temporary_of_an_await, dies_twice_if_it_is_an_aggregate) {
    const auto work = [](int& living) -> task<> { co_await take(aggregate{counted(living), 1}); };
    EXPECT_EQ(living_after(work), expected_living);
}

TEST(a_temporary_of_an_await, dies_twice_if_it_is_an_aggregate_and_the_awaiter) {
    const auto work = [](int& living) -> task<> { co_await aggregate_awaiter{counted(living)}; };
    EXPECT_EQ(living_after(work), expected_living);
}

TEST(a_temporary_of_an_await, dies_twice_if_a_condition_chooses_it) {
    const auto work = [](int& living) -> task<> {
        co_await (living == 0 ? awaiter(counted(living)) : awaiter(counted(living)));
    };
    EXPECT_EQ(living_after(work), expected_living);
}

TEST(a_result_of_an_await, dies_twice_if_a_condition_chooses_it) {
    const auto work = [](int& living) -> task<> {
        const counted chosen = living == 0 ? co_await give(living) : counted(living);
    };
    EXPECT_EQ(living_after(work), expected_living);
}

class asking : public aggregate_awaiter {
public:
    asking(counted held, bool answer) noexcept : aggregate_awaiter{std::move(held)}, answer_(answer) {}
    bool await_resume() const noexcept { return answer_; }

private:
    bool answer_;
};

TEST(a_temporary_of_an_await, dies_once_if_its_answer_is_a_condition) {
    const auto work = [](int& living) -> task<> {
        int requested = 0;
        if (const bool is_so = co_await asking(counted(living), true))
            requested += is_so ? 1 : 0;
        if (const bool is_so = co_await asking(counted(living), true); is_so)
            ++requested;
        while (const bool is_so = co_await asking(counted(living), requested < 5))
            requested += is_so ? 1 : 0;
        EXPECT_EQ(requested, 5);
    };
    EXPECT_EQ(living_after(work), 0);
}

TEST(a_temporary_of_an_await, dies_once_if_a_condition_chooses_it_beforehand) {
    const auto work = [](int& living) -> task<> {
        auto chosen = living == 0 ? call(counted_call(living)) : call(counted_call(living));
        co_await std::move(chosen);
    };
    EXPECT_EQ(living_after(work), 0);
}

TEST(a_temporary_of_an_await, dies_once_if_a_statement_chooses_it) {
    const auto work = [](int& living) -> task<> {
        if (living == 0)
            co_await awaiter(counted(living));
        else
            co_await give(living);
    };
    EXPECT_EQ(living_after(work), 0);
}

}  // namespace
}  // namespace eddy::double_destruction_test
