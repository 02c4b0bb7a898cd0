#pragma once

#include <eddy/sync/detail/permit_queue.hpp>

#include <cstdint>
#include <utility>

namespace eddy {

class semaphore;

/// Owns permits of a semaphore; returns them when destroyed. Moves, does not copy. Belongs to one thread
/// at a time, which need not be the one that acquired them.
class [[nodiscard]] semaphore_permit {
public:
    semaphore_permit() noexcept = default;
    semaphore_permit(semaphore_permit&& other) noexcept
        : owner_(std::exchange(other.owner_, nullptr)), count_(std::exchange(other.count_, 0)) {}
    semaphore_permit& operator=(semaphore_permit&& other) noexcept {
        semaphore_permit taken(std::move(other));
        std::swap(owner_, taken.owner_);
        std::swap(count_, taken.count_);
        return *this;
    }
    ~semaphore_permit() { give_back(); }

    /// Whether it owns permits of a semaphore.
    [[nodiscard]] explicit operator bool() const noexcept { return owner_ != nullptr; }
    /// How many.
    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
    /// Returns them early; does nothing if there are none.
    void give_back() noexcept;
    /// Disowns the permits and returns their number: they must be returned by semaphore::release(), or are
    /// lost for ever.
    std::uint64_t release() noexcept {
        owner_ = nullptr;
        return std::exchange(count_, 0);
    }

private:
    friend class semaphore;
    semaphore_permit(semaphore& owner, std::uint64_t count) noexcept : owner_(&owner), count_(count) {}

    semaphore* owner_ = nullptr;
    std::uint64_t count_ = 0;
};

/// A number of permits that tasks, on any workers, take and return:
/// `auto permit = co_await s.acquire(2);`.
///
/// - Order: first come, first served. A task that waits for many is not overtaken by a later one that needs
///   few, so try_acquire() returns nothing while there are waiters.
/// - Where a waiter resumes: in its own worker's loop, never the call to release().
/// - Cancellation: a dropped wait leaves the queue, and the waiters behind it move up; permits that it had
///   already received go to the next.
/// - Thread safety: any thread may call everything. The semaphore may be destroyed once no other thread will
///   use it again, also right after acquiring what another thread has just released.
/// - Cost: no allocation; one atomic operation to acquire and one to release while there are no waiters. Only
///   the functions named so block a thread.
class semaphore {
public:
    /// How many permits there may be at most.
    static constexpr std::uint64_t permits_max = detail::permit_queue::permits_max;

    /// With so many permits.
    explicit semaphore(std::uint64_t permits) noexcept : permits_(permits) {}
    semaphore(const semaphore&) = delete;
    semaphore& operator=(const semaphore&) = delete;
    /// Requires: no task waits. Permits may outlive it only if they are release()d.
    ~semaphore() = default;

    class acquire_awaiter;
    /// Awaited: waits for so many permits, all at once, and returns a semaphore_permit that owns them.
    [[nodiscard]] acquire_awaiter acquire(std::uint64_t count = 1) noexcept;
    /// The same for a thread that is no worker: blocks it.
    [[nodiscard]] semaphore_permit acquire_blocking(std::uint64_t count = 1) noexcept {
        permits_.take_blocking(count);
        return semaphore_permit(*this, count);
    }
    /// Takes so many permits if they are there and there are no waiters; returns an empty permit otherwise.
    [[nodiscard]] semaphore_permit try_acquire(std::uint64_t count = 1) noexcept {
        return permits_.try_take(count) ? semaphore_permit(*this, count) : semaphore_permit();
    }

    /// Returns permits that no semaphore_permit owns. Requires: there are then no more than permits_max.
    void release(std::uint64_t count = 1) noexcept { permits_.give(count); }
    /// Adds permits to those that there have been. Requires: as release().
    void add(std::uint64_t count) noexcept { permits_.give(count); }

    /// How many are free, at some moment during the call. They may be too few for the waiters.
    [[nodiscard]] std::uint64_t available() const noexcept { return permits_.available(); }

private:
    detail::permit_queue permits_;
};

class [[nodiscard]] semaphore::acquire_awaiter : public detail::permit_awaiter {
public:
    acquire_awaiter(semaphore& wanted, std::uint64_t count) noexcept
        : permit_awaiter(wanted.permits_, count), semaphore_(wanted) {}
    semaphore_permit await_resume() noexcept { return semaphore_permit(semaphore_, finish()); }

private:
    semaphore& semaphore_;
};

inline semaphore::acquire_awaiter semaphore::acquire(std::uint64_t count) noexcept {
    return acquire_awaiter(*this, count);
}

inline void semaphore_permit::give_back() noexcept {
    if (semaphore* const owner = std::exchange(owner_, nullptr))
        owner->release(std::exchange(count_, 0));
}

}  // namespace eddy
