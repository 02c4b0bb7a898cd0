#pragma once

#include <eddy/core/task.hpp>
#include <eddy/sync/detail/slot_ring.hpp>

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace eddy {

template <class T>
class watch;

/// The receiving end of a watch: looks at the newest value and waits for a newer one. Made by
/// watch::subscribe(); the value of that moment counts as seen.
///
/// - Ownership: moves, does not copy. It may outlive the watch: the last value stays readable. During a wait
///   it is neither moved nor destroyed.
/// - Order: values are seen in the order of their setting. Those that were replaced before a look are not
///   seen. None is reported twice: changed() does not report a value that get() or borrow() has returned, or
///   that it has reported itself.
/// - Where a waiter resumes: in its own worker's loop, never the call to set().
/// - Cancellation: a dropped changed() has reported nothing; the next one reports the same value, or a newer
///   one.
/// - Thread safety: one task or thread at a time uses a receiver; it need not be always the same one.
/// - Cost: no allocation, but for the coroutine of wait_for(). To find that nothing has changed takes one
///   look at an atomic, to look at a value a spinlock to count its users.
template <class T>
class [[nodiscard]] watch_receiver {
    using ring = detail::slot_ring<T>;

public:
    watch_receiver(watch_receiver&&) noexcept = default;
    watch_receiver& operator=(watch_receiver&&) noexcept = default;
    watch_receiver(const watch_receiver&) = delete;
    watch_receiver& operator=(const watch_receiver&) = delete;
    ~watch_receiver() = default;

    class [[nodiscard]] changed_awaiter : public detail::news_awaiter {
    public:
        explicit changed_awaiter(watch_receiver& receiving) noexcept
            : news_awaiter(*receiving.ring_, receiving.seen_), receiver_(receiving) {}
        bool await_resume() noexcept {
            finish();
            return receiver_.note_change();
        }

    private:
        watch_receiver& receiver_;
    };
    /// Awaited: waits for a value that has not been seen. False: the watch is gone, and all has been seen.
    /// With g++ 12 the answer gets a name before it is a condition (`const bool has_changed = co_await ...`).
    [[nodiscard]] changed_awaiter changed() noexcept { return changed_awaiter(*this); }
    /// changed() for a thread that is no worker, which stands still meanwhile.
    [[nodiscard]] bool changed_blocking() noexcept {
        ring_->wait_blocking(seen_);
        return note_change();
    }
    /// Whether changed() would return true at once.
    [[nodiscard]] bool has_changed() const noexcept { return ring_->published() != seen_; }

    /// A copy of the newest value. Throws what copying T throws.
    [[nodiscard]] T get() {
        return borrow([](const T& newest) -> T { return newest; });
    }
    /// Calls function(const T&) with the newest value, and returns its result. The value stays as it is
    /// meanwhile, though newer ones may be set; no lock is held.
    template <std::invocable<const T&> Function>
    std::invoke_result_t<Function, const T&> borrow(Function&& function) {
        const auto [slot, number] = ring_->find_newest();
        const typename ring::use used(*ring_, *slot);
        seen_ = number + 1;
        return std::invoke(std::forward<Function>(function), used.value());
    }

    /// Waits until predicate(const T&) holds for the newest value, the present one to begin with. False: the
    /// watch is gone, and it does not hold for the last value. Throws what the predicate throws.
    template <std::predicate<const T&> Predicate>
    [[nodiscard]] task<bool> wait_for(Predicate predicate) {
        bool may_change = true;
        while (may_change) {
            if (borrow(predicate))
                co_return true;
            // Named, since g++ 12 goes wrong with an await that is itself the condition.
            const bool has_changed = co_await changed();
            may_change = has_changed;
        }
        co_return false;
    }

private:
    friend class watch<T>;
    explicit watch_receiver(std::shared_ptr<ring> subscribed) noexcept
        : ring_(std::move(subscribed)), seen_(ring_->published()) {}

    bool note_change() noexcept {
        const std::uint64_t before = std::exchange(seen_, ring_->published());
        return before != seen_;
    }

    std::shared_ptr<ring> ring_;
    std::uint64_t seen_;  // how many values there were when it looked last
};

/// Holds one value of which only the newest state counts, and reports each change to all subscribers:
/// `auto receiver = settings.subscribe();`, `settings.set(value);`. For a configuration, a health, a phase;
/// where every value counts, use broadcast.
///
/// - Ownership: moves, does not copy; receivers may outlive it. Destroying it closes it.
/// - Thread safety: any thread may call set(), update(), subscribe() and close(), also at the same time.
/// - Cost: a change takes a spinlock for as long as it takes to release the waiters. T is moved, copied and
///   destroyed outside of it. Two slots are allocated, which are used again and again, and one for each
///   replaced value that is being looked at.
template <class T>
class watch {
    static_assert(std::move_constructible<T>, "a value is moved to where it is looked at");
    using ring = detail::slot_ring<T>;

public:
    using value_type = T;
    /// What subscribe() returns.
    using receiver = watch_receiver<T>;

    /// Throws std::bad_alloc and what moving T throws.
    explicit watch(T initial) : ring_(std::make_shared<ring>(1)) { ring_->publish(std::move(initial)); }
    watch(watch&& other) noexcept = default;
    watch& operator=(watch&& other) noexcept {
        watch taken(std::move(other));
        ring_.swap(taken.ring_);
        return *this;
    }
    watch(const watch&) = delete;
    watch& operator=(const watch&) = delete;
    ~watch() {
        if (ring_ != nullptr)
            ring_->close();
    }

    /// A receiver that has seen the current value.
    [[nodiscard]] receiver subscribe() const noexcept { return receiver(ring_); }

    /// Replaces the value; never waits. Throws std::bad_alloc and what moving T throws; the value is the old
    /// one then.
    void set(T value) { ring_->publish(std::move(value)); }

    /// Changes the value: function(T&) is called with a copy, which becomes the value unless another has been
    /// set meanwhile, in which case it is called again with a copy of that. So no change of others is lost.
    /// Throws what copying T and the function throw; the value is the old one then.
    template <std::invocable<T&> Function>
    void update(Function function) {
        while (!try_update(function) && !is_closed())
            continue;
    }

    /// The value is the last: receivers that have seen it get false. set() and update() change nothing any
    /// more.
    void close() noexcept { ring_->close(); }
    /// Whether close() was called.
    [[nodiscard]] bool is_closed() const noexcept { return ring_->is_closed(); }

    /// A copy of the newest value. Throws what copying T throws.
    [[nodiscard]] T get() const {
        const auto [slot, number] = ring_->find_newest();
        const typename ring::use used(*ring_, *slot);
        return used.value();
    }

private:
    template <class Function>
    bool try_update(Function& function) {
        const auto [slot, number] = ring_->find_newest();
        const typename ring::use used(*ring_, *slot);
        T changed(used.value());
        std::invoke(function, changed);
        return ring_->publish(std::move(changed), number + 1);
    }

    std::shared_ptr<ring> ring_;
};

}  // namespace eddy
