#pragma once

#include <eddy/sync/detail/permit_queue.hpp>

#include <cstdint>
#include <utility>

namespace eddy {

class shared_mutex;

/// Owns a lock of a shared_mutex, the writer's (`shared_mutex_guard`) or a reader's (`shared_mutex_reader`);
/// releases it when destroyed. Moves, does not copy.
template <bool IsShared>
class [[nodiscard]] basic_shared_mutex_guard {
public:
    basic_shared_mutex_guard() noexcept = default;
    basic_shared_mutex_guard(basic_shared_mutex_guard&& other) noexcept
        : locked_(std::exchange(other.locked_, nullptr)) {}
    basic_shared_mutex_guard& operator=(basic_shared_mutex_guard&& other) noexcept {
        basic_shared_mutex_guard taken(std::move(other));
        std::swap(locked_, taken.locked_);
        return *this;
    }
    ~basic_shared_mutex_guard() { unlock(); }

    /// Whether it owns a lock.
    [[nodiscard]] explicit operator bool() const noexcept { return locked_ != nullptr; }
    /// The mutex, or null.
    [[nodiscard]] shared_mutex* mutex() const noexcept { return locked_; }
    /// Releases the lock early; does nothing if there is none.
    void unlock() noexcept;
    /// Detaches the guard from the lock, which shared_mutex::unlock(), or unlock_shared(), must then release.
    shared_mutex* release() noexcept { return std::exchange(locked_, nullptr); }

private:
    friend class shared_mutex;
    explicit basic_shared_mutex_guard(shared_mutex& locked) noexcept : locked_(&locked) {}

    shared_mutex* locked_ = nullptr;
};

/// Owns the lock alone.
using shared_mutex_guard = basic_shared_mutex_guard<false>;
/// Owns the lock together with other readers.
using shared_mutex_reader = basic_shared_mutex_guard<true>;

/// Admits one writer, or any number of readers, on any workers:
/// `auto writing = co_await m.lock();`, `auto reading = co_await m.lock_shared();`.
///
/// - Order: first come, first served, readers and writers alike, so neither starve. A reader that comes after
///   a waiting writer waits behind it; readers that wait one after the other get in together. Hence a reader
///   must not lock for reading again: a writer may have come between.
/// - Where a waiter resumes: in its own worker's loop, never the call to unlock().
/// - Cancellation: a dropped wait leaves the queue, and the waiters behind it move up; a lock that it had
///   already received goes to the next.
/// - Thread safety: any thread may call everything; another thread than the one that took it may release a
///   lock. The mutex may be destroyed once no other thread will use it again, also right after locking it.
/// - Cost: no allocation; one atomic operation to lock and one to unlock while there are no waiters. Only the
///   functions named so block a thread.
class shared_mutex {
public:
    shared_mutex() noexcept = default;
    shared_mutex(const shared_mutex&) = delete;
    shared_mutex& operator=(const shared_mutex&) = delete;
    /// Requires: no task waits.
    ~shared_mutex() = default;

    template <bool IsShared>
    class lock_awaiter;
    /// Awaited: waits until there is no reader or writer, and returns a shared_mutex_guard.
    [[nodiscard]] lock_awaiter<false> lock() noexcept;
    /// Awaited: waits until there is no writer, nor one that waited before, and returns a
    /// shared_mutex_reader.
    [[nodiscard]] lock_awaiter<true> lock_shared() noexcept;

    /// The same for threads that are no workers: block them.
    [[nodiscard]] shared_mutex_guard lock_blocking() noexcept {
        permits_.take_blocking(all);
        return shared_mutex_guard(*this);
    }
    /// As lock_shared() for a thread that is no worker: blocks it.
    [[nodiscard]] shared_mutex_reader lock_shared_blocking() noexcept {
        permits_.take_blocking(one);
        return shared_mutex_reader(*this);
    }

    /// Locks it if there is no reader or writer; returns an empty guard otherwise.
    [[nodiscard]] shared_mutex_guard try_lock() noexcept {
        return permits_.try_take(all) ? shared_mutex_guard(*this) : shared_mutex_guard();
    }
    /// Locks it for reading if there is no writer, and no waiter; returns an empty guard otherwise.
    [[nodiscard]] shared_mutex_reader try_lock_shared() noexcept {
        return permits_.try_take(one) ? shared_mutex_reader(*this) : shared_mutex_reader();
    }

    /// Releases the writer's lock that no guard owns. Requires: there is one.
    void unlock() noexcept { permits_.give(all); }
    /// Releases a reader's lock that no guard owns. Requires: there is one.
    void unlock_shared() noexcept { permits_.give(one); }

private:
    // A reader takes one permit and a writer takes all of them.
    static constexpr std::uint64_t one = 1;
    static constexpr std::uint64_t all = detail::permit_queue::permits_max;

    detail::permit_queue permits_{all};
};

template <bool IsShared>
class [[nodiscard]] shared_mutex::lock_awaiter : public detail::permit_awaiter {
public:
    explicit lock_awaiter(shared_mutex& wanted) noexcept
        : permit_awaiter(wanted.permits_, IsShared ? one : all), mutex_(wanted) {}
    basic_shared_mutex_guard<IsShared> await_resume() noexcept {
        finish();
        return basic_shared_mutex_guard<IsShared>(mutex_);
    }

private:
    shared_mutex& mutex_;
};

inline shared_mutex::lock_awaiter<false> shared_mutex::lock() noexcept {
    return lock_awaiter<false>(*this);
}

inline shared_mutex::lock_awaiter<true> shared_mutex::lock_shared() noexcept {
    return lock_awaiter<true>(*this);
}

template <bool IsShared>
void basic_shared_mutex_guard<IsShared>::unlock() noexcept {
    if (shared_mutex* const given_up = release()) {
        if constexpr (IsShared)
            given_up->unlock_shared();
        else
            given_up->unlock();
    }
}

}  // namespace eddy
