#pragma once

#include "runtime/idle_threads.hpp"
#include "runtime/long_queue.hpp"
#include "runtime/pool_activity.hpp"
#include "runtime/queue_capacity.hpp"
#include "runtime/short_queue.hpp"

#include <eddy/detail/atomic.hpp>
#include <eddy/detail/counter.hpp>
#include <eddy/io/detail/blocking_executor.hpp>
#include <eddy/runtime/metrics.hpp>
#include <eddy/runtime/work_kind.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace eddy::detail {

/// One thread of the pool, what waits at it, and what it has done. It may not have been started.
struct alignas(64) pool_thread : sleeper {
    short_queue queue;

    // The thread's own.
    std::uint64_t looks = 0;
    std::size_t given_next = 0;  // the queue at which it first looks for work from outside
    bool may_long_begin = false;

    // Read by everyone.
    shown_activity activity{pool_activity::none};
    counter done;
    counter stolen;
    std::atomic<duration::rep> longest_wait_short{0};
    std::atomic<duration::rep> longest_wait_long{0};
};

/// The work of the offload pool, and how its threads take it. Each thread looks for work, runs it, and looks
/// again; finding none, it enters the list of the idle, looks once more with certainty, and sleeps
/// (idle_threads.hpp explains why no wake-up is lost).
///
/// A thread looks, in this order, for
///
///   1. what it has posted itself, newest first;
///   2. work from outside, at all queues in turn, so that what waits at a busy thread is not late;
///   3. what other threads have posted themselves, oldest first;
///   4. long work, unless as many threads as permitted already run some.
///
/// and every sixteenth time the other way round. Any thread finds all work that can begin, so posting wakes
/// any one that sleeps, or asks for one to be started if none sleeps.
///
/// Locks: a room's is held while an item goes into its queue; no other two are held at once.
///
/// Thread safety: for all threads, but for what is a thread's own.
class pool_work {
public:
    /// Requires: threads_max > 0; queue_max > 0.
    pool_work(std::size_t threads_max, std::size_t long_threads_max, std::size_t queue_max);
    pool_work(const pool_work&) = delete;
    pool_work& operator=(const pool_work&) = delete;

    [[nodiscard]] std::size_t threads_max(work_kind kind) const noexcept {
        return kind == work_kind::long_running ? long_.threads_max() : threads_.size();
    }
    [[nodiscard]] pool_thread& thread(std::size_t index) noexcept { return threads_[index]; }

    // -- posting; `may_start`: not if a thread was started for this very item, which looks for it by itself
    // unless it sleeps already. The item may be gone afterwards. --

    void post(io::blocking_item& item, work_kind kind, bool may_start) noexcept {
        address(item, kind, false);
        insert(item, may_start);
    }
    /// It may have to wait for room.
    void submit(io::blocking_item& item, work_kind kind, bool may_start) noexcept;
    /// More of the work that runs on a thread: its own where it is short.
    void post_more(pool_thread& self, io::blocking_item& item, work_kind kind) noexcept;
    /// False if the item was taken.
    [[nodiscard]] bool retract(io::blocking_item& item) noexcept;

    // -- a thread --

    /// Runs what there is until all is to end and nothing is left.
    void live(pool_thread& self) noexcept;
    /// Ends all threads once nothing is left.
    void end() noexcept { idle_.end(); }

    // -- looking at it --

    [[nodiscard]] bool has_waiting(work_kind kind) const noexcept;
    /// Without the number of threads that were started.
    [[nodiscard]] offload_metrics metrics() const noexcept;

protected:
    ~pool_work() = default;

private:
    /// No thread sleeps and one is needed: starts another, if not all have been.
    virtual void start_another() noexcept = 0;

    // Where items are: `queue` is the index of a thread, or that behind the last for long work.
    [[nodiscard]] bool is_long(const io::blocking_item& item) const noexcept {
        return item.queue == threads_.size();
    }
    [[nodiscard]] queue_capacity& capacity_of(const io::blocking_item& item) noexcept {
        return is_long(item) ? long_capacity_ : short_capacity_;
    }
    void address(io::blocking_item& item, work_kind kind, bool is_bounded) noexcept;
    /// Returns whether a thread is needed.
    bool enqueue(io::blocking_item& item) noexcept {
        if (is_long(item))
            return long_.post(item);
        threads_[item.queue].queue.post(item);
        return true;
    }
    void insert(io::blocking_item& item, bool may_start) noexcept {
        if (enqueue(item))
            want_thread(may_start);
    }
    void release_slot(queue_capacity& left) noexcept;
    void want_thread(bool may_start) noexcept {
        if (!idle_.wake_one() && may_start)
            start_another();
    }

    [[nodiscard]] io::blocking_item* find(pool_thread& self, look how) noexcept;
    [[nodiscard]] io::blocking_item* take_given(pool_thread& self, look how) noexcept;
    [[nodiscard]] io::blocking_item* steal(pool_thread& self, look how) noexcept;
    void run(pool_thread& self, io::blocking_item& item) noexcept;

    std::vector<pool_thread> threads_;
    long_queue long_;
    queue_capacity short_capacity_;
    queue_capacity long_capacity_;
    idle_threads idle_;
    atomic<std::size_t> queue_next_{0};
};

}  // namespace eddy::detail
