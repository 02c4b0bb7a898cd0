#pragma once

#include <eddy/core/detail/suspension.hpp>
#include <eddy/detail/assert.hpp>
#include <eddy/detail/atomic.hpp>
#include <eddy/detail/spinlock.hpp>
#include <eddy/sync/detail/waiter.hpp>

#include <atomic>
#include <cstdint>

namespace eddy::detail {

class permit_queue;

/// A waiter for a number of permits at once.
class permit_request : public waiter {
public:
    permit_request(permit_queue& from, std::uint64_t wanted) noexcept
        : waiter(std::in_place_type<permit_request>), permits(from), count(wanted) {}
    [[nodiscard]] bool comes_back() noexcept;

    permit_queue& permits;
    const std::uint64_t count;
};

/// Permits, and their waiters in the order of their requests. The base of semaphore, and of shared_mutex, in
/// which a reader takes one and a writer takes all.
///
/// Invariant: while the lock is free, the first in the queue needs more permits than there are.
///
/// Thread safety: any thread may call everything, except that a request's functions are for its waiter's
/// thread.
class permit_queue {
public:
    /// More than that never come together.
    static constexpr std::uint64_t permits_max = (std::uint64_t{1} << 62) - 1;

    explicit permit_queue(std::uint64_t permits) noexcept : state_(permits * one) {
        EDDY_ASSERT(permits <= permits_max, "too many permits");
    }
    permit_queue(const permit_queue&) = delete;
    permit_queue& operator=(const permit_queue&) = delete;
    ~permit_queue() { EDDY_CHECK(waiting_.empty(), "no task waits for permits that are destroyed"); }

    /// How many are there, at some moment during the call.
    [[nodiscard]] std::uint64_t available() const noexcept {
        return state_.load(std::memory_order_relaxed) / one;
    }

    /// Takes that many if they are there and there are no waiters.
    [[nodiscard]] bool try_take(std::uint64_t count) noexcept {
        std::uint64_t seen = state_.load(std::memory_order_relaxed);
        while ((seen & contended) == 0 && seen / one >= count) {
            if (!state_.compare_exchange_weak(seen, seen - count * one, std::memory_order_acquire,
                                              std::memory_order_relaxed))
                continue;
            // The thread that released them may still hold the lock, and the one that takes them may destroy
            // the primitive.
            lock_.settle();
            return true;
        }
        return false;
    }

    /// Releases that many, to the first waiters.
    void give(std::uint64_t count) noexcept {
        EDDY_CHECK(count <= permits_max - available(), "too many permits");
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
    /// Ends a request's wait, if there is one; permits that it has received go to the next.
    void withdraw(permit_request& dropped) noexcept {
        if (dropped.is_waiting())
            take_out(dropped);
    }
    /// Takes that many, and blocks the thread until they are there. Requires: the thread is no worker.
    void take_blocking(std::uint64_t count) noexcept;

private:
    // The value of state_: twice the number of permits, plus 1 if there are waiters. From the first to the
    // last waiter it changes under the lock only.
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
    permit_awaiter(permit_queue& permits, std::uint64_t count) noexcept : request_(permits, count) {}
    permit_awaiter(permit_awaiter&& unawaited) noexcept
        : permit_awaiter(unawaited.request_.permits, unawaited.request_.count) {}
    permit_awaiter& operator=(permit_awaiter&&) = delete;

    bool await_ready() const noexcept {
        return resume_loop::consume_budget() && request_.permits.try_take(request_.count);
    }
    bool await_suspend(suspension point) noexcept {
        request_.suspend(point);
        return request_.gives_way() || !request_.permits.take_or_wait(request_);
    }

protected:
    ~permit_awaiter() { request_.permits.withdraw(request_); }
    /// For await_resume(): gives how many it has.
    std::uint64_t finish() noexcept {
        request_.permits.finish(request_);
        return request_.count;
    }

private:
    permit_request request_;
};

inline bool permit_request::comes_back() noexcept {
    return permits.take_or_wait(*this);
}

}  // namespace eddy::detail
