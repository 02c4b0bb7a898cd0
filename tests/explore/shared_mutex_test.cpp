#include "explore/explorer.hpp"
#include "explore/model_worker.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/sync/shared_mutex.hpp>

#include <gtest/gtest.h>

#include <array>

namespace eddy::explore::shared_mutex_test {
namespace {

struct guarded {
    std::array<model_worker, 2> workers;
    shared_mutex lock;
    detail::atomic<int> readers{0};
    int writers = 0;  // plain: ThreadSanitizer sees whether the lock orders them
    int written = 0;
    int read = 0;  // by the second worker only
    shared_mutex_reader kept;
};

task<> write(guarded& shared) {
    auto guard = co_await shared.lock.lock();
    EXPLORE_CHECK(++shared.writers == 1 && shared.readers.load() == 0);
    ++shared.written;
    --shared.writers;
}
task<> read(guarded& shared) {
    auto guard = co_await shared.lock.lock_shared();
    shared.readers.fetch_add(1);
    EXPLORE_CHECK(shared.writers == 0);
    ++shared.read;
    shared.readers.fetch_sub(1);
}
void write_one(guarded& shared) {
    shared.workers[current_thread()].run(write(shared));
}
void read_one(guarded& shared) {
    shared.workers[current_thread()].run(read(shared));
}
void expect_unlocked(guarded& shared) {
    EXPLORE_CHECK(static_cast<bool>(shared.lock.try_lock()));
}

TEST(shared_mutex, has_one_writer_of_two) {
    const result found = explore<guarded>(settings("shared_mutex, two writers"), {&write_one, &write_one},
                                          [](guarded& shared) {
                                              expect_unlocked(shared);
                                              EXPLORE_CHECK(shared.written == 2);
                                          });
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(shared_mutex, keeps_a_reader_and_a_writer_apart) {
    const result found = explore<guarded>(settings("shared_mutex, a reader and a writer"),
                                          {&write_one, &read_one}, [](guarded& shared) {
                                              expect_unlocked(shared);
                                              EXPLORE_CHECK(shared.written == 1 && shared.read == 1);
                                          });
    EXPECT_TRUE(found.has_passed) << found.report;
}

// A reader of another worker goes in once the writer that it waits behind is dropped: the lock that keeps the
// writer out is given up at the end only.
task<> drop_a_writer(guarded& shared) {
    shared.kept = co_await shared.lock.lock_shared();
    handle<> dropped = spawn(write(shared));
    co_await yield();
    dropped.cancel();
}

TEST(shared_mutex, lets_in_who_waited_behind_a_dropped_writer) {
    const auto dropper = [](guarded& shared) { shared.workers[0].run(drop_a_writer(shared)); };
    const result found = explore<guarded>(settings("shared_mutex, a writer dropped").preemptions(3),
                                          {dropper, &read_one}, [](guarded& shared) {
                                              shared.kept.unlock();
                                              expect_unlocked(shared);
                                              EXPLORE_CHECK(shared.read == 1 && shared.written == 0);
                                          });
    EXPECT_TRUE(found.has_passed) << found.report;
}

// The writer is dropped while another one gives up the lock that it waits for.
task<> drop_a_waiting_writer(guarded& shared) {
    handle<> dropped = spawn(write(shared));
    co_await yield();
    dropped.cancel();
}

TEST(shared_mutex, passes_on_what_a_dropped_writer_was_given) {
    const auto dropper = [](guarded& shared) { shared.workers[0].run(drop_a_waiting_writer(shared)); };
    const result found =
        explore<guarded>(settings("shared_mutex, one dropped"), {dropper, &read_one}, [](guarded& shared) {
            expect_unlocked(shared);
            EXPLORE_CHECK(shared.read == 1);
        });
    EXPECT_TRUE(found.has_passed) << found.report;
}

}  // namespace
}  // namespace eddy::explore::shared_mutex_test
