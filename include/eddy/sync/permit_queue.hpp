#pragma once

#include <eddy/base/assert.hpp>
#include <eddy/base/atomic.hpp>
#include <eddy/base/spinlock.hpp>
#include <eddy/core/suspension.hpp>
#include <eddy/sync/waiter.hpp>

#include <atomic>
#include <cstdint>

namespace eddy::detail {

class permit_queue;

/// Who waits for a number of permits at once.
class permit_request : public waiter {
public:
    explicit permit_request(std::uint64_t wanted) noexcept : count(wanted) {}
    const std::uint64_t count;
};

/// Permits, and who waits for some of them in the order of asking. What semaphore is made of, and
/// shared_mutex, in which a reader takes one and a writer takes all.
///
/// Invariant: whenever nobody holds the lock, the first in the queue wants more than there is.
///
/// Thread safety: everything may be called by any thread, what concerns a request by its waiter's.
class permit_queue {
public:
    /// More than that never come together.
    static constexpr std::uint64_t permits_max = (std::uint64_t{1} << 62) - 1;

    explicit permit_queue(std::uint64_t permits) noexcept : state_(permits * one) {
        EDDY_ASSERT(permits <= permits_max, "too many permits");
    }
    permit_queue(const permit_queue&) = delete;
    permit_queue& operator=(const permit_queue&) = delete;
    ~permit_queue() {
        EDDY_ASSERT(waiting_.empty(), "nobody waits for permits whose primitive is destroyed");
    }

    /// How many are there, at some moment during the call.
    [[nodiscard]] std::uint64_t available() const noexcept {
        return state_.load(std::memory_order_relaxed) / one;
    }

    /// Takes that many if they are there and nobody waits.
    [[nodiscard]] bool try_take(std::uint64_t count) noexcept {
        std::uint64_t seen = state_.load(std::memory_order_relaxed);
        while ((seen & contended) == 0 && seen / one >= count) {
            if (!state_.compare_exchange_weak(seen, seen - count * one, std::memory_order_acquire,
                                              std::memory_order_relaxed))
                continue;
            // Who gave them may hold the lock still, and who takes them may destroy the primitive.
            lock_.settle();
            return true;
        }
        return false;
    }

    /// Gives that many, to whoever waits first.
    void give(std::uint64_t count) noexcept {
        EDDY_ASSERT(count <= permits_max - available(), "too many permits");
        std::uint64_t seen = state_.load(std::memory_order_relaxed);
        while ((seen & contended) == 0)
            if (state_.compare_exchange_weak(seen, seen + count * one, std::memory_order_release,
                                             std::memory_order_relaxed))
                return;
        give_waiting(count);
    }

    /// Takes what is wanted, or puts the request into the queue: false.
    [[nodiscard]] bool take_or_wait(permit_request& wanted) noexcept;
    /// The request's wait has returned: it has what it wanted.
    void finish(permit_request& given) noexcept { given.finish(lock_); }
    /// Ends a request's wait, if there is one; what it has been given goes on to the next.
    void withdraw(permit_request& dropped) noexcept {
        if (dropped.is_waiting())
            take_out(dropped);
    }
    /// Takes that many, and blocks the thread until they are there. Requires: the thread is no worker.
    void take_blocking(std::uint64_t count) noexcept;

private:
    // What state_ says: twice the number of permits, and whether somebody waits. While somebody does, and
    // until the last one has left, it changes under the lock only.
    static constexpr std::uint64_t contended = 1;
    static constexpr std::uint64_t one = 2;

    void give_waiting(std::uint64_t count) noexcept;
    void take_out(permit_request& dropped) noexcept;
    [[nodiscard]] permit_request& first_waiting() noexcept {
        return static_cast<permit_request&>(waiting_.front());
    }

    atomic<std::uint64_t> state_;
    spinlock lock_;
    waiter_list waiting_;
};

/// Waits for permits: what the awaiters of the primitives derive from. It may be moved before it is awaited.
class permit_awaiter {
public:
    permit_awaiter(permit_queue& permits, std::uint64_t count) noexcept
        : permits_(permits), request_(count) {}
    permit_awaiter(permit_awaiter&& unawaited) noexcept
        : permit_awaiter(unawaited.permits_, unawaited.request_.count) {}
    permit_awaiter& operator=(permit_awaiter&&) = delete;

    bool await_ready() const noexcept { return permits_.try_take(request_.count); }
    bool await_suspend(suspension point) noexcept {
        request_.suspend(point);
        return !permits_.take_or_wait(request_);
    }

protected:
    ~permit_awaiter() { permits_.withdraw(request_); }
    /// For await_resume(): gives how many it has.
    std::uint64_t finish() noexcept {
        permits_.finish(request_);
        return request_.count;
    }

private:
    permit_queue& permits_;
    permit_request request_;
};

}  // namespace eddy::detail
