#pragma once

#include <eddy/core/detail/inbox_item.hpp>
#include <eddy/core/detail/job.hpp>
#include <eddy/core/detail/loop_host.hpp>
#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/detail/assert.hpp>
#include <eddy/detail/atomic.hpp>
#include <eddy/detail/intrusive_list.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <utility>

namespace eddy::detail {

/// Workers that sleep and have been sent something: they are woken when this is destroyed, which is after the
/// lock has been released that was taken after this was made.
class pending_wakes {
public:
    pending_wakes() noexcept = default;
    pending_wakes(const pending_wakes&) = delete;
    pending_wakes& operator=(const pending_wakes&) = delete;
    ~pending_wakes() {
        for (std::size_t at = 0; at < count_; ++at)
            hosts_[at]->wake();
    }

    void add(loop_host& asleep) noexcept {
        if (count_ < hosts_.size())
            hosts_[count_++] = &asleep;
        else
            asleep.wake();
    }

private:
    std::array<loop_host*, 16> hosts_;
    std::size_t count_ = 0;
};

/// A waiter for something that any thread may cause: a task, or a thread that is no worker. Placed in the
/// task's awaiter, or on the thread's stack; the base of all primitives of this module.
///
/// Life: idle; waiting, in a list that the primitive's lock guards; released, taken out of the list by the
/// thread that caused the event; idle again, once its task resumes. A task that is dropped while it waits
/// withdraws.
///
/// A task that takes what it need not wait for counts that (resume_loop::consume_budget(), in await_ready()), and
/// gives way once its turn is over: what takes nothing by passing gives way after it has passed; what takes
/// something, before it tries, and tries when it comes back. So nothing is held meanwhile.
///
/// Thread safety: wait_in() and release() are for the holder of the primitive's lock. All but release() are for
/// the waiter's own thread.
///
/// The lock is a spinlock, or what has its lock(), unlock() and settle().
class waiter : public list_hook<>, private inbox_item {
public:
    waiter() noexcept : inbox_item(&received<waiter>) {}
    waiter(const waiter&) = delete;
    waiter& operator=(const waiter&) = delete;

    /// Notes the running task, which suspends at `point`; a thread that will block() does without. Before
    /// wait_in().
    void suspend(suspension point) noexcept { task_ = &resume_loop::current().suspend(point); }
    /// The same where those that are released together resume in the order of their release.
    void suspend_in_line(suspension point) noexcept {
        suspend(point);
        task_->promise(job::place::in_line);
    }
    void wait_in(intrusive_list<waiter>& waiting) noexcept {
        phase_ = phase::waiting;
        waiting.push_back(*this);
    }
    /// After suspend(): if the task's turn is over, it goes on when all other tasks of its worker, timers and
    /// the system have had theirs: where its Kind has a comes_back() that returns true, which may put it into
    /// a list instead.
    [[nodiscard]] bool gives_way() noexcept {
        if (!resume_loop::is_turn_over()) [[likely]]
            return false;
        give_way();
        return true;
    }

    /// Ends the wait: the loop of the task's own worker resumes it, never this call. Requires: it waited, and
    /// has been taken out of its list.
    void release(pending_wakes& wakes) noexcept {
        if (task_ == nullptr)
            return release_thread();
        resume_loop& home = task_->loop();
        if (&home == resume_loop::current_or_null())
            return home.make_ready(*task_);
        is_posted_ = true;
        if (home.host().enqueue(*this))
            wakes.add(home.host());
    }

    /// Whether the loop of this thread is the one that resumes its task.
    [[nodiscard]] bool is_at_home() const noexcept {
        return task_ != nullptr && &task_->loop() == resume_loop::current_or_null();
    }
    /// Whether it waits, or has been released and has not gone on.
    [[nodiscard]] bool is_waiting() const noexcept { return phase_ != phase::idle; }
    /// For await_resume(): the wait has ended. Spins until the releasing thread has left the primitive's
    /// lock, since the resumed task may destroy the primitive.
    template <class Lock>
    void finish(const Lock& lock) noexcept {
        finish();
        lock.settle();
    }
    /// The same where the primitive's destructor waits for that.
    void finish() noexcept { phase_ = phase::idle; }
    /// For the awaiter's destructor: ends the wait, if there is one. True if it had been released but will
    /// not resume: what it received must be passed on.
    template <class Lock>
    [[nodiscard]] bool withdraw(Lock& lock) noexcept {
        const phase was = std::exchange(phase_, phase::idle);
        if (was == phase::idle)
            return false;
        {
            const std::lock_guard guard(lock);
            if (is_linked()) {
                unlink();
                return false;
            }
        }
        // The news of the release may not have been received.
        if (std::exchange(is_posted_, false))
            task_->loop().host().retract(*this);
        return was == phase::waiting;
    }

    /// Waits, for a thread that is no worker.
    template <class Lock>
    void block(const Lock& lock) noexcept {
        EDDY_CHECK(resume_loop::current_or_null() == nullptr, "a worker awaits, it does not block");
        is_released_.wait(false, std::memory_order_acquire);
        is_released_.store(false, std::memory_order_relaxed);
        finish(lock);
    }

protected:
    /// For a Kind of waiter that decides whether it goes on: where the news of its release arrives at
    /// another worker, by its may_resume(), and where it comes back after it has given way, by its
    /// comes_back(). Either may put it (back) into a list.
    template <class Kind>
    explicit waiter(std::in_place_type_t<Kind>) noexcept : inbox_item(&received<Kind>) {}

private:
    static bool may_resume() noexcept { return true; }
    static bool comes_back() noexcept { return true; }

    // As a message to its own worker: that is received after the ready tasks have been resumed.
    [[gnu::cold]] void give_way() noexcept {
        phase_ = phase::giving_way;
        is_posted_ = true;
        loop_host& home = task_->loop().host();
        if (home.enqueue(*this))
            home.wake();
    }

    template <class Kind>
    static void received(inbox_item& item, bool is_discarded) noexcept {
        auto& self = static_cast<waiter&>(item);
        self.is_posted_ = false;
        if (is_discarded)
            return;
        auto& kind = static_cast<Kind&>(self);
        const bool has_given_way = std::exchange(self.phase_, phase::waiting) == phase::giving_way;
        if (has_given_way ? kind.comes_back() : kind.may_resume())
            self.task_->loop().make_ready(*self.task_);
    }
    void release_thread() noexcept {
        is_released_.store(true, std::memory_order_release);
        is_released_.notify_one();
    }

    enum class phase : unsigned char {
        idle,
        waiting,     // or released, and not resumed
        giving_way,  // on its way to its own worker as a message
    };

    job* task_ = nullptr;              // null: a thread waits
    phase phase_ = phase::idle;        // its own thread's
    bool is_posted_ = false;           // to the task's worker, and not received
    atomic<bool> is_released_{false};  // the thread's
};

using waiter_list = intrusive_list<waiter>;

}  // namespace eddy::detail
