#pragma once

#include <eddy/base/assert.hpp>
#include <eddy/base/atomic.hpp>
#include <eddy/base/intrusive_list.hpp>
#include <eddy/core/inbox_item.hpp>
#include <eddy/core/job.hpp>
#include <eddy/core/loop_host.hpp>
#include <eddy/core/resume_loop.hpp>
#include <eddy/core/suspension.hpp>

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

/// Who waits for something that any thread may bring about: a task, or a thread that is no worker. Placed in
/// the task's awaiter, or on the thread's stack; what all primitives of this module are made of.
///
/// Life: idle; waiting, in a list that the primitive's lock guards; released, taken out of the list by
/// whoever brought about what it waits for; idle again, once its task goes on. A task that is dropped while
/// it waits withdraws.
///
/// Thread safety: wait_in() and release() are for who holds the primitive's lock. All but release() are for
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
    /// The same where those that are released together go on in the order of their release.
    void suspend_in_line(suspension point) noexcept {
        suspend(point);
        task_->promise(job::place::in_line);
    }
    void wait_in(intrusive_list<waiter>& waiting) noexcept {
        is_waiting_ = true;
        waiting.push_back(*this);
    }

    /// Lets the waiter go on: its task is resumed by the loop of its own worker, never in here. Requires: it
    /// waited, and has been taken out of its list.
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
    [[nodiscard]] bool is_waiting() const noexcept { return is_waiting_; }
    /// For await_resume(): the wait is over. Waits until the releasing thread has left the primitive's lock,
    /// since whoever goes on may destroy the primitive.
    template <class Lock>
    void finish(const Lock& lock) noexcept {
        finish();
        lock.settle();
    }
    /// The same where the primitive's destructor waits for that.
    void finish() noexcept { is_waiting_ = false; }
    /// For the awaiter's destructor: ends the wait, if there is one. True if it had been released but will
    /// not go on: what it was given is to be passed on.
    template <class Lock>
    [[nodiscard]] bool withdraw(Lock& lock) noexcept {
        if (!std::exchange(is_waiting_, false))
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
        return true;
    }

    /// Waits, for a thread that is no worker.
    template <class Lock>
    void block(const Lock& lock) noexcept {
        EDDY_ASSERT(resume_loop::current_or_null() == nullptr, "a worker awaits, it does not block");
        is_released_.wait(false, std::memory_order_acquire);
        is_released_.store(false, std::memory_order_relaxed);
        finish(lock);
    }

protected:
    /// For a Kind of waiter that is asked, where the news of its release arrives at another worker, whether
    /// it goes on: by its may_go_on(), which may put it back into a list.
    template <class Kind>
    explicit waiter(std::in_place_type_t<Kind>) noexcept : inbox_item(&received<Kind>) {}

private:
    static bool may_go_on() noexcept { return true; }

    template <class Kind>
    static void received(inbox_item& item, bool is_discarded) noexcept {
        auto& self = static_cast<waiter&>(item);
        self.is_posted_ = false;
        if (!is_discarded && static_cast<Kind&>(self).may_go_on())
            self.task_->loop().make_ready(*self.task_);
    }
    void release_thread() noexcept {
        is_released_.store(true, std::memory_order_release);
        is_released_.notify_one();
    }

    job* task_ = nullptr;              // null: a thread waits
    bool is_waiting_ = false;          // or released, and not resumed
    bool is_posted_ = false;           // to the task's worker, and not received
    atomic<bool> is_released_{false};  // the thread's
};

using waiter_list = intrusive_list<waiter>;

}  // namespace eddy::detail
