// What another library's awaitables may do to a task that awaits them.

#include "support/counted_object.hpp"
#include "support/manual_loop.hpp"
#include "support/run_bounded.hpp"
#include "support/small_stack.hpp"
#include "support/turns.hpp"

#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <coroutine>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>

namespace eddy::foreign_awaitable_test {
namespace {

/// Resumes from a thread of its own, which its destructor joins. With a `hold`, once that is set.
class from_another_thread {
public:
    explicit from_another_thread(std::atomic<bool>* hold = nullptr) noexcept : hold_(hold) {}
    from_another_thread(from_another_thread&&) noexcept = default;
    from_another_thread& operator=(from_another_thread&&) = delete;
    ~from_another_thread() {
        if (thread_.joinable())
            thread_.join();
    }

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> point) {
        thread_ = std::thread([point, hold = hold_] {
            if (hold != nullptr)
                hold->wait(false);
            point.resume();
        });
    }
    std::thread::id await_resume() const noexcept { return thread_.get_id(); }

private:
    std::atomic<bool>* hold_;
    std::thread thread_;
};

/// The same, but it cannot be moved, and its destructor lets the thread resume before it joins it.
class immovable_from_another_thread {
public:
    explicit immovable_from_another_thread(std::atomic<bool>& hold) noexcept : hold_(hold) {}
    immovable_from_another_thread(const immovable_from_another_thread&) = delete;
    immovable_from_another_thread& operator=(const immovable_from_another_thread&) = delete;
    ~immovable_from_another_thread() {
        hold_ = true;
        hold_.notify_one();
        if (thread_.joinable())
            thread_.join();
    }

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> point) {
        thread_ = std::thread([this, point] {
            hold_.wait(false);
            point.resume();
        });
    }
    int await_resume() const noexcept { return 5; }

private:
    std::atomic<bool>& hold_;
    std::thread thread_;
};

void open(std::atomic<bool>& hold) noexcept {
    hold = true;
    hold.notify_one();
}

TEST(a_foreign_awaitable, that_resumes_from_another_thread_brings_the_task_back_to_its_worker) {
    const auto work = []() -> task<> {
        const std::thread::id home = std::this_thread::get_id();
        for (int at = 0; at < 100; ++at) {
            const std::thread::id elsewhere = co_await from_another_thread();
            EXPECT_NE(elsewhere, home);
            EXPECT_EQ(std::this_thread::get_id(), home);
        }
    };
    test::run_bounded(work());
}

TEST(a_foreign_awaitable, that_is_dropped_before_it_resumes_has_no_effect_any_more) {
    const auto waits = [](std::atomic<bool>& hold, test::counted_object) -> task<> {
        co_await from_another_thread(&hold);
        ADD_FAILURE() << "went on after it was dropped";
    };
    const auto main = [](auto make, std::atomic<bool>& hold, std::atomic<int>& living) -> task<> {
        auto dropped = spawn(make(hold, test::counted_object(living)));
        co_await yield();
        EXPECT_EQ(living, 1);
        // The destructor of the awaiter waits for the thread, so somebody else must let that go on.
        std::thread opener([&hold] { open(hold); });
        dropped.cancel();
        opener.join();
        EXPECT_EQ(living, 0);
        co_await test::turns(2);
    };
    for (int round = 0; round < 50; ++round) {
        std::atomic<bool> hold = false;
        std::atomic<int> living = 0;
        test::run_bounded(main(waits, hold, living));
    }
}

TEST(a_foreign_awaitable, that_cannot_be_moved_may_resume_in_its_destructor) {
    const auto waits = [](std::atomic<bool>& hold, test::counted_object) -> task<> {
        co_await immovable_from_another_thread(hold);
        ADD_FAILURE() << "went on after it was dropped";
    };
    const auto main = [](auto make, std::atomic<int>& living) -> task<> {
        const auto before = detail::frame_cache::live_blocks();
        std::atomic<bool> hold = false;
        {
            auto dropped = spawn(make(hold, test::counted_object(living)));
            co_await yield();
        }
        EXPECT_EQ(living, 0);
        co_await test::turns(2);
        EXPECT_EQ(detail::frame_cache::live_blocks(), before) << "what outlived the task is freed later";
    };
    std::atomic<int> living = 0;
    test::run_bounded(main(waits, living));
}

