#pragma once

#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/detail/atomic.hpp>
#include <eddy/detail/spinlock.hpp>
#include <eddy/sync/detail/waiter.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

namespace eddy::detail {

/// What the halves of a oneshot share, except the value. Each half owns it until it releases it; the second
/// frees it.
class oneshot_ends {
public:
    oneshot_ends() noexcept = default;
    oneshot_ends(const oneshot_ends&) = delete;
    oneshot_ends& operator=(const oneshot_ends&) = delete;

    // Any thread.
    [[nodiscard]] bool is_decided() const noexcept { return is_decided_.load(std::memory_order_acquire); }
    [[nodiscard]] bool is_receiver_gone() const noexcept {
        return is_receiver_gone_.load(std::memory_order_acquire);
    }

    /// Waits for a value, or for the end of the sender. False: that has come already.
    [[nodiscard]] bool wait_for_decision(waiter& waits) noexcept {
        return wait(waits, is_decided_, receivers_);
    }
    /// Waits for the end of the receiver. False: that has come already.
    [[nodiscard]] bool wait_for_receiver_gone(waiter& waits) noexcept {
        return wait(waits, is_receiver_gone_, senders_);
    }

    /// There is nothing more that the sender may do.
    void decide() noexcept { set(is_decided_, receivers_); }
    void leave_receiver() noexcept { set(is_receiver_gone_, senders_); }

    /// Releases one half's share. True: it was the last.
    [[nodiscard]] bool release() noexcept { return halves_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

    [[nodiscard]] spinlock& lock() noexcept { return lock_; }

private:
    [[nodiscard]] bool wait(waiter& waits, const atomic<bool>& has_come, waiter_list& waiting) noexcept {
        const std::lock_guard guard(lock_);
        if (has_come.load(std::memory_order_relaxed))
            return false;
        waits.wait_in(waiting);
        return true;
    }
    void set(atomic<bool>& has_come, waiter_list& waiting) noexcept {
        pending_wakes wakes;
        const std::lock_guard guard(lock_);
        has_come.store(true, std::memory_order_release);
        while (!waiting.empty())
            waiting.pop_front().release(wakes);
    }

    spinlock lock_;
    atomic<bool> is_decided_{false};
    atomic<bool> is_receiver_gone_{false};
    atomic<std::uint8_t> halves_{2};
    waiter_list receivers_;
    waiter_list senders_;
};

template <class T>
class oneshot_state : public oneshot_ends, public in_frame_cache {
public:
    using in_frame_cache::operator new;
    using in_frame_cache::operator delete;
    // For values that are aligned more strictly than the cache aligns.
    static void* operator new(std::size_t size, std::align_val_t alignment) {
        return ::operator new(size, alignment);
    }
    static void operator delete(void* at, std::size_t size, std::align_val_t alignment) noexcept {
        ::operator delete(at, size, alignment);
    }

    // The sender's before it decides, the receiver's afterwards.
    std::optional<T> value;
};

/// What a half holds.
template <class T>
class oneshot_share {
public:
    oneshot_share() noexcept = default;
    explicit oneshot_share(oneshot_state<T>& shared) noexcept : state_(&shared) {}
    oneshot_share(oneshot_share&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
    oneshot_share& operator=(oneshot_share&&) = delete;
    ~oneshot_share() { reset(); }

    [[nodiscard]] oneshot_state<T>* get() const noexcept { return state_; }
    void swap(oneshot_share& other) noexcept { std::swap(state_, other.state_); }
    void reset() noexcept {
        if (state_ != nullptr && state_->release())
            delete state_;
        state_ = nullptr;
    }

private:
    oneshot_state<T>* state_ = nullptr;
};

/// Awaits the end of a oneshot's receiver.
class [[nodiscard]] receiver_gone_awaiter {
public:
    explicit receiver_gone_awaiter(oneshot_ends& watched) noexcept : state_(&watched) {}
    /// Requires: nothing has been awaited yet.
    receiver_gone_awaiter(receiver_gone_awaiter&& other) noexcept : state_(other.state_) {}
    receiver_gone_awaiter& operator=(receiver_gone_awaiter&&) = delete;
    ~receiver_gone_awaiter() { static_cast<void>(waiter_.withdraw(state_->lock())); }

    bool await_ready() const noexcept { return state_->is_receiver_gone() && resume_loop::consume_budget(); }
    bool await_suspend(suspension point) noexcept {
        waiter_.suspend(point);
        return state_->wait_for_receiver_gone(waiter_) || waiter_.gives_way();
    }
    void await_resume() noexcept { waiter_.finish(); }

private:
    oneshot_ends* state_;
    waiter waiter_;
};

}  // namespace eddy::detail
