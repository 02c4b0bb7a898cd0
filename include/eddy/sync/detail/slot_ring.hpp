#pragma once

#include <eddy/core/detail/suspension.hpp>
#include <eddy/detail/assert.hpp>
#include <eddy/detail/atomic.hpp>
#include <eddy/detail/spinlock.hpp>
#include <eddy/sync/detail/waiter.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace eddy::detail {

/// A slot of a slot_ring. Counts its users: the ring while it holds it, and each task that is copying from
/// it.
struct slot_base {
    atomic<std::size_t> users{0};
};

/// Values published to many: the newest `capacity` of them, numbered from 0, and the waiters for the next.
/// Values are filled in, copied and destroyed by their users, outside of the lock; under it only pointers
/// move.
///
/// Thread safety: any thread may call everything.
class slot_ring_base {
public:
    /// Requires: capacity > 0. Throws std::bad_alloc.
    explicit slot_ring_base(std::size_t capacity);
    slot_ring_base(const slot_ring_base&) = delete;
    slot_ring_base& operator=(const slot_ring_base&) = delete;

    /// Ends it: all waiters resume, and nothing is published any more.
    void close() noexcept;
    [[nodiscard]] bool is_closed() const noexcept { return is_closed_.load(std::memory_order_acquire); }

    /// How many values have been published: the number that the next one will have.
    [[nodiscard]] std::uint64_t published() const noexcept {
        return published_.load(std::memory_order_acquire);
    }
    /// Whether a receiver of value number `next` need not wait. Takes no lock.
    [[nodiscard]] bool has_news(std::uint64_t next) const noexcept {
        return published() != next || is_closed();
    }

    /// Puts the waiter into the queue; false if there is nothing to wait for.
    [[nodiscard]] bool wait(waiter& waits, std::uint64_t next) noexcept;
    /// Waits, for a thread that is no worker.
    void wait_blocking(std::uint64_t next) noexcept;

    [[nodiscard]] spinlock& lock() noexcept { return lock_; }

protected:
    ~slot_ring_base() { EDDY_CHECK(waiting_.empty(), "a receiver outlives its wait"); }

    /// What there is for a receiver of value number `next`: its slot, which is in use from here on; or how
    /// many were missed, if it is no longer kept; or nothing, if it has not been published.
    struct look {
        slot_base* slot = nullptr;
        std::uint64_t missed = 0;
    };
    [[nodiscard]] look find(std::uint64_t next) noexcept;
    /// The slot of the newest value, which is used from here on, and its number. Requires: there is one.
    [[nodiscard]] std::pair<slot_base*, std::uint64_t> find_newest() noexcept;

    /// Publishes what is in the slot. Returns the slot that the ring does not hold any more, for the caller
    /// to release: the oldest value's, or none; `added` itself if the ring is closed, or if there were not
    /// `wanted` values before.
    static constexpr std::uint64_t any_number = ~std::uint64_t{0};
    [[nodiscard]] slot_base* publish(slot_base& added, std::uint64_t wanted) noexcept;

    /// Visits every slot that it holds, once no other thread uses it.
    template <class Visit>
    void for_each_held(Visit visit) {
        for (std::size_t at = 0; at < capacity_; ++at)
            if (slots_[at] != nullptr)
                visit(*slots_[at]);
    }

private:
    void release_all(pending_wakes& wakes) noexcept;

    // Both are changed under the lock.
    atomic<std::uint64_t> published_{0};
    atomic<bool> is_closed_{false};
    spinlock lock_;
    waiter_list waiting_;
    std::size_t capacity_;
    std::unique_ptr<slot_base*[]> slots_;  // that of the value N at N % capacity_, or null
};

/// A ring of values of a type. Keeps one unused slot, so that publishing need not allocate.
template <class T>
class slot_ring : public slot_ring_base {
    struct slot : slot_base {
        std::optional<T> value;
    };

public:
    using slot_ring_base::slot_ring_base;
    ~slot_ring() {
        for_each_held([](slot_base& held) { delete static_cast<slot*>(&held); });
        delete spare_.load(std::memory_order_acquire);
    }

    /// Keeps a value where it is while it lives. Outlived by the ring.
    class use {
    public:
        use(slot_ring& owner, slot_base& used) noexcept : owner_(owner), slot_(static_cast<slot&>(used)) {}
        use(const use&) = delete;
        use& operator=(const use&) = delete;
        ~use() { owner_.release(slot_); }
        [[nodiscard]] const T& value() const noexcept { return *slot_.value; }

    private:
        slot_ring& owner_;
        slot& slot_;
    };

    /// Publishes a value; false if the ring is closed, or if there were not `wanted` values before. Throws
    /// std::bad_alloc and what moving T throws, in which case nothing was published.
    template <class Value>
    bool publish(Value&& value, std::uint64_t wanted = any_number) {
        std::unique_ptr<slot> made(take_spare());
        if (made == nullptr)
            made = std::make_unique<slot>();
        made->value.emplace(std::forward<Value>(value));
        made->users.store(1, std::memory_order_relaxed);
        slot& added = *made.release();
        slot_base* const left = slot_ring_base::publish(added, wanted);
        if (left != nullptr)
            release(static_cast<slot&>(*left));
        return left != &added;
    }

    using slot_ring_base::find;
    using slot_ring_base::find_newest;
    using slot_ring_base::look;

private:
    // The last to use a slot destroys the value.
    void release(slot& used) noexcept {
        if (used.users.fetch_sub(1, std::memory_order_acq_rel) != 1)
            return;
        used.value.reset();
        delete spare_.exchange(&used, std::memory_order_acq_rel);
    }
    [[nodiscard]] slot* take_spare() noexcept { return spare_.exchange(nullptr, std::memory_order_acq_rel); }

    atomic<slot*> spare_{nullptr};
};

/// The base of awaiters of a ring's news. A drop has nothing to return, since a release hands over nothing:
/// what was published stays in the ring for the receiver's next look.
class news_awaiter {
public:
    news_awaiter(slot_ring_base& ring, std::uint64_t next) noexcept : ring_(ring), next_(next) {}
    /// Requires: nothing has been awaited yet.
    news_awaiter(news_awaiter&& other) noexcept : ring_(other.ring_), next_(other.next_) {}
    news_awaiter& operator=(news_awaiter&&) = delete;

    bool await_ready() const noexcept { return ring_.has_news(next_) && resume_loop::consume_budget(); }
    bool await_suspend(suspension point) noexcept {
        waiter_.suspend(point);
        return ring_.wait(waiter_, next_) || waiter_.gives_way();
    }

protected:
    ~news_awaiter() { static_cast<void>(waiter_.withdraw(ring_.lock())); }
    void finish() noexcept { waiter_.finish(ring_.lock()); }

private:
    slot_ring_base& ring_;
    std::uint64_t next_;
    waiter waiter_;
};

}  // namespace eddy::detail