TEST(a_foreign_awaitable, that_is_an_lvalue_may_resume_in_its_destructor) {
    const auto waits = [](std::atomic<bool>& hold) -> task<> {
        immovable_from_another_thread named(hold);
        co_await named;
        ADD_FAILURE() << "went on after it was dropped";
    };
    const auto main = [](auto make) -> task<> {
        std::atomic<bool> hold = false;
        {
            auto dropped = spawn(make(hold));
            co_await yield();
        }
        co_await test::turns(2);
    };
    test::run_bounded(main(waits));
}

TEST(a_foreign_awaitable, that_is_dropped_at_the_end_of_the_runtime_may_resume_in_its_destructor) {
    const auto waits = [](std::atomic<bool>& hold, test::counted_object) -> task<> {
        co_await immovable_from_another_thread(hold);
    };
    const auto main = [](auto make, std::atomic<bool>& hold, std::atomic<int>& living) -> task<> {
        spawn(make(hold, test::counted_object(living))).detach();
        co_await yield();
    };
    std::atomic<bool> hold = false;
    std::atomic<int> living = 0;
    test::run_bounded(main(waits, hold, living));
    EXPECT_EQ(living, 0);
}

/// Resumes from a thread of its own, and says when it has done so.
class resumed_by_now {
public:
    explicit resumed_by_now(std::atomic<bool>& has_resumed) noexcept : has_resumed_(&has_resumed) {}
    resumed_by_now(resumed_by_now&&) noexcept = default;
    resumed_by_now& operator=(resumed_by_now&&) = delete;
    ~resumed_by_now() {
        if (thread_.joinable())
            thread_.join();
    }
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> point) {
        thread_ = std::thread([point, reported = has_resumed_] {
            point.resume();
            open(*reported);
        });
    }
    void await_resume() const noexcept {}

private:
    std::atomic<bool>* has_resumed_;
    std::thread thread_;
};

TEST(a_foreign_awaitable, that_is_dropped_while_its_resumption_is_on_the_way_is_resumed_no_more) {
    const auto waits = [](std::atomic<bool>& has_resumed, test::counted_object) -> task<> {
        co_await resumed_by_now(has_resumed);
        ADD_FAILURE() << "went on after it was dropped";
    };
    const auto main = [](auto make, std::atomic<int>& living) -> task<> {
        // All of this happens in one turn, which takes the inbox only at its end.
        const auto before = detail::frame_cache::live_blocks();
        std::atomic<bool> has_resumed = false;
        auto dropped = spawn(make(has_resumed, test::counted_object(living)));
        co_await yield();
        has_resumed.wait(false);
        dropped.cancel();
        EXPECT_EQ(living, 0);
        co_await test::turns(2);
        dropped = handle<>();
        EXPECT_EQ(detail::frame_cache::live_blocks(), before) << "the message has freed the resumption";
    };
    std::atomic<int> living = 0;
    test::run_bounded(main(waits, living));
}

TEST(a_foreign_awaitable, whose_resumption_is_on_the_way_when_the_runtime_ends_leaves_nothing) {
    const auto waits = [](std::atomic<bool>& has_resumed, test::counted_object) -> task<> {
        co_await resumed_by_now(has_resumed);
    };
    const auto main = [](auto make, std::atomic<bool>& has_resumed, std::atomic<int>& living) -> task<> {
        spawn(make(has_resumed, test::counted_object(living))).detach();
        co_await yield();
        has_resumed.wait(false);
    };
    std::atomic<bool> has_resumed = false;
    std::atomic<int> living = 0;
    test::run_bounded(main(waits, has_resumed, living));
    EXPECT_EQ(living, 0);
}

/// Says whether it suspends; if it does, it has resumed already.
class perhaps {
public:
    explicit perhaps(bool suspends) noexcept : suspends_(suspends) {}
    bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<> point) const {
        if (suspends_)
            point.resume();
        return suspends_;
    }
    bool await_resume() const noexcept { return suspends_; }

private:
    bool suspends_;
};

template <class T>
T result_of(task<T> work) {
    test::manual_loop loop;
    auto running = spawn(std::move(work));
    loop.run();
    return running.get();
}

