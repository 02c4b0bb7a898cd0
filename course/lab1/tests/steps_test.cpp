#include "outcome.hpp"
#include "run.hpp"
#include "tasks.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

using namespace course;
using namespace lab_test;

// ---- Step 1

TEST(step1, calling_a_coroutine_runs_nothing_of_it) {
    bool has_run = false;
    auto work = note(has_run);
    EXPECT_FALSE(has_run) << why("initial_suspend() lets the coroutine run on at once; it should suspend it",
                                 "step-1-a-coroutine-that-waits-to-be-started");
}

TEST(step1, resuming_it_runs_it) {
    bool has_run = false;
    auto work = note(has_run);
    ASSERT_TRUE(work.handle()) << why("the task does not keep the coroutine's handle",
                                      "step-1-a-coroutine-that-waits-to-be-started");
    if (!has_run)
        work.handle().resume();
    EXPECT_TRUE(has_run);
}

TEST(step1, it_is_done_at_its_end_and_not_before) {
    suspect("final_suspend() does not suspend, so the frame is gone when the task looks at it",
            "step-1-a-coroutine-that-waits-to-be-started");
    gate opens;
    auto wait = [](gate& opened) -> lab::task<> { co_await opened; };
    auto work = wait(opens);
    EXPECT_FALSE(work.done());
    work.handle().resume();
    EXPECT_FALSE(work.done());
    opens.open();
    EXPECT_TRUE(work.done()) << why(
        "a coroutine is done() only if it is suspended at its final suspend point",
        "step-1-a-coroutine-that-waits-to-be-started");
}

TEST(step1, its_arguments_are_copied_into_the_frame) {
    auto wait = [](std::string text, std::string& into) -> lab::task<> {
        into = text;
        co_return;
    };
    std::string copied;
    auto work = wait(std::string(100, 'x'), copied);
    work.handle().resume();
    EXPECT_EQ(copied, std::string(100, 'x'));
}

// ---- Step 2

constexpr const char* result_anchor = "step-2-a-result";

TEST(step2, run_returns_what_the_coroutine_returned) {
    EXPECT_EQ(lab::run(seven()), 7) << why(
        "return_value() has to store the value, and result() to take it out", result_anchor);
}

TEST(step2, a_string_is_returned_by_what_converts_to_it) {
    auto name = []() -> lab::task<std::string> { co_return "eddy"; };
    EXPECT_EQ(lab::run(name()), "eddy");
}

TEST(step2, nothing_is_returned_too) {
    bool has_run = false;
    lab::run(note(has_run));
    EXPECT_TRUE(has_run);
}

TEST(step2, what_only_moves_is_returned) {
    auto pointer = []() -> lab::task<std::unique_ptr<int>> { co_return std::make_unique<int>(5); };
    EXPECT_EQ(*lab::run(pointer()), 5);
}

TEST(step2, a_type_without_a_default_constructor_is_returned_and_not_copied) {
    census counts;
    auto make = [](census& into) -> lab::task<tracked> { co_return tracked(into); };
    {
        tracked result = lab::run(make(counts));
        EXPECT_EQ(counts.copies, 0) << why("the result is copied on its way; move it out of the frame",
                                           result_anchor);
    }
}

TEST(step2, run_refuses_a_task_that_waits) {
    gate never;
    auto wait = [](gate& opened) -> lab::task<> { co_await opened; };
    EXPECT_THROW(lab::run(wait(never)), std::logic_error)
        << why("after resume() the task may wait: run() has to look at done() before it takes the result",
               result_anchor);
}

TEST(step2, an_outcome_is_empty_until_it_is_set) {
    lab::outcome<int> result;
    EXPECT_FALSE(result.is_set());
    result.set_value(3);
    EXPECT_TRUE(result.is_set());
    EXPECT_EQ(result.take(), 3);
}

// ---- Step 3

constexpr const char* exception_anchor = "step-3-an-exception-is-a-result-too";

