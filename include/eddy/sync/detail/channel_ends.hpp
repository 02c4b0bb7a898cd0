#pragma once

#include <eddy/detail/atomic.hpp>
#include <eddy/detail/build.hpp>
#include <eddy/sync/detail/index_lock.hpp>
#include <eddy/sync/detail/waiter.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace eddy::detail {

/// What came of an attempt to send or receive.
enum class channel_outcome : std::uint8_t { done, must_wait, closed };

/// A waiting sender. Once it resumes, its item has been taken, or the channel is closed.
struct channel_sender : waiter {
    channel_sender(void* sent, bool& taken) noexcept : item(sent), is_taken(&taken) {}

    void* item;
    bool* is_taken;
};

/// A channel except its items: a ring with an end for senders and one for receivers, and their waiters.
///
/// Each end has a lock, an index and a copy of the other end's index, so that the fast path of an item takes
/// one lock on either side, and the two sides meet only where one must read the other's index anew. All else
/// takes both locks (lock() and unlock() of this class): waiting and releasing, closing, room for more items.
/// Whether the fast path is ruled out is noted at each end, under its own lock, so neither side can miss a
/// change by the other.
///
/// Invariants, under both locks:
/// 1. Receivers wait at an empty ring only; senders at one that holds `capacity` or more.
/// 2. An item that was handed to a waiting receiver and not taken out by it yet has a place kept in the ring:
///    `slots_` >= queued + `handed_`. So it can be put back, in front of all others, without memory.
/// 3. No sender waits once the channel is closed, and receivers only as long as a handed item may come back.
class channel_ends {
public:
    /// A capacity that is never reached.
    static constexpr std::size_t no_limit = ~std::size_t{0};

    explicit channel_ends(std::size_t capacity) noexcept;
    channel_ends(const channel_ends&) = delete;
    channel_ends& operator=(const channel_ends&) = delete;
    /// Waits until everybody has left the locks.
    ~channel_ends();

    void close() noexcept;
    [[nodiscard]] bool is_closed() const noexcept { return is_closed_.load(std::memory_order_acquire); }
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    [[nodiscard]] std::size_t size() const noexcept;

    // Both locks.
    void lock() noexcept;
    void unlock() noexcept;
    void settle() const noexcept;

    /// A receiver has taken out what it had been handed.
    void note_taken() noexcept {
        // Both this and close() write one and then read the other: one of the two sees both.
        if (handed_.fetch_sub(1) == 1 && is_closed_.load())
            end_drained();
    }

protected:
    // What an end needs for the usual way. There is a cache line of nothing after it instead of an alignment,
    // with which a channel could not live in a coroutine's frame.
    struct receiving_end {
        index_lock front;         // the index of the oldest item
        std::uint64_t back_seen;  // not beyond the real one
        void* slots = nullptr;
        std::uint64_t mask = 0;
        bool do_others_wait = false;  // to send
        std::byte padding[64]{};
    };
    struct sending_end {
        index_lock back;           // where the next item goes
        std::uint64_t front_seen;  // not beyond the real one
        void* slots = nullptr;
        std::uint64_t mask = 0;
        std::uint64_t room = 0;   // how many items there may be
        bool is_special = false;  // closed, or a receiver waits
        std::byte padding[64]{};
    };

    // Under both locks.
    [[nodiscard]] std::uint64_t queued() const noexcept { return back_ - front_; }
    [[nodiscard]] bool is_drained() const noexcept { return handed_.load() == 0 && queued() == 0; }
    [[nodiscard]] bool has_slot() const noexcept { return queued() + handed_.load() < slots_; }
    /// How many slots there must be for has_slot(), doubled from what there are.
    [[nodiscard]] std::size_t slots_wanted() const noexcept;
    void set_slots(void* memory, std::size_t count) noexcept;
    void release_receivers(pending_wakes& wakes) noexcept;

    receiving_end receiving_;
    sending_end sending_;

    // Under both locks, but for the atomics, which are written under them, unless said otherwise.
    std::uint64_t front_;
    std::uint64_t back_;
    std::size_t slots_ = 0;
    std::size_t capacity_;
    waiter_list receivers_;
    waiter_list senders_;
    atomic<std::size_t> handed_{0};  // by note_taken() under no lock
    atomic<bool> is_closed_{false};

private:
    EDDY_RARELY_CALLED void end_drained() noexcept { release_when_drained(); }
    void release_when_drained() noexcept;
};

}  // namespace eddy::detail
