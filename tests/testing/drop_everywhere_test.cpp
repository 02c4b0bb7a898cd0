#include "support/time_bound.hpp"
#include "testing/sample_scenarios.hpp"

#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/detail/job.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/testing/drop_everywhere.hpp>

#include <gtest/gtest.h>

#include <coroutine>
#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

namespace eddy::drop_everywhere_test {
namespace {

using namespace std::chrono_literals;
using eddy::testing::drop_everywhere;
using eddy::testing::drop_options;

/// For what leaks: gives up soon.
drop_options impatient() {
    return drop_options().settle_max(200ms).findings_max(1);
}

bool mentions(const eddy::testing::report& found, const std::string& text) {
    return found.message().find(text) != std::string::npos;
}

// -- what is right --

TEST(dropping_everywhere, tries_each_suspension_at_three_moments) {
    const test::time_bound bound;
    const auto found = drop_everywhere(&test::yields_three_times, drop_options().name("yields"));
    EXPECT_TRUE(found) << found.message();
    EXPECT_EQ(found.points(), 3U);
    EXPECT_EQ(found.runs(), 3U * 3U + 3U);
    EXPECT_EQ(found.message(), "drop_everywhere(yields): 12 runs, 3 points, passed");
}

TEST(dropping_everywhere, tries_only_some_suspensions_if_it_is_told_to) {
    const test::time_bound bound;
    const auto found = drop_everywhere(&test::yields_three_times, drop_options().stride(2));
    EXPECT_TRUE(found) << found.message();
    EXPECT_EQ(found.points(), 2U) << "the first and the third";
}

task<> spawns_one_that_yields() {
    auto other = spawn(test::yields_three_times());
    co_await other;
}

TEST(dropping_everywhere, counts_the_suspensions_of_spawned_tasks) {
    const test::time_bound bound;
    const auto found = drop_everywhere(&spawns_one_that_yields);
    EXPECT_TRUE(found) << found.message();
    EXPECT_EQ(found.points(), 1U + 3U);
}

TEST(dropping_everywhere, finds_nothing_in_a_sleep) {
    const test::time_bound bound;
    const auto found = drop_everywhere(&test::sleeps);
    EXPECT_TRUE(found) << found.message();
    EXPECT_EQ(found.points(), 1U);
}

TEST(dropping_everywhere, finds_nothing_in_an_echo) {
    const test::time_bound bound;
    const auto found = drop_everywhere(&test::echoes);
    EXPECT_TRUE(found) << found.message();
    EXPECT_GE(found.points(), 5U);
}

TEST(dropping_everywhere, finds_nothing_in_offloaded_calls) {
    const test::time_bound bound;
    const auto found = drop_everywhere(&test::offloads);
    EXPECT_TRUE(found) << found.message();
    EXPECT_EQ(found.points(), 1U);
}

TEST(dropping_everywhere, finds_nothing_in_a_task_set) {
    const test::time_bound bound;
    const auto found = drop_everywhere(&test::fills_a_set);
    EXPECT_TRUE(found) << found.message();
    EXPECT_GE(found.points(), 11U);
}

TEST(dropping_everywhere, finds_nothing_in_a_timeout) {
    const test::time_bound bound;
    const auto found = drop_everywhere(&test::times_out);
    EXPECT_TRUE(found) << found.message();
    EXPECT_GE(found.points(), 2U);
}

TEST(dropping_everywhere, finds_nothing_in_a_task_on_another_worker) {
    const test::time_bound bound;
    const auto found =
        drop_everywhere(&test::calls_another_worker, drop_options().runtime(runtime_options().workers(2)));
    EXPECT_TRUE(found) << found.message();
    EXPECT_EQ(found.points(), 1U);
}

TEST(dropping_everywhere, works_with_a_shuffled_order) {
    const test::time_bound bound;
    const auto found =
        drop_everywhere(&test::fills_a_set, drop_options().runtime(runtime_options().shuffle_seed(7)));
    EXPECT_TRUE(found) << found.message();
    EXPECT_GE(found.points(), 11U);
}

// -- what is wrong --

task<> sleeps_for_long() {
    co_await sleep_for(std::chrono::hours(1));
}

task<> leaves_a_detached_task() {
    spawn(sleeps_for_long()).detach();
    co_await yield();
}

TEST(dropping_everywhere, finds_a_detached_task_that_stays) {
    const test::time_bound bound;
    const auto found = drop_everywhere(&leaves_a_detached_task, impatient());
    EXPECT_FALSE(found);
    EXPECT_TRUE(mentions(found, "dropped at suspension 1, at once: left behind frames +2"))
        << found.message();
    EXPECT_TRUE(mentions(found, "ready jobs +1") || mentions(found, "detached jobs +1")) << found.message();
}

task<> ends_later() {
    co_await sleep_for(20ms);
}

task<> leaves_a_task_that_ends() {
    spawn(ends_later()).detach();
    co_await yield();
}

TEST(dropping_everywhere, waits_for_what_ends_by_itself) {
    const test::time_bound bound;
    const auto found = drop_everywhere(&leaves_a_task_that_ends);
    EXPECT_TRUE(found) << found.message();
}

struct stray_timer : detail::timer {
    stray_timer() noexcept : timer(&fired) {}
    static void fired(detail::timer&) noexcept {}
};

task<> leaves_a_timer(stray_timer& left) {
    detail::worker_core& here = detail::worker_core::current();
    if (!left.is_armed())
        here.timers().arm(left, here.now() + std::chrono::hours(1));
    co_await yield();
    here.timers().disarm(left);
}

TEST(dropping_everywhere, finds_an_armed_timer) {
    const test::time_bound bound;
    stray_timer left;
    const auto found = drop_everywhere([&left] { return leaves_a_timer(left); }, impatient());
    EXPECT_EQ(found.findings(),
              std::vector<std::string>{"dropped at suspension 1, at once: left behind timers +1"});
}

struct stray_read : io::operation {
    explicit stray_read(int on) noexcept : operation(io::opcode::read, &ended) {
        descriptor = on;
        address = &byte;
        size = 1;
    }
    static void ended(io::operation&, const io::completion&) noexcept {}
    char byte = 0;
};

task<> leaves_an_operation(stray_read& left) {
    io::backend& backend = detail::worker_core::current().backend();
    if (left.is_idle())
        backend.submit(left);
    co_await yield();
    static_cast<void>(backend.withdraw(left));
}

TEST(dropping_everywhere, finds_an_operation_under_way) {
    const test::time_bound bound;
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    stray_read left(ends[0]);
    const auto found = drop_everywhere([&left] { return leaves_an_operation(left); }, impatient());
    EXPECT_EQ(found.findings(),
              std::vector<std::string>{"dropped at suspension 1, at once: left behind operations +1"});
    ::close(ends[0]);
    ::close(ends[1]);
}

task<> leaves_a_descriptor(std::vector<int>& left) {
    co_await yield();
    left.push_back(
        detail::worker_core::current().backend().system().sockets->open_socket(endpoint::family::ipv4));
    co_await yield();
    detail::worker_core::current().backend().close(left.back());
    left.pop_back();
}

TEST(dropping_everywhere, finds_an_open_descriptor_where_it_was_left) {
    const test::time_bound bound;
    std::vector<int> left;
    const auto scenario = [&left] { return leaves_a_descriptor(left); };
    const auto found = drop_everywhere(scenario, impatient());
    ASSERT_EQ(found.findings().size(), 1U);
    EXPECT_EQ(found.points(), 1U) << "the first suspension is right";
    EXPECT_TRUE(mentions(found, "dropped at suspension 2, at once: left behind descriptors"))
        << found.message();
    const auto unseen = drop_everywhere(scenario, impatient().counts_descriptors(false));
    EXPECT_TRUE(unseen) << unseen.message();
    for (const int descriptor : left)
        ::close(descriptor);
}

task<> leaves_a_frame(std::vector<std::coroutine_handle<>>& left) {
    left.push_back(test::sleeps().release());
    co_await yield();
    left.back().destroy();
    left.pop_back();
}

TEST(dropping_everywhere, finds_a_frame) {
    const test::time_bound bound;
    std::vector<std::coroutine_handle<>> left;
    const auto found = drop_everywhere([&left] { return leaves_a_frame(left); }, impatient().findings_max(2));
    EXPECT_EQ(found.findings(),
              (std::vector<std::string>{"dropped at suspension 1, at once: left behind frames +1",
                                        "dropped at suspension 1, after a turn: left behind frames +1"}));
    for (const auto frame : left)
        frame.destroy();
}

/// Is given a block of memory when its time has come, which nobody frees if its task is dropped before it
/// goes on.
class careless_wait {
public:
    explicit careless_wait(std::vector<void*>& blocks) noexcept : timer_(blocks) {}
    careless_wait(careless_wait&& other) noexcept : timer_(other.timer_.blocks) {}
    careless_wait& operator=(careless_wait&&) = delete;
    ~careless_wait() = default;

