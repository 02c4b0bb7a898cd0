// Whatever a runtime, a task set or a stream is told, work ends; what has no limit succeeds.

#include "support/extremes.hpp"
#include "support/run_bounded.hpp"

#include <eddy/combine/task_set.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/stream/buffered_reader.hpp>
#include <eddy/stream/duplex.hpp>
#include <eddy/stream/idle_timeout.hpp>
#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace eddy::runtime_options_test {
namespace {

using test::extremes;
using test::run_bounded;
using test::variations;

task<int> work() {
    task_set set;
    for (int made = 0; made < 3; ++made)
        set.spawn([]() -> task<> { co_await yield(); }());
    co_await set.join();
    co_await sleep_for(duration(1));
    co_return co_await offload([](int number) { return number + 1; }, 6);
}

TEST(a_runtime_with_extreme_options, works_or_says_why_not) {
    const auto all =
        variations(runtime_options().workers(1))
            .of<std::size_t>("workers", &runtime_options::workers)
            .of<std::size_t>("offload_threads", &runtime_options::offload_threads)
            .of<std::size_t>("offload_long_threads_max", &runtime_options::offload_long_threads_max)
            .of<std::size_t>("offload_queue_max", &runtime_options::offload_queue_max)
            .of<std::size_t>("turn_budget", &runtime_options::turn_budget)
            .of<duration>("spin_max", &runtime_options::spin_max)
            .of<std::uint64_t>("shuffle_seed", &runtime_options::shuffle_seed)
            .of<duration>("stall_threshold", &runtime_options::stall_threshold)
            .all();
    for (const auto& each : all) {
        runtime_options options = each.options;
        options.on_stall([](const stall_report&) {});
        try {
            EXPECT_EQ(run_bounded(work(), options), 7) << each.name;
        } catch (const std::invalid_argument& refused) {
            EXPECT_TRUE(each.name.starts_with("workers") && each.is_max) << refused.what();
        }
    }
}

TEST(a_task_set_with_an_extreme_limit, runs_its_tasks) {
    for (const std::size_t most : {std::size_t{1}, SIZE_MAX})
        run_bounded([](std::size_t tasks) -> task<> {
            task_set set(task_set_options().tasks_max(tasks));
            int ended = 0;
            for (int made = 0; made < 3; ++made)
                co_await set.spawn_when_free([](int& count) -> task<> {
                    co_await yield();
                    ++count;
                }(ended));
            co_await set.join();
            EXPECT_EQ(ended, 3);
        }(most));
}

TEST(a_timeout_of_an_extreme_length, is_none_or_is_over_at_once) {
    for (const duration length : extremes<duration>())
        run_bounded([](duration time) -> task<> {
            event<> never;
            if (time != duration::max()) {
                const auto waited = co_await as_result(with_timeout(never.wait(), time));
                EXPECT_EQ(waited.error(), std::errc::timed_out);
                co_await sleep_for(time);
            }
            co_await with_timeout([]() -> task<> { co_await yield(); }(),
                                  time > duration(1) ? time : duration::max());
            auto [here, there] = duplex(100);
            auto limited = idle_timeout(std::move(here), time);
            std::byte byte{};
            co_await there.write_all(std::span(&byte, 1));
            const auto read = co_await as_result(limited.read(std::span(&byte, 1)));
            EXPECT_TRUE(read || (time != duration::max() && read.error() == std::errc::timed_out));
        }(length));
}

task<std::string> read_with(std::size_t capacity, std::size_t size_max) {
    auto [here, there] = duplex(1000);
    co_await there.write_all(std::as_bytes(std::span("line\nrest", 9)));
    co_await there.shutdown();
    buffered_reader reader(std::move(here), capacity);
    std::string all;
    try {
        if (const auto line = co_await reader.read_line(size_max))
            all += *line;
        const auto some = co_await reader.read_some(size_max);
        all += "," + std::string(as_text(some));
        const auto rest = co_await reader.read_to_end(size_max);
        all += as_text(rest);
    } catch (const std::system_error& error) {
        all += "!";
    }
    co_return all;
}

TEST(a_reader_with_extreme_sizes, comes_to_an_end) {
    for (const std::size_t capacity : {std::size_t{1}, std::size_t{2}, std::size_t{1} << 20}) {
        EXPECT_EQ(run_bounded(read_with(capacity, SIZE_MAX)), "line,rest");
        EXPECT_EQ(run_bounded(read_with(capacity, 0)), "!");
        EXPECT_EQ(run_bounded(read_with(capacity, 1)), "!");
    }
}

}  // namespace
}  // namespace eddy::runtime_options_test
