#include "run.hpp"
#include "tasks.hpp"
#include "when_all.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace course;
using namespace lab_test;

// More than a small string holds, so that what is freed too early or not at all is noticed.
lab::task<std::string> text_of(std::size_t length) {
    co_return std::string(length, 'x');
}

lab::task<> wait_for(gate& opens) {
    co_await opens;
}

TEST(memory, a_result_is_taken_from_a_frame_that_is_still_there) {
    suspect(
        "the result was read after the frame that holds it was destroyed: the frame is freed when its owner "
        "goes, and by nothing else",
        "step-4-one-owner");
    auto outer = []() -> lab::task<std::size_t> {
        std::size_t sum = 0;
        for (int at = 0; at < 10; ++at)
            sum += (co_await text_of(1000)).size();
        co_return sum;
    };
    EXPECT_EQ(lab::run(outer()), 10'000u);
}

TEST(memory, an_exception_frees_all_that_it_passes) {
    suspect("a frame was freed twice or not at all when an exception passed it",
            "step-3-an-exception-is-a-result-too");
    census counts;
    auto inner = [](tracked) -> lab::task<int> {
        throw std::runtime_error("no luck");
        co_return 1;
    };
    auto outer = [](auto& child, census& into) -> lab::task<int> {
        tracked local(into);
        co_return co_await child(tracked(into));
    };
    EXPECT_THROW(lab::run(outer(inner, counts)), std::runtime_error);
    EXPECT_EQ(counts.alive, 0) << why("what lies in the frames of tasks that threw still exists",
                                      "step-3-an-exception-is-a-result-too");
}

TEST(memory, tasks_that_were_never_started_leak_nothing) {
    suspect("a frame leaked: every task destroys the frame that it has", "step-4-one-owner");
    std::vector<lab::task<std::string>> tasks;
    for (int at = 0; at < 100; ++at)
        tasks.push_back(text_of(100));
    tasks.erase(tasks.begin() + 10, tasks.begin() + 90);
    tasks[0] = std::move(tasks[1]);
}

TEST(memory, a_chain_that_waits_is_dropped_from_outside_inwards) {
    suspect("a frame leaked or was freed twice when the outermost task of a chain was dropped",
            "step-5-a-task-awaits-a-task");
    struct chain {
        static lab::task<std::string> of(int levels, gate& opens) {
            const std::string local(100, 'y');
            if (levels > 0)
                co_return local + co_await of(levels - 1, opens);
            co_await opens;
            co_return local;
        }
    };
    gate never;
    auto work = chain::of(50, never);
    work.handle().resume();
    EXPECT_EQ(never.waiting(), 1u);
}

TEST(memory, when_all_is_dropped_with_some_tasks_ended) {
    suspect("the results or frames of tasks that had ended when when_all was dropped were not freed",
            "step-7-several-at-once");
    gate never;
    auto work = lab::when_all(text_of(1000), wait_for(never), text_of(1000));
    work.handle().resume();
    EXPECT_FALSE(work.done());
}

TEST(memory, when_all_ends_by_the_last_task_and_frees_itself_then) {
    suspect(
        "the last branch resumes the caller, which destroys the branches: a branch must touch nothing of "
        "itself after that",
        "step-7-several-at-once");
    gate opens;
    auto outer = [](gate& opened) -> lab::task<std::size_t> {
        std::vector<lab::task<>> tasks;
        for (int at = 0; at < 10; ++at)
            tasks.push_back(wait_for(opened));
        const auto results = co_await lab::when_all(std::move(tasks));
        co_return results.size();
    };
    auto work = outer(opens);
    work.handle().resume();
    opens.open();
    ASSERT_TRUE(work.done());
    EXPECT_EQ(work.result(), 10u);
}

TEST(memory, an_await_allocates_the_frame_of_the_child_and_nothing_else) {
    if (!course::counts_allocations)
        GTEST_SKIP() << "[sanitizer] allocations are not counted";
    auto outer = []() -> lab::task<std::size_t> {
        const std::size_t before = course::allocations();
        for (int at = 0; at < 100; ++at)
            co_await seven();
        co_return course::allocations() - before;
    };
    EXPECT_LE(lab::run(outer()), 100u)
        << why("awaiting allocates more than the child's frame: awaiter and continuation lie in the frames",
               "step-5-a-task-awaits-a-task");
}

TEST(memory, when_all_allocates_two_frames_for_each_task) {
    if (!course::counts_allocations)
        GTEST_SKIP() << "[sanitizer] allocations are not counted";
    const std::size_t before = course::allocations();
    std::vector<lab::task<int>> tasks;
    tasks.reserve(100);
    for (int at = 0; at < 100; ++at)
        tasks.push_back(seven());
    lab::run(lab::when_all(std::move(tasks)));
    EXPECT_LE(course::allocations() - before, 210u)
        << why("when_all needs a frame for each task, one for its branch, and a few vectors",
               "step-7-several-at-once");
}

}  // namespace
