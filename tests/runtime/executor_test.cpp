#include "support/counted_object.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/runtime/executor.hpp>
#include <eddy/runtime/offload.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace eddy::executor_test {
namespace {

using test::counted_object;
using test::run_bounded;

runtime_options two_workers() {
    return runtime_options().workers(2);
}

/// What another library may have: one thread that calls functions in their order.
class foreign_thread {
public:
    foreign_thread() : thread_([this] { live(); }) {}
    foreign_thread(const foreign_thread&) = delete;
    foreign_thread& operator=(const foreign_thread&) = delete;
    ~foreign_thread() {
        post({});
        thread_.join();
    }

    void post(std::function<void()> function) {
        {
            const std::lock_guard guard(lock_);
            waiting_.push(std::move(function));
        }
        has_some_.notify_one();
    }
    [[nodiscard]] std::thread::id id() const noexcept { return thread_.get_id(); }

private:
    void live() {
        while (const std::function<void()> next = take())
            next();
    }
    std::function<void()> take() {
        std::unique_lock guard(lock_);
        has_some_.wait(guard, [this] { return !waiting_.empty(); });
        auto next = std::move(waiting_.front());
        waiting_.pop();
        return next;
    }

    std::mutex lock_;
    std::condition_variable has_some_;
    std::queue<std::function<void()>> waiting_;
    std::thread thread_;
};

/// Keeps what it is given until it is told to call it, or destroys it uncalled.
struct keeping_target {
    void post(std::function<void()> function) { kept.push_back(std::move(function)); }
    std::vector<std::function<void()>> kept;
};

std::size_t worker_here() {
    return worker::current().index();
}
task<std::size_t> worker_after_a_turn() {
    co_await test::turns(1);
    co_return worker_here();
}

TEST(an_executor, that_names_no_place_runs_nothing) {
    run_bounded([]() -> task<> {
        const executor none;
        EXPECT_FALSE(none);
        EXPECT_FALSE(none.runs_tasks_of(runtime::current()));
        EXPECT_EQ(none, executor());
        EXPECT_NE(none, executor::this_worker());
#ifdef NDEBUG
        EXPECT_THROW(none.post([] {}), std::system_error);
#endif
        co_return;
    }());
}

TEST(an_executor, equals_another_of_the_same_place_only) {
    run_bounded(
        []() -> task<> {
            runtime& here = runtime::current();
            keeping_target target;
            keeping_target other;
            const std::vector places = {executor::of_worker(here, 0),
                                        executor::of_worker(here, 1),
                                        executor::any_worker(here),
                                        executor::pool(here),
                                        executor::pool(here, work_kind::long_running),
                                        executor::foreign(target),
                                        executor::foreign(other)};
            for (std::size_t one = 0; one < places.size(); ++one)
                for (std::size_t two = 0; two < places.size(); ++two)
                    EXPECT_EQ(places[one] == places[two], one == two) << one << ' ' << two;
            EXPECT_EQ(executor::this_worker(), executor::of_worker(here, 0));
            co_return;
        }(),
        two_workers());
}

TEST(an_executor, calls_functions_and_runs_tasks_on_the_worker_that_it_names) {
    run_bounded(
        []() -> task<> {
            for (std::size_t index = 0; index < 2; ++index) {
                const executor place = executor::of_worker(runtime::current(), index);
                EXPECT_TRUE(place.runs_tasks_of(runtime::current()));
                EXPECT_EQ(co_await on(place, worker_here), index);
                EXPECT_EQ(co_await on(place, worker_after_a_turn), index);
                auto spawned = spawn(place, worker_after_a_turn());
                EXPECT_EQ(co_await spawned, index);
                std::promise<std::size_t> reported;
                auto answer = reported.get_future();
                post(place, [&reported] { reported.set_value(worker_here()); });
                co_await test::turns_until([&answer] {
                    return answer.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
                });
                EXPECT_EQ(answer.get(), index);
            }
        }(),
        two_workers());
}

TEST(an_executor, of_any_worker_calls_functions_and_runs_tasks) {
    run_bounded(
        []() -> task<> {
            const executor place = executor::any_worker(runtime::current());
            EXPECT_LT(co_await on(place, worker_here), 2U);
            EXPECT_LT(co_await on(place, worker_after_a_turn), 2U);
            auto spawned = spawn(place, worker_after_a_turn());
            EXPECT_LT(co_await spawned, 2U);
        }(),
        two_workers());
}

TEST(an_executor, of_the_pool_calls_functions_off_the_workers) {
    run_bounded([]() -> task<> {
        const auto home = std::this_thread::get_id();
        for (const work_kind kind : {work_kind::short_running, work_kind::long_running}) {
            const executor place = executor::pool(runtime::current(), kind);
            const auto there = co_await on(place, std::this_thread::get_id);
            EXPECT_NE(there, home);
            const auto offloaded =
                co_await offload(place, [](std::string text) { return text + "!"; }, std::string("there"));
            EXPECT_EQ(offloaded, "there!");
            std::promise<std::thread::id> reported;
            auto answer = reported.get_future();
            place.post(
                [promise = std::move(reported)]() mutable { promise.set_value(std::this_thread::get_id()); });
            EXPECT_NE(answer.get(), home);
        }
    }());
}

TEST(an_executor, of_another_library_calls_functions_there_and_brings_results_home) {
    foreign_thread target;
    run_bounded([](foreign_thread& other) -> task<> {
        const executor place = executor::foreign(other);
        EXPECT_EQ(co_await on(place, std::this_thread::get_id), other.id());
        const auto owned = co_await on(
            place, [](std::unique_ptr<int> number) { return std::make_unique<int>(*number + 1); },
            std::make_unique<int>(41));
        EXPECT_EQ(*owned, 42);
        co_await on(place, [] {});
    }(target));
}

TEST(an_executor, brings_exceptions_home) {
    foreign_thread target;
    run_bounded([](foreign_thread& other) -> task<> {
        runtime& here = runtime::current();
        for (const executor& place :
             {executor::this_worker(), executor::pool(here), executor::foreign(other)}) {
            std::string said;
            try {
                co_await on(place, [] { throw std::runtime_error("wrong"); });
            } catch (const std::runtime_error& error) {
                said = error.what();
            }
            EXPECT_EQ(said, "wrong");
        }
    }(target));
}

TEST(an_executor, refuses_tasks_where_none_can_run) {
    run_bounded([]() -> task<> {
        keeping_target target;
        for (const executor& place : {executor::pool(runtime::current()), executor::foreign(target)}) {
            EXPECT_FALSE(place.runs_tasks_of(runtime::current()));
            EXPECT_THROW(static_cast<void>(spawn(place, worker_after_a_turn())), std::system_error);
            std::error_code code;
            try {
                static_cast<void>(co_await on(place, worker_after_a_turn));
            } catch (const std::system_error& error) {
                code = error.code();
            }
            EXPECT_EQ(code, std::errc::operation_not_supported);
        }
        EXPECT_TRUE(target.kept.empty());
    }());
}

TEST(an_executor, whose_place_destroys_the_function_uncalled_ends_the_wait_with_an_error) {
    run_bounded([]() -> task<> {
        keeping_target target;
        const auto call = [](executor place) -> task<std::error_code> {
            try {
                co_await on(place, [] {});
            } catch (const std::system_error& error) {
                co_return error.code();
            }
            co_return std::error_code();
        };
        auto calling = spawn(call(executor::foreign(target)));
        co_await test::turns_until([&target] { return !target.kept.empty(); });
        target.kept.clear();
        EXPECT_EQ(co_await calling, std::errc::operation_canceled);
    }());
}

TEST(a_dropped_call_by_an_executor, is_not_made_and_touches_nothing_afterwards) {
    keeping_target target;
    int calls = 0;
    run_bounded([](keeping_target& kept, int& called) -> task<> {
        const auto call = [](executor place, int& counted) -> task<> {
            co_await on(place, [&counted] { ++counted; });
        };
        {
            auto calling = spawn(call(executor::foreign(kept), called));
            co_await test::turns_until([&kept] { return !kept.kept.empty(); });
        }
    }(target, calls));
    // The runtime has ended by now.
    target.kept.front()();
    EXPECT_EQ(calls, 0);
}

TEST(a_dropped_call_by_an_executor, that_has_come_home_leaves_nothing) {
    run_bounded([]() -> task<> {
        keeping_target target;
        std::atomic<int> live = 0;
        const auto call = [](executor place, std::atomic<int>& counted) -> task<> {
            const auto owned =
                co_await on(place, [](counted_object object) { return object; }, counted_object(counted));
            static_cast<void>(owned);
        };
        {
            auto calling = spawn(call(executor::foreign(target), live));
            co_await test::turns_until([&target] { return !target.kept.empty(); });
            target.kept.front()();
            target.kept.clear();
            EXPECT_EQ(live.load(), 1) << "its message is on its way home";
        }
        co_await test::turns(2);
        EXPECT_EQ(live.load(), 0);
    }());
}

}  // namespace
}  // namespace eddy::executor_test
