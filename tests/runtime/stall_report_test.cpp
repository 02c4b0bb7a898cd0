#include "support/longest_gap.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/detail/build.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/stall_report.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace eddy::stall_report_test {

// Not in the unnamed namespace: an optimiser may give those other names.
using report_count = std::atomic<int>;

/// Holds its thread until so many reports have come, for half a minute at most. Looks at the clock now and
/// then only: on the way into a function of another library, between two instructions that no unwinder knows
/// of, a stack has no more than that place.
[[gnu::noinline]] bool spin_until_told(const report_count& count, int wanted) {
    const time_point end = clock::now() + std::chrono::seconds(30);
    constexpr int looks_between = 100'000;
    do {
        for (int looks = 0; looks < looks_between; ++looks)
            if (count.load() >= wanted)
                return true;
    } while (clock::now() < end);
    return false;
}

task<> a_coroutine_that_spins(const report_count& count, int wanted) {
    EXPECT_TRUE(spin_until_told(count, wanted)) << "not reported";
    co_return;
}

namespace {

using namespace std::chrono_literals;
using test::run_bounded;

/// What was told, and how often of each worker.
class reports {
public:
    [[nodiscard]] stall_handler handler() {
        return [this](const stall_report& report) {
            {
                const std::lock_guard guard(mutex_);
                reported_.push_back(report);
            }
            count_of(report.worker).fetch_add(1);
        };
    }
    [[nodiscard]] report_count& count_of(std::size_t worker) { return counts_[worker]; }
    [[nodiscard]] std::vector<stall_report> all() {
        const std::lock_guard guard(mutex_);
        return reported_;
    }

private:
    std::mutex mutex_;
    std::vector<stall_report> reported_;
    std::array<report_count, 4> counts_{};
};

bool names(const stall_report& report, const std::string& function) {
    return std::ranges::any_of(report.backtrace, [&](const std::string& place) {
        return place.find(function) != std::string::npos;
    });
}

runtime_options watched_by(reports& kept, duration threshold, std::size_t workers = 1) {
    return runtime_options().workers(workers).stall_threshold(threshold).on_stall(kept.handler());
}

TEST(stall_report, names_the_task_and_what_it_is_at) {
    reports kept;
    const auto main = [](reports& reported) -> task<> {
        auto spinning = spawn(a_coroutine_that_spins(reported.count_of(0), 1), "spinning");
        co_await spinning;
    };
    run_bounded(main(kept), watched_by(kept, 20ms));
    ASSERT_GE(kept.all().size(), 1U);
    const stall_report report = kept.all().front();
    EXPECT_EQ(report.worker, 0U);
    EXPECT_EQ(report.task, "spinning");
    EXPECT_NE(std::string_view(report.spawned.file_name()).find("stall_report_test.cpp"),
              std::string_view::npos);
    EXPECT_NE(report.spawned.line(), 0U);
    EXPECT_GE(report.lasted, 20ms);
    EXPECT_TRUE(names(report, "spin_until_told(")) << to_string(report);
    EXPECT_TRUE(names(report, "a_coroutine_that_spins(")) << to_string(report);
    EXPECT_TRUE(names(report, "resume_loop::run")) << to_string(report);
    if (EDDY_SANITIZED == 0) {
        EXPECT_EQ(report.backtrace.front().find("stack_probe"), std::string::npos)
            << "the signal's handler is no part of the task: " << to_string(report);
    }
}

TEST(stall_report, tells_once_of_each_stretch_and_of_the_right_worker) {
    reports kept;
    const auto main = [](reports& reported) -> task<> {
        // Three stretches of this worker's, while one of the other's lasts: there are many looks at that.
        auto long_one =
            runtime::current().spawn_on(1, a_coroutine_that_spins(reported.count_of(0), 3), "long one");
        EXPECT_TRUE(spin_until_told(reported.count_of(1), 1));
        for (int wanted = 1; wanted <= 3; ++wanted) {
            co_await test::turns(1);
            EXPECT_TRUE(spin_until_told(reported.count_of(0), wanted));
        }
        co_await long_one;
    };
    run_bounded(main(kept), watched_by(kept, 20ms, 2));
    const auto all = kept.all();
    EXPECT_EQ(std::ranges::count(all, "long one", &stall_report::task), 1);
    for (const stall_report& report : all) {
        EXPECT_EQ(report.worker, report.task == "long one" ? 1U : 0U);
        EXPECT_TRUE(names(report, "spin_until_told(")) << to_string(report);
    }
}

/// Keeps its worker busy for that long, without holding it. Returns how long the machine has held it at most.
task<duration> runs_in_short_steps(duration length) {
    test::longest_gap gap;
    const time_point end = clock::now() + length;
    while (clock::now() < end) {
        co_await yield();
        gap.look();
    }
    co_return gap.longest();
}

TEST(stall_report, says_nothing_of_many_short_steps_nor_of_a_worker_that_sleeps) {
    const auto main = []() -> task<duration> {
        const duration held = co_await runs_in_short_steps(800ms);
        co_await sleep_for(500ms);
        co_return held;
    };
    // A busy machine may hold the thread, of which it is right to tell.
    duration held = 1h;
    while (held > 100ms) {
        reports kept;
        held = run_bounded(main(), watched_by(kept, 300ms, 2));
        for (const stall_report& report : kept.all())
            if (held <= 100ms)
                ADD_FAILURE() << to_string(report);
    }
}

TEST(stall_report, is_not_made_unless_it_was_asked_for) {
    reports kept;
    EXPECT_EQ(runtime_options().stall_threshold(), duration::zero());
    const auto main = []() -> task<> {
        const time_point end = clock::now() + 50ms;
        while (clock::now() < end)
            continue;
        co_return;
    };
    run_bounded(main(), runtime_options().workers(2).on_stall(kept.handler()));
    EXPECT_TRUE(kept.all().empty());
}

TEST(stall_report, is_printed_to_standard_error_if_nobody_handles_it) {
    ::testing::internal::CaptureStderr();
    const auto main = []() -> task<> {
        const time_point end = clock::now() + 30s;
        struct stat printed{};
        while (::fstat(STDERR_FILENO, &printed) == 0 && printed.st_size == 0 && clock::now() < end)
            continue;
        co_return;
    };
    run_bounded(main(), runtime_options().workers(1).stall_threshold(10ms));
    const std::string text = ::testing::internal::GetCapturedStderr();
    EXPECT_NE(text.find("eddy: worker 0 has been held for "), std::string::npos) << text;
    EXPECT_NE(text.find(" ms by task main\n  at "), std::string::npos) << text;
}

/// Holds its worker in a system call that a thread ends once the report has come.
task<> reads_while_it_is_told_of(report_count& count) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    std::thread writer([&count, to = ends[1]] {
        EXPECT_TRUE(spin_until_told(count, 1));
        EXPECT_EQ(::write(to, "x", 1), 1);
    });
    char byte = 0;
    EXPECT_EQ(::read(ends[0], &byte, 1), 1) << "the interrupted call was not restarted";
    writer.join();
    ::close(ends[0]);
    ::close(ends[1]);
    co_return;
}