TEST(a_foreign_awaitable, may_say_that_it_does_not_suspend) {
    const auto work = []() -> task<> {
        const auto before = detail::frame_cache::live_blocks();
        const bool at_once = co_await perhaps(false);
        EXPECT_FALSE(at_once);
        const bool later = co_await perhaps(true);
        EXPECT_TRUE(later);
        const perhaps named(false);
        co_await named;
        EXPECT_EQ(detail::frame_cache::live_blocks(), before);
    };
    result_of(work());
}

TEST(a_foreign_awaitable, that_does_not_suspend_leaves_the_turn_to_the_task) {
    const auto other = [](int& ran) -> task<> {
        ++ran;
        co_return;
    };
    const auto work = [](auto make) -> task<> {
        int ran = 0;
        auto running = spawn(make(ran));
        co_await perhaps(false);
        EXPECT_EQ(ran, 0);
        co_await perhaps(true);
        EXPECT_EQ(ran, 1);
    };
    result_of(work(other));
}

struct with_member_operator {
    explicit with_member_operator(bool suspends) noexcept : suspends_(suspends) {}
    perhaps operator co_await() const noexcept { return perhaps(suspends_); }
    bool suspends_;
};
struct with_free_operator {
    explicit with_free_operator(bool suspends) noexcept : suspends_(suspends) {}
    bool suspends_;
};
perhaps operator co_await(const with_free_operator& awaited) noexcept {
    return perhaps(awaited.suspends_);
}

TEST(a_foreign_awaitable, may_have_an_operator) {
    const auto work = []() -> task<> {
        const bool member = co_await with_member_operator(true);
        EXPECT_TRUE(member);
        const bool free = co_await with_free_operator(true);
        EXPECT_TRUE(free);
        const with_free_operator named(false);
        const bool lvalue = co_await named;
        EXPECT_FALSE(lvalue);
    };
    result_of(work());
}

/// Can be moved itself, but gives a reference to an awaiter that cannot.
class refers_to_its_awaiter {
public:
    class awaiter {
    public:
        awaiter() noexcept = default;
        awaiter(const awaiter&) = delete;
        awaiter& operator=(const awaiter&) = delete;
        ~awaiter() = default;
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> point) const { point.resume(); }
        int await_resume() const noexcept { return 9; }
    };

    refers_to_its_awaiter() : awaiter_(std::make_unique<awaiter>()) {}
    awaiter&& operator co_await() && noexcept { return std::move(*awaiter_); }

private:
    std::unique_ptr<awaiter> awaiter_;
};

TEST(a_foreign_awaitable, may_refer_to_an_awaiter_that_cannot_be_moved) {
    const auto work = []() -> task<int> { co_return co_await refers_to_its_awaiter(); };
    EXPECT_EQ(result_of(work()), 9);
}

/// Hands control on to a coroutine: back to the one that awaits it, here.
struct transfers_back {
    transfers_back() noexcept {}
    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> point) const noexcept { return point; }
    int await_resume() const noexcept { return 1; }
};

struct fails_to_suspend {
    fails_to_suspend() noexcept {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<>) const { throw std::runtime_error("no thread"); }
    void await_resume() const noexcept {}
};

TEST(a_foreign_awaitable, may_fail_to_suspend) {
    const auto work = []() -> task<bool> {
        try {
            co_await fails_to_suspend();
        } catch (const std::runtime_error&) {
            co_return true;
        }
        co_return false;
    };
    const auto before = detail::frame_cache::live_blocks();
    EXPECT_TRUE(test::run_bounded(work()));
    EXPECT_EQ(detail::frame_cache::live_blocks(), before);
}

task<std::uint64_t> await_many(std::uint64_t times) {
    std::uint64_t sum = 0;
    for (std::uint64_t at = 0; at < times; at += 5) {
        sum += co_await transfers_back();
        const bool suspended = co_await perhaps(true);
        const bool stayed = co_await perhaps(false);
        sum += suspended ? 1 : 0;
        sum += stayed ? 0 : 1;
        sum += co_await transfers_back();
        sum += co_await transfers_back();
    }
    co_return sum;
}

TEST(a_foreign_awaitable, that_is_awaited_a_million_times_does_not_grow_the_stack) {
    test::on_small_stack(256 * 1024, [] {
        constexpr std::uint64_t times = 1'000'000;
        EXPECT_EQ(result_of(await_many(times)), times);
    });
}

}  // namespace
}  // namespace eddy::foreign_awaitable_test