    bool await_ready() const noexcept { return false; }
    void await_suspend(detail::suspension point) noexcept {
        detail::worker_core& here = detail::worker_core::current();
        timer_.waiter = &here.loop().suspend(point);
        here.timers().arm(timer_, here.now() + 100us);
    }
    void await_resume() noexcept {
        detail::frame_cache::deallocate(timer_.blocks.back(), block_size);
        timer_.blocks.pop_back();
    }

    static constexpr std::size_t block_size = 64;

private:
    struct giving_timer : detail::timer {
        explicit giving_timer(std::vector<void*>& given) noexcept : timer(&give), blocks(given) {}
        static void give(detail::timer& fired) noexcept {
            auto& self = static_cast<giving_timer&>(fired);
            self.blocks.push_back(detail::frame_cache::allocate(block_size));
            self.waiter->loop().make_ready(*self.waiter);
        }
        std::vector<void*>& blocks;
        detail::job* waiter = nullptr;
    };
    giving_timer timer_;
};

task<> waits_carelessly(std::vector<void*>& blocks) {
    co_await careless_wait(blocks);
}

TEST(dropping_everywhere, finds_what_is_lost_between_a_completion_and_its_task) {
    const test::time_bound bound;
    std::vector<void*> lost;
    const auto found = drop_everywhere([&lost] { return waits_carelessly(lost); }, impatient());
    ASSERT_EQ(found.findings().size(), 1U) << found.message();
    EXPECT_FALSE(mentions(found, "at once")) << found.message();
    EXPECT_TRUE(mentions(found, "left behind frames +1")) << found.message();
    for (void* const block : lost)
        detail::frame_cache::deallocate(block, careless_wait::block_size);
}

task<> throws() {
    co_await yield();
    throw std::runtime_error("out of order");
}

TEST(dropping_everywhere, finds_an_exception) {
    const test::time_bound bound;
    const auto found = drop_everywhere(&throws, impatient());
    EXPECT_TRUE(
        mentions(found, "dropped at suspension 2, at once: an exception left the scenario: out of order"))
        << found.message();
}

class never {
public:
    never() noexcept {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(detail::suspension point) const noexcept {
        static_cast<void>(detail::resume_loop::current().suspend(point));
    }
    void await_resume() const noexcept {}
};

task<> is_never_resumed() {
    co_await never();
}

TEST(dropping_everywhere, finds_a_run_that_does_not_end) {
    const test::time_bound bound;
    const auto found = drop_everywhere(&is_never_resumed, impatient().run_time_max(50ms));
    EXPECT_TRUE(mentions(found, ": did not end within 50 ms")) << found.message();
}

task<> has_another_suspension_each_time(int& runs) {
    for (int left = ++runs; left > 0; --left)
        co_await yield();
}

TEST(dropping_everywhere, ends_after_so_many_runs) {
    const test::time_bound bound;
    int runs = 0;
    const auto found =
        drop_everywhere([&runs] { return has_another_suspension_each_time(runs); }, impatient().runs_max(10));
    EXPECT_EQ(runs, 10);
    EXPECT_EQ(found.findings(), std::vector<std::string>{"not through after 10 runs"});
}

TEST(dropping_everywhere, calls_the_hook_before_each_run) {
    const test::time_bound bound;
    std::size_t calls = 0;
    const auto found = drop_everywhere(&test::sleeps, drop_options().between([&calls] { ++calls; }));
    EXPECT_TRUE(found) << found.message();
    EXPECT_EQ(calls, found.runs());
}

}  // namespace
}  // namespace eddy::drop_everywhere_test
