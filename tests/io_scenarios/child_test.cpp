// Children: started, spoken with, waited for, dropped.

#include "support/scenario_suite.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/os/command.hpp>

#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <span>
#include <string_view>
#include <sys/wait.h>
#include <system_error>
#include <utility>

namespace eddy::test::child_test {
namespace {

/// After each run: no child is left, be it alive or a zombie.
void expect_no_child() {
    tracked::expect_none();
    siginfo_t found{};
    EXPECT_LT(::waitid(P_ALL, 0, &found, WEXITED | WNOHANG | WNOWAIT), 0) << "a child was left behind";
}

testing::scenario_options without_children() {
    return suite_options().between(&expect_no_child);
}

task<> waits_for_a_short_one() {
    auto started = co_await command("true").start();
    const exit_status status = co_await started.wait();
    require(status.is_success(), "true has failed");
}

task<> speaks_with_one() {
    auto started = co_await command("cat").input(child_stream::pipe()).output(child_stream::pipe()).start();
    co_await started.input().write_all(as_bytes("abc"));
    started.input().close();
    std::array<std::byte, 10> out{};
    const std::size_t count = co_await started.output().read(out);
    require(as_text(std::span(out).first(count)) == "abc", "another text");
    const exit_status status = co_await started.wait();
    require(status.is_success(), "cat has failed");
}

task<> terminates_one() {
    auto started = co_await command("sleep").argument("1000").start();
    const auto late = co_await as_result(with_timeout(started.wait(), std::chrono::milliseconds(1)));
    if (!late && late.error() == std::errc::not_enough_memory)
        throw std::system_error(late.error());
    require(!late.has_value(), "it was to sleep for longer");
    started.terminate();
    const exit_status status = co_await started.wait();
    require(status.signal() == SIGTERM, "another end");
}

task<> drops_one_that_has_some_time() {
    auto started = co_await command("sleep").argument("1000").grace(std::chrono::seconds(5)).start();
}

task<> goes_on_after_it_has_dropped_one() {
    co_await drops_one_that_has_some_time();
    co_await yield();
    co_await yield();
}

task<> wait_for(child& awaited) {
    const exit_status status = co_await awaited.wait();
    require(status.is_success(), "it has failed");
}

task<> joins_two() {
    auto first = co_await command("echo").argument("abc").output(child_stream::pipe()).start();
    auto second = co_await command("cat")
                      .input(child_stream::pipe_end(std::move(first.output())))
                      .output(child_stream::pipe())
                      .start();
    std::array<std::byte, 10> out{};
    const std::size_t count = co_await second.output().read(out);
    require(as_text(std::span(out).first(count)) == "abc\n", "another text");
    co_await when_all(wait_for(first), wait_for(second));
}

task<> fails_to_start_one() {
    const auto failed = co_await as_result(command("/no/such/program").output(child_stream::pipe()).start());
    require_error(failed, std::errc::no_such_file_or_directory, "nothing was started");
}

const scenario_suite listed({
    {"a_child_that_is_waited_for", &waits_for_a_short_one, without_children()},
    {"a_child_that_is_spoken_with", &speaks_with_one, without_children()},
    {"a_child_that_is_terminated", &terminates_one, without_children()},
    {"a_child_that_is_dropped", &drops_one_that_has_some_time, without_children()},
    {"a_child_that_is_dropped_and_outlived", &goes_on_after_it_has_dropped_one, without_children()},
    {"two_children_joined_by_a_pipe", &joins_two, without_children()},
    {"a_child_that_cannot_be_started", &fails_to_start_one, without_children()},
});

}  // namespace
}  // namespace eddy::test::child_test
