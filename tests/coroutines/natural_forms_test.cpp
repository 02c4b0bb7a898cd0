// What one naturally writes inside a co_await expression with the library's interface: each temporary, be it
// an argument of a task, a lambda, options or a range, dies once, whether the await comes to its end or is
// dropped, with g++ 12 as well.

#include "coroutines/living_count.hpp"
#include "support/run_bounded.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/race_ok.hpp>
#include <eddy/combine/shield.hpp>
#include <eddy/combine/task_set.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/combine/when_all_settled.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/async_generator.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/stop_scope.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/repeat.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace eddy::natural_forms_test {
namespace {

using namespace std::chrono_literals;
using test::counted;

/// Waits a little, so that there is a moment at which it can be dropped.
task<> use(counted) {
    co_await yield();
    co_await yield();
}

task<std::string> give(counted, std::string text) {
    co_await yield();
    co_await yield();
    co_return text;
}

/// Longer than what a string keeps inside itself, so that the sanitizers see what is freed twice.
std::string text() {
    return "a text that does not fit into the string itself";
}

std::vector<task<std::string>> several(int& living) {
    std::vector<task<std::string>> made;
    for (int number = 0; number < 3; ++number)
        made.push_back(give(counted(living), text()));
    return made;
}

/// Runs `form(living)`, a task, to its end, and drops it while it waits: none is left of either.
template <class Form>
task<> check(Form form) {
    int living = 0;
    co_await form(living);
    EXPECT_EQ(living, 0) << "after the end";

    auto dropped = spawn(form(living));
    co_await yield();
    co_await yield();
    EXPECT_GT(living, 0) << "it was not dropped while it waited";
    EXPECT_FALSE(dropped.done());
    dropped.cancel();
    EXPECT_EQ(living, 0) << "after the drop";
}

template <class Form>
void dies_once(Form form) {
    test::run_bounded(check(form), runtime_options().workers(1));
}

TEST(an_await_of_when_all, lets_each_temporary_die_once) {
    dies_once([](int& living) -> task<> {
        const auto both = co_await when_all(use(counted(living)), give(counted(living), text()));
        EXPECT_EQ(std::get<1>(both), text());
    });
}

TEST(an_await_of_when_all, lets_each_temporary_of_a_range_die_once) {
    dies_once([](int& living) -> task<> {
        for (const std::string& each : co_await when_all(several(living)))
            EXPECT_EQ(each, text());
    });
}

TEST(an_await_of_when_all, lets_each_handle_and_lambda_die_once) {
    dies_once([](int& living) -> task<> {
        // What is offloaded may outlive who awaits it.
        co_await when_all(spawn(use(counted(living)), "spawned"), offload([] { return text(); }),
                          sleep_for(1ms), use(counted(living)));
    });
}

TEST(an_await_of_when_all_settled, lets_each_temporary_die_once) {
    dies_once([](int& living) -> task<> {
        const auto all = co_await when_all_settled(several(living));
        EXPECT_EQ(all.front().value(), text());
        const auto both = co_await when_all_settled(give(counted(living), text()), use(counted(living)));
        EXPECT_EQ(std::get<0>(both).value(), text());
    });
}

TEST(an_await_of_race, lets_each_temporary_die_once) {
    dies_once([](int& living) -> task<> {
        const auto first = co_await race(give(counted(living), text()), sleep_for(1h));
        EXPECT_EQ(std::get<0>(first), text());
        const auto of_equals = co_await race(several(living));
        EXPECT_EQ(of_equals.value, text());
    });
}

TEST(an_await_of_race_ok, lets_each_temporary_die_once) {
    dies_once([](int& living) -> task<> {
        const auto first = co_await race_ok(give(counted(living), text()), sleep_for(1h));
        EXPECT_EQ(std::get<0>(first), text());
        const auto of_equals = co_await race_ok(several(living));
        EXPECT_EQ(of_equals.value, text());
    });
}

TEST(an_await_with_a_timeout, lets_each_temporary_die_once) {
    dies_once([](int& living) -> task<> {
        EXPECT_FALSE((co_await with_timeout(give(counted(living), text()), 1h)).empty());
        co_await with_timeout(when_all(use(counted(living)), use(counted(living))), 1h);
        co_await with_timeout(sleep_for(1ms), 1h);
    });
}

TEST(an_await_as_a_result, lets_each_temporary_die_once) {
    dies_once([](int& living) -> task<> {
        const auto given = co_await as_result(with_timeout(give(counted(living), text()), 1h));
        EXPECT_EQ(given.value(), text());
        EXPECT_EQ((co_await as_result(give(counted(living), text()))).value_or(std::string()), text());
    });
}

TEST(an_await_of_a_handle, lets_each_temporary_die_once) {
    dies_once([](int& living) -> task<> {
        co_await spawn(use(counted(living)), "spawned");
        EXPECT_EQ(co_await spawn(give(counted(living), text())), text());
    });
}

TEST(an_await_of_a_place_in_a_set, lets_each_temporary_die_once) {
    dies_once([](int& living) -> task<> {
        task_set tasks(task_set_options().tasks_max(1));
        co_await tasks.spawn_when_free(use(counted(living)), "first");
        co_await tasks.spawn_when_free(use(counted(living)), "second");
        co_await tasks.join();
    });
}

TEST(an_await_within_a_stop_scope, lets_each_temporary_die_once) {
    dies_once([](int& living) -> task<> {
        const std::string given = co_await stop_scope().run(give(counted(living), text()));
        EXPECT_EQ(given, text());
    });
}

TEST(an_await_of_a_shield, lets_each_temporary_die_once) {
    dies_once([](int& living) -> task<> {
        const std::string given = co_await shield(give(counted(living), text()));
        EXPECT_EQ(given, text());
    });
}

TEST(an_await_of_repeat, lets_options_and_a_lambda_that_refers_die_once) {
    dies_once([](int& living) -> task<> {
        const counted local(living);
        int calls = 0;
        co_await repeat(1ms, [&calls] { return ++calls < 2; }, ticker_options().at_once(false));
        EXPECT_EQ(calls, 2);
    });
}

TEST(an_await_of_an_async_generator, lets_each_temporary_die_once) {
    dies_once([](int& living) -> task<> {
        const auto give_two = [](counted, std::string word) -> async_generator<std::string> {
            co_await yield();
            co_await yield();
            co_yield word;
            co_yield std::move(word);
        };
        auto words = give_two(counted(living), text());
        while (const auto word = co_await words.next())
            EXPECT_EQ(*word, text());
    });
}

TEST(an_await_of_an_await, lets_each_temporary_die_once) {
    dies_once([](int& living) -> task<> {
        const auto joined = text() + co_await give(counted(living), co_await give(counted(living), text()));
        EXPECT_EQ(joined, text() + text());
    });
}

TEST(an_await_of_offload, lets_arguments_that_it_takes_along_die_once) {
    test::run_bounded([]() -> task<> {
        auto owned = std::make_unique<std::string>(text());
        // [snippet: offload]
        const std::size_t size =
            co_await offload([](std::unique_ptr<std::string> taken,
                                const std::string& other) { return taken->size() + other.size(); },
                             std::move(owned), text());
        // [/snippet]
        EXPECT_EQ(size, 2 * text().size());
    }());
}

TEST(an_await_of_tasks_on_every_worker, lets_each_temporary_die_once) {
    test::run_bounded(
        []() -> task<> {
            const std::string word = text();
            const auto each = co_await when_all(runtime::current().run_on_each(
                [&word](std::size_t) -> task<std::string> { co_return word; }, "each"));
            EXPECT_EQ(each.size(), 2U);
            EXPECT_EQ(each.back(), word);
        }(),
        runtime_options().workers(2));
}

}  // namespace
}  // namespace eddy::natural_forms_test
