// g++ 12 misplaces the frame of a coroutine that awaits in a condition and declares no variable: its own flag
// for the condition comes to stand in front of what a handle points to, so that whoever resumes or destroys
// the coroutine jumps astray. It is a wrong translation of valid programs, whatever is awaited. These tests
// say for which compilers that is so, without going astray: their coroutines never suspend, and only look
// where a handle would point. One that fails because a compiler has mended the defect is good news.

#include <gtest/gtest.h>

#include <coroutine>
#include <exception>

namespace eddy::await_condition_test {
namespace {

#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ == 12
constexpr bool is_found_without_variables = false;
#else
constexpr bool is_found_without_variables = true;
#endif

/// A coroutine that runs to its end inside of the call. `co_await answer` gives the answer, and notes in the
/// coroutine's parameter whether a handle finds the frame.
class looker {
public:
    class promise_type {
    public:
        explicit promise_type(bool& is_found) noexcept : is_found_(is_found) {}
        looker get_return_object() noexcept { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        void unhandled_exception() noexcept { std::terminate(); }

        class awaiter {
        public:
            awaiter(promise_type& promise, bool answer) noexcept : promise_(promise), answer_(answer) {}
            bool await_ready() const noexcept { return false; }
            bool await_suspend(std::coroutine_handle<promise_type> frame) const noexcept {
                promise_.is_found_ = std::coroutine_handle<promise_type>::from_promise(promise_) == frame;
                return false;
            }
            bool await_resume() const noexcept { return answer_; }

        private:
            promise_type& promise_;
            bool answer_;
        };
        awaiter await_transform(bool answer) noexcept { return awaiter(*this, answer); }

    private:
        bool& is_found_;
    };
};

int times = 0;

bool is_found(looker coroutine(bool&)) {
    bool found = false;
    times = 0;
    coroutine(found);
    return found;
}

looker in_if(bool&) {
    if (co_await true)
        ++times;
}
looker in_while(bool&) {
    while (co_await (times < 2))
        ++times;
}
looker in_do(bool&) {
    do
        ++times;
    while (co_await (times < 2));
}
looker in_for(bool&) {
    for (; co_await (times < 2);)
        ++times;
}
looker in_switch(bool&) {
    switch (co_await true) {
        default:
            ++times;
    }
}

TEST(a_coroutine_without_variables, is_misplaced_if_a_condition_awaits) {
    EXPECT_EQ(is_found(in_if), is_found_without_variables);
    EXPECT_EQ(is_found(in_while), is_found_without_variables);
    EXPECT_EQ(is_found(in_do), is_found_without_variables);
    EXPECT_EQ(is_found(in_for), is_found_without_variables);
    EXPECT_EQ(is_found(in_switch), is_found_without_variables);
}

looker in_expressions(bool&) {
    times += co_await true ? 1 : 2;
    times += times > 0 && co_await true ? 1 : 2;
    co_await true;
}

TEST(a_coroutine_without_variables, is_in_its_place_if_only_expressions_await) {
    EXPECT_TRUE(is_found(in_expressions));
}

looker declares_in_if(bool&) {
    if (const bool answer = co_await true)
        times += answer ? 1 : 0;
}
looker declares_before_the_condition(bool&) {
    if (const bool answer = co_await true; answer)
        ++times;
}
looker declares_in_while(bool&) {
    while ([[maybe_unused]] const bool answer = co_await (times < 2))
        ++times;
}
looker declares_in_for(bool&) {
    for (; [[maybe_unused]] const bool answer = co_await (times < 2);)
        ++times;
}
looker declares_in_switch(bool&) {
    switch (const int answer = co_await true) {
        default:
            times += answer;
    }
}

TEST(a_coroutine_whose_condition_awaits, is_in_its_place_if_the_condition_declares_the_answer) {
    EXPECT_TRUE(is_found(declares_in_if));
    EXPECT_TRUE(is_found(declares_before_the_condition));
    EXPECT_TRUE(is_found(declares_in_while));
    EXPECT_TRUE(is_found(declares_in_for));
    EXPECT_TRUE(is_found(declares_in_switch));
}

looker declares_first(bool&) {
    const int step = 1;
    if (co_await true)
        times += step;
}
looker declares_inside(bool&) {
    if (co_await true) {
        const int step = times;
        times += step;
    }
}
looker declares_in_a_loop(bool&) {
    for (int at = 0; co_await (at < 2); ++at)
        ++times;
}

TEST(a_coroutine_whose_condition_awaits, is_in_its_place_if_it_declares_any_variable) {
    EXPECT_TRUE(is_found(declares_first));
    EXPECT_TRUE(is_found(declares_inside));
    EXPECT_TRUE(is_found(declares_in_a_loop));
}

}  // namespace
}  // namespace eddy::await_condition_test
