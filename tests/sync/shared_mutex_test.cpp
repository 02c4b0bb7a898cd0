#include "support/no_allocation.hpp"
#include "support/run_bounded.hpp"
#include "support/runs_in_order.hpp"
#include "support/turns.hpp"
#include "sync/crossing.hpp"
#include "sync/stress.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/sync/shared_mutex.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace eddy::shared_mutex_test {
namespace {

using namespace std::chrono_literals;
using test::run_bounded;

task<> write_and_note(shared_mutex& shared, std::string& order, char name) {
    const auto guard = co_await shared.lock();
    order += name;
    co_await test::turns(2);
    order += name;
}

task<> read_and_note(shared_mutex& shared, std::string& order, char name) {
    const auto guard = co_await shared.lock_shared();
    order += name;
    co_await test::turns(2);
    order += name;
}

bool is_free(shared_mutex& shared) {
    return static_cast<bool>(shared.try_lock());
}

TEST(shared_mutex, lets_readers_in_together_and_writers_alone) {
    const auto main = []() -> task<> {
        shared_mutex shared;
        std::string order;
        auto first = spawn(write_and_note(shared, order, 'A'));
        co_await yield();
        auto second = spawn(write_and_note(shared, order, 'B'));
        co_await yield();
        auto third = spawn(read_and_note(shared, order, 'c'));
        co_await yield();
        auto fourth = spawn(read_and_note(shared, order, 'd'));
        co_await first;
        co_await second;
        co_await third;
        co_await fourth;
        EXPECT_TRUE(order == "AABBcdcd" || !test::runs_in_order()) << order;
        EXPECT_EQ(order.substr(0, 4), "AABB");
        EXPECT_TRUE(is_free(shared));
    };
    run_bounded(main());
}

TEST(shared_mutex, a_reader_waits_behind_a_writer_that_waits) {
    const auto main = []() -> task<> {
        shared_mutex shared;
        std::string order;
        auto reading = shared.try_lock_shared();
        auto with_it = spawn(read_and_note(shared, order, 'a'));
        co_await with_it;
        EXPECT_EQ(order, "aa") << "no task waits yet";
        auto writer = spawn(write_and_note(shared, order, 'B'));
        co_await yield();
        auto reader = spawn(read_and_note(shared, order, 'c'));
        co_await yield();
        auto other_writer = spawn(write_and_note(shared, order, 'D'));
        co_await yield();
        auto last_reader = spawn(read_and_note(shared, order, 'e'));
        co_await test::turns(2);
        EXPECT_FALSE(shared.try_lock_shared()) << "a writer waits";
        EXPECT_EQ(order, "aa");
        reading.unlock();
        co_await last_reader;
        EXPECT_EQ(order, "aaBBccDDee");
        co_await writer;
        co_await reader;
        co_await other_writer;
    };
    run_bounded(main());
}

TEST(shared_mutex, try_lock_goes_in_only_if_that_is_allowed_at_once) {
    shared_mutex shared;
    auto reading = shared.try_lock_shared();
    auto also_reading = shared.try_lock_shared();
    EXPECT_TRUE(reading);
    EXPECT_TRUE(also_reading);
    EXPECT_EQ(reading.mutex(), &shared);
    EXPECT_FALSE(shared.try_lock());
    reading.unlock();
    EXPECT_FALSE(reading);
    EXPECT_FALSE(shared.try_lock());
    also_reading.unlock();
    auto writing = shared.try_lock();
    EXPECT_TRUE(writing);
    EXPECT_FALSE(shared.try_lock());
    EXPECT_FALSE(shared.try_lock_shared());
}

TEST(shared_mutex, a_guard_moves_the_lock_and_releases_it_to_who_will_unlock) {
    shared_mutex shared;
    auto writing = shared.try_lock();
    shared_mutex_guard moved = std::move(writing);
    EXPECT_FALSE(writing);
    moved.release();
    EXPECT_FALSE(is_free(shared));
    shared.unlock();
    auto reading = shared.try_lock_shared();
    EXPECT_EQ(reading.release(), &shared);
    EXPECT_FALSE(is_free(shared));
    shared.unlock_shared();
    EXPECT_TRUE(is_free(shared));
}

TEST(shared_mutex, a_dropped_writer_lets_the_readers_behind_it_in) {
    const auto main = []() -> task<> {
        shared_mutex shared;
        std::string order;
        auto reading = shared.try_lock_shared();
        auto writer = spawn(write_and_note(shared, order, 'A'));
        co_await yield();
        auto first = spawn(read_and_note(shared, order, 'b'));
        co_await yield();
        auto second = spawn(read_and_note(shared, order, 'c'));
        co_await test::turns(2);
        EXPECT_EQ(order, "");
        writer.cancel();
        co_await first;
        co_await second;
        EXPECT_TRUE(order == "bcbc" || !test::runs_in_order()) << order;
        EXPECT_TRUE(reading);
    };
    run_bounded(main());
}

TEST(shared_mutex, a_wait_dropped_after_it_was_given_the_lock_hands_it_on) {
    const auto main = []() -> task<> {
        shared_mutex shared;
        std::string order;
        auto guard = shared.try_lock();
        auto first = spawn(write_and_note(shared, order, 'A'));
        co_await yield();
        auto reader = spawn(read_and_note(shared, order, 'b'));
        co_await yield();
        auto second = spawn(write_and_note(shared, order, 'C'));
        co_await yield();
        guard.unlock();
        EXPECT_FALSE(is_free(shared)) << "it was handed to the first";
        first.cancel();
        EXPECT_FALSE(is_free(shared)) << "and then to the reader";
        reader.cancel();
        co_await second;
        EXPECT_EQ(order, "CC");
        EXPECT_TRUE(is_free(shared));
    };
    run_bounded(main());
}

task<> never_writes(std::shared_ptr<shared_mutex> shared) {
    const auto guard = co_await shared->lock();
    ADD_FAILURE() << "it was to be dropped before";
}

task<> never_reads(std::shared_ptr<shared_mutex> shared) {
    const auto guard = co_await shared->lock_shared();
    ADD_FAILURE() << "it was to be dropped before";
}

TEST(shared_mutex, a_wait_dropped_with_its_lock_on_the_way_from_another_worker_gives_it_back) {
    const auto main = []() -> task<> {
        const auto shared = std::make_shared<shared_mutex>();
        auto guard = shared->try_lock();
        co_await test::drop_with_the_news_under_way(never_writes(shared), [&] {
            guard.unlock();
            EXPECT_FALSE(shared->try_lock_shared());
        });
        guard = shared->try_lock();
        EXPECT_TRUE(guard);
        co_await test::drop_with_the_news_under_way(never_reads(shared), [&] {
            guard.unlock();
            EXPECT_FALSE(is_free(*shared));
        });
        EXPECT_TRUE(is_free(*shared));
    };
    run_bounded(main(), runtime_options().workers(2));
}

/// The mutex lives where the last to lock it ends.
task<> lock_last() {
    auto* const shared = new shared_mutex;
    auto guard = shared->try_lock_shared();
    auto there = runtime::current().spawn_on(1, [](shared_mutex& taken) -> task<> {
        auto last = co_await taken.lock();
        last.release();
        delete &taken;
    }(*shared));
    co_await test::turns(3);
    guard.unlock();
    co_await there;
}

TEST(shared_mutex, may_be_destroyed_by_the_last_who_locks_it) {
    const auto main = []() -> task<> {
        for (int time = 0; time < 1000; ++time)
            co_await lock_last();
    };
    run_bounded(main(), runtime_options().workers(2));
}

TEST(shared_mutex, blocks_a_thread_until_it_may_go_in) {
    const auto main = []() -> task<> {
        shared_mutex shared;
        auto writing = shared.try_lock();
        std::atomic<int> steps = 0;
        std::thread other([&] {
            auto reading = shared.lock_shared_blocking();
            steps = 1;
            reading.unlock();
            const auto alone = shared.lock_blocking();
            steps = 2;
        });
        co_await test::turns(3);
        EXPECT_EQ(steps, 0);
        writing.unlock();
        co_await test::turns_until([&] { return steps == 2; });
        other.join();
        EXPECT_TRUE(is_free(shared));
    };
    run_bounded(main());
}

TEST(shared_mutex, may_be_waited_for_with_a_deadline) {
    const auto main = []() -> task<> {
        shared_mutex shared;
        auto reading = shared.try_lock_shared();
        const auto late = co_await as_result(with_timeout(shared.lock(), 100us));
        EXPECT_TRUE(!late && late.error() == std::errc::timed_out);
        const auto also_reading = co_await with_timeout(shared.lock_shared(), 1h);
        EXPECT_TRUE(also_reading);
    };
    run_bounded(main());
}

TEST(shared_mutex, allocates_nothing_while_tasks_wait) {
    const auto main = []() -> task<> {
        shared_mutex shared;
        auto guard = shared.try_lock();
        auto never = spawn([](shared_mutex& wanted) -> task<> { (co_await wanted.lock()).unlock(); }(shared));
        auto first =
            spawn([](shared_mutex& wanted) -> task<> { (co_await wanted.lock_shared()).unlock(); }(shared));
        auto second =
            spawn([](shared_mutex& wanted) -> task<> { (co_await wanted.lock()).unlock(); }(shared));
        {
            const test::no_allocation expected;
            co_await yield();
            never.cancel();
            guard.unlock();
            co_await yield();
            co_await yield();
        }
        EXPECT_TRUE(first.done());
        EXPECT_TRUE(second.done());
    };
    run_bounded(main());
}

struct guarded_value {
    shared_mutex shared;
    int value = 0;  // written alone: a sanitizer sees who does not keep to that
    std::atomic<int> readers = 0;
    std::atomic<std::size_t> entered = 0;
};

/// A writer inside, until it is dropped or leaves.
class writing {
public:
    explicit writing(guarded_value& written) : written_(written) {
        EXPECT_EQ(written_.readers, 0) << "a reader is inside";
        EXPECT_EQ(std::exchange(written_.value, 1), 0) << "another writer is inside";
        ++written_.entered;
    }
    writing(const writing&) = delete;
    writing& operator=(const writing&) = delete;
    ~writing() { written_.value = 0; }

private:
    guarded_value& written_;
};

/// A reader.
class reading {
public:
    explicit reading(guarded_value& read) : read_(read) {
        ++read_.readers;
        ++read_.entered;
        EXPECT_EQ(read_.value, 0) << "a writer is inside";
    }
    reading(const reading&) = delete;
    reading& operator=(const reading&) = delete;
    ~reading() { --read_.readers; }

private:
    guarded_value& read_;
};

task<> write(std::shared_ptr<guarded_value> guarded, bool does_yield) {
    const auto guard = co_await guarded->shared.lock();
    const writing inside(*guarded);
    if (does_yield)
        co_await yield();
}

task<> read(std::shared_ptr<guarded_value> guarded, bool does_yield) {
    const auto guard = co_await guarded->shared.lock_shared();
    const reading inside(*guarded);
    if (does_yield)
        co_await yield();
}

TEST(shared_mutex, keeps_writers_alone_whoever_is_dropped) {
    for (const std::size_t workers : {4U, 16U}) {
        const auto guarded = std::make_shared<guarded_value>();
        test::stress(workers, [guarded](test::stress_choice choice) {
            const bool does_yield = choice.flip();
            return choice.below(3) == 0 ? write(guarded, does_yield) : read(guarded, does_yield);
        });
        EXPECT_TRUE(is_free(guarded->shared));
        EXPECT_GT(guarded->entered, 0U);
    }
}

}  // namespace
}  // namespace eddy::shared_mutex_test
