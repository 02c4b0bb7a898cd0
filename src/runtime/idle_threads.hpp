#pragma once

#include "runtime/pool_activity.hpp"

#include <eddy/detail/atomic.hpp>
#include <eddy/detail/intrusive_list.hpp>
#include <eddy/detail/spinlock.hpp>

#include <cstddef>
#include <cstdint>
#include <mutex>

namespace eddy::detail {

struct idle_tag;

/// A thread that can sleep: what its waker touches.
class sleeper : public list_hook<idle_tag> {
private:
    friend class idle_threads;
    atomic<std::uint32_t> is_notified_{0};
};

/// The idle threads. Posting work wakes one of them, the last to sleep, whose cache is warm; each sleep is
/// ended by exactly one waker, which takes the thread off the list.
///
/// No wake-up is lost: a thread enters the list, then looks at every queue under its lock, then sleeps. A
/// poster puts the item into a queue under its lock, then looks at the list. Of the two sections under that
/// lock one is first: either the thread finds the item, or the poster finds the thread.
class idle_threads {
public:
    /// Looks for work and sleeps in between, until there is some. `find(look)` returns a pointer to it; null
    /// where all is to end and no more is found. `call_another()` wakes another thread for work that this one
    /// was woken for and has left, since it had found some by itself.
    template <class Find, class CallAnother>
    [[nodiscard]] auto wait_for_work(sleeper& self, Find find, CallAnother call_another) noexcept
        -> decltype(find(look::certain)) {
        for (;;) {
            if (const auto work = find(look::likely))
                return work;
            if (!enter(self))
                return find(look::certain);
            if (const auto work = find(look::certain)) {
                if (leave(self))
                    call_another();
                return work;
            }
            sleep(self);
        }
    }

    /// False if no thread sleeps.
    bool wake_one() noexcept {
        if (count_.load(std::memory_order_relaxed) == 0)
            return false;
        sleeper* woken = nullptr;
        {
            const std::lock_guard guard(lock_);
            if (list_.empty())
                return false;
            woken = &list_.pop_front();
            count_.fetch_sub(1, std::memory_order_relaxed);
        }
        woken->is_notified_.store(1, std::memory_order_release);
        woken->is_notified_.notify_one();
        return true;
    }

    /// No thread enters any more, and sleeping ones wake.
    void end() noexcept {
        {
            const std::lock_guard guard(lock_);
            is_ending_ = true;
        }
        while (wake_one()) {
        }
    }

    [[nodiscard]] std::size_t count() const noexcept { return count_.load(std::memory_order_relaxed); }

private:
    /// False if all is to end. Afterwards the thread looks at every queue, and then leaves or sleeps.
    [[nodiscard]] bool enter(sleeper& self) noexcept {
        const std::lock_guard guard(lock_);
        if (is_ending_)
            return false;
        list_.push_front(self);
        count_.fetch_add(1, std::memory_order_relaxed);
        return true;
    }

    /// Goes back to work instead of sleeping. True if a waker was faster: its item must then still be
    /// handled.
    [[nodiscard]] bool leave(sleeper& self) noexcept {
        {
            const std::lock_guard guard(lock_);
            if (self.is_linked()) {
                self.unlink();
                count_.fetch_sub(1, std::memory_order_relaxed);
                return false;
            }
        }
        sleep(self);
        return true;
    }

    /// Until another thread wakes this one.
    static void sleep(sleeper& self) noexcept {
        self.is_notified_.wait(0, std::memory_order_acquire);
        self.is_notified_.store(0, std::memory_order_relaxed);
    }

    spinlock lock_;
    intrusive_list<sleeper, idle_tag> list_;
    bool is_ending_ = false;
    atomic<std::size_t> count_{0};  // written under the lock, read by everyone
};

}  // namespace eddy::detail