TEST(step3, an_exception_is_thrown_where_the_result_is_taken) {
    suspect("unhandled_exception() does not keep std::current_exception()", exception_anchor);
    auto work = failing();
    work.handle().resume();
    EXPECT_TRUE(work.done()) << why("an exception must not leave resume(): keep it in the promise",
                                    exception_anchor);
    EXPECT_THROW(work.result(), std::runtime_error) << why(
        "the exception was lost: result() has to throw what unhandled_exception() kept", exception_anchor);
}

TEST(step3, an_exception_of_a_task_of_nothing_is_thrown_too) {
    auto fail = []() -> lab::task<> {
        throw std::runtime_error("no luck");
        co_return;
    };
    EXPECT_THROW(lab::run(fail()), std::runtime_error)
        << why("a task<void> has an outcome, too, and take() of it throws", exception_anchor);
}

TEST(step3, an_exception_after_the_value_is_the_result) {
    struct throws_at_the_end {
        ~throws_at_the_end() noexcept(false) { throw std::runtime_error("too late"); }
    };
    auto fail = []() -> lab::task<int> {
        throws_at_the_end last;
        co_return 5;
    };
    EXPECT_THROW(lab::run(fail()), std::runtime_error)
        << why("a destructor may throw after co_return has stored a value: set_error() replaces it",
               exception_anchor);
}

// ---- Step 4

constexpr const char* owner_anchor = "step-4-one-owner";

TEST(step4, a_task_that_was_not_started_destroys_its_frame) {
    census counts;
    gate never;
    {
        auto work = hold(tracked(counts), never);
    }
    EXPECT_EQ(counts.alive, 0) << why(
        "the task's destructor does not destroy the frame: its parameters still exist", owner_anchor);
}

TEST(step4, a_task_that_waits_destroys_its_frame) {
    census counts;
    gate never;
    {
        auto work = hold(tracked(counts), never);
        work.handle().resume();
        EXPECT_EQ(never.waiting(), 1u);
    }
    EXPECT_EQ(counts.alive, 0) << why("the task's destructor does not destroy the frame", owner_anchor);
}

TEST(step4, a_task_that_moved_on_leaves_nothing_behind) {
    suspect("both tasks believe that they own the frame: the one that was moved from has to be emptied",
            owner_anchor);
    census counts;
    gate never;
    {
        auto first = hold(tracked(counts), never);
        auto second = std::move(first);
        EXPECT_FALSE(first.handle()) << why(
            "a task that was moved from still has its handle, so two tasks destroy one frame", owner_anchor);
        EXPECT_TRUE(second.handle());
        if (first.handle())
            std::_Exit(1);  // before the frame is destroyed twice
    }
    EXPECT_EQ(counts.alive, 0);
}

TEST(step4, assignment_destroys_what_was_there) {
    census counts;
    gate never;
    auto work = hold(tracked(counts), never);
    work = lab::task<>();
    EXPECT_EQ(counts.alive, 0) << why("move assignment overwrites the handle, and the old frame is lost",
                                      owner_anchor);
}

TEST(step4, an_empty_task_is_destroyed_and_assigned_to) {
    bool has_run = false;
    lab::task<> work;
    EXPECT_FALSE(work.handle());
    work = note(has_run);
    work.handle().resume();
    EXPECT_TRUE(has_run);
}

TEST(step4, a_task_assigned_to_itself_survives) {
    bool has_run = false;
    auto work = note(has_run);
    auto& same = work;
    work = std::move(same);
    ASSERT_TRUE(work.handle()) << why("move assignment from itself destroys what it is about to keep",
                                      owner_anchor);
    work.handle().resume();
    EXPECT_TRUE(has_run);
}

// ---- Step 5

constexpr const char* await_anchor = "step-5-a-task-awaits-a-task";

lab::task<int> four_times(int value) {
    const int doubled = co_await twice(value);
    co_return co_await twice(doubled);
}