TEST(stall_report, lets_a_blocking_system_call_go_on) {
    reports kept;
    run_bounded(reads_while_it_is_told_of(kept.count_of(0)), watched_by(kept, 10ms));
    ASSERT_GE(kept.all().size(), 1U);
    EXPECT_TRUE(names(kept.all().front(), "read")) << to_string(kept.all().front());
}

task<> spins_with_all_signals_blocked(report_count& count) {
    sigset_t every;
    sigset_t before;
    ::sigfillset(&every);
    ::pthread_sigmask(SIG_SETMASK, &every, &before);
    EXPECT_TRUE(spin_until_told(count, 1));
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    // The signal that comes now, too late, finds nothing to do. There may be another report.
    co_await test::turns(1);
    EXPECT_TRUE(spin_until_told(count, 2));
}

TEST(stall_report, has_no_backtrace_of_a_thread_that_takes_no_signals) {
    reports kept;
    run_bounded(spins_with_all_signals_blocked(kept.count_of(0)), watched_by(kept, 10ms));
    ASSERT_EQ(kept.all().size(), 2U);
    EXPECT_TRUE(kept.all()[0].backtrace.empty());
    EXPECT_TRUE(names(kept.all()[1], "spin_until_told(")) << to_string(kept.all()[1]);
}

bool blocks(int number) {
    sigset_t now;
    ::pthread_sigmask(SIG_BLOCK, nullptr, &now);
    return ::sigismember(&now, number) == 1;
}

TEST(stall_report, leaves_the_thread_that_makes_runtimes_with_the_signals_it_had) {
    sigset_t every;
    sigset_t before;
    ::sigfillset(&every);
    ::pthread_sigmask(SIG_SETMASK, &every, &before);
    reports kept;
    {
        // Two at a time, which end in the order in which they were made.
        auto one = std::make_unique<runtime>(watched_by(kept, 10ms));
        auto other = std::make_unique<runtime>(watched_by(kept, 10ms));
        one.reset();
        other->run(a_coroutine_that_spins(kept.count_of(0), 1));
    }
    for (int number = SIGRTMIN; number <= SIGRTMAX; ++number)
        EXPECT_TRUE(blocks(number)) << number;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    ASSERT_GE(kept.all().size(), 1U);
    EXPECT_FALSE(kept.all().front().backtrace.empty());
}

task<> spins_for(duration length) {
    const time_point end = clock::now() + length;
    while (clock::now() < end)
        continue;
    co_return;
}

TEST(stall_report, may_be_under_way_when_its_worker_ends) {
    const test::time_bound bound;
    for (int time = 0; time < 40; ++time) {
        reports kept;
        const auto main = [](int length) -> task<> {
            for (std::size_t worker = 0; worker < 3; ++worker)
                runtime::current().spawn_on(worker, spins_for(length * 300us)).detach();
            co_await spins_for(2ms);
        };
        runtime(watched_by(kept, 1ms, 3)).run(main(time % 10));
    }
}

}  // namespace
}  // namespace eddy::stall_report_test