TEST(step5, the_result_of_the_child_is_the_value_of_the_await) {
    suspect("the caller is not resumed when the child ends: keep it as the child's continuation",
            await_anchor);
    EXPECT_EQ(lab::run(four_times(3)), 12) << why("await_resume() returns the child's result", await_anchor);
}

TEST(step5, the_exception_of_the_child_is_thrown_by_the_await) {
    auto outer = []() -> lab::task<std::string> {
        try {
            co_await failing();
        } catch (const std::runtime_error& error) {
            co_return error.what();
        }
        co_return "nothing was thrown";
    };
    EXPECT_EQ(lab::run(outer()), "no luck")
        << why("await_resume() has to throw what the child threw", await_anchor);
}

TEST(step5, a_child_starts_when_it_is_awaited) {
    bool has_run = false;
    auto outer = [](bool& ran) -> lab::task<bool> {
        auto child = note(ran);
        const bool before = ran;
        co_await std::move(child);
        co_return !before && ran;
    };
    EXPECT_TRUE(lab::run(outer(has_run)));
}

TEST(step5, the_frame_of_the_child_is_gone_after_the_await) {
    census counts;
    auto outer = [](census& into) -> lab::task<int> {
        gate opened;
        opened.open();
        auto child = hold(tracked(into), opened);
        co_await std::move(child);
        co_return into.alive;
    };
    EXPECT_EQ(lab::run(outer(counts)), 0)
        << why("awaiting consumes the task: the awaiter takes the frame over, and destroys it at the end of "
               "the expression",
               await_anchor);
}

TEST(step5, a_caller_waits_until_its_child_ends) {
    gate opens;
    bool has_ended = false;
    auto outer = [](gate& opened, bool& ended) -> lab::task<> {
        auto child = [](gate& waits) -> lab::task<> { co_await waits; };
        co_await child(opened);
        ended = true;
    };
    auto work = outer(opens, has_ended);
    work.handle().resume();
    EXPECT_FALSE(has_ended);
    opens.open();
    EXPECT_TRUE(has_ended) << why(
        "the child ended and its caller was not resumed: final_suspend() passes control to the continuation",
        await_anchor);
    EXPECT_TRUE(work.done());
}

TEST(step5, dropping_the_caller_drops_the_child_that_waits) {
    census counts;
    gate never;
    {
        auto outer = [](census& into, gate& opened) -> lab::task<> { co_await hold(tracked(into), opened); };
        auto work = outer(counts, never);
        work.handle().resume();
        EXPECT_GE(counts.alive, 1);
    }
    EXPECT_EQ(counts.alive, 0) << why(
        "the child's frame belongs to the awaiter in the caller's frame, and goes with it", await_anchor);
}

// ---- Step 6

constexpr const char* depth_anchor = "step-6-a-million-awaits";

// Where g++ has no tail calls.
constexpr bool may_overflow = course::is_sanitized
#ifdef __clang__
                              && false
#endif
    ;

lab::task<long> count_to(long end) {
    long sum = 0;
    for (long at = 0; at < end; ++at)
        sum += co_await seven();
    co_return sum;
}

TEST(step6, a_million_awaits_do_not_grow_the_stack) {
    if (may_overflow)
        GTEST_SKIP() << "[sanitizer] g++ makes no tail calls here";
    suspect(
        "each await leaves a frame on the stack: await_suspend(), and that of final_suspend(), should return "
        "the handle to go on "
        "with, and not call resume()",
        depth_anchor);
    EXPECT_EQ(lab::run(count_to(1'000'000)), 7'000'000);
}

lab::task<long> depth(long levels) {
    if (levels == 0)
        co_return 0;
    co_return 1 + co_await depth(levels - 1);
}

TEST(step6, nor_do_tasks_that_are_nested_as_deep) {
    if (may_overflow)
        GTEST_SKIP() << "[sanitizer] g++ makes no tail calls here";
    suspect(
        "a task that awaits is still on the stack while its child runs: return the child's handle from "
        "await_suspend()",
        depth_anchor);
    EXPECT_EQ(lab::run(depth(200'000)), 200'000);
}

}  // namespace
