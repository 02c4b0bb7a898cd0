#pragma once

#include <eddy/sync/detail/channel_ends.hpp>
#include <eddy/sync/detail/waiter.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

namespace eddy::detail {

template <class T>
class channel_items;

/// The waiter of a receiver. Once it goes on, it has been handed an item, or the channel is closed and drained. While it
/// gives way, and what it then took has not been taken out, a slot is kept for that as if it had been handed.
template <class T>
struct channel_receiver : waiter {
    channel_receiver(channel_items<T>& source, std::optional<T>& wanted) noexcept
        : waiter(std::in_place_type<channel_receiver>), from(&source), item(&wanted) {}
    [[nodiscard]] bool comes_back() noexcept {
        return from->receive_slowly(*item, this) != channel_outcome::must_wait;
    }

    channel_items<T>* from;
    std::optional<T>* item;
    bool is_handed = false;
};

/// Memory for the slots of a ring: owns it, not what is in it.
template <class T>
class channel_memory {
public:
    channel_memory() noexcept = default;
    /// Requires: count > 0. Throws std::bad_alloc.
    explicit channel_memory(std::size_t count) : slots_(std::allocator<T>().allocate(count)), count_(count) {}
    channel_memory(channel_memory&& other) noexcept
        : slots_(std::exchange(other.slots_, nullptr)), count_(std::exchange(other.count_, 0)) {}
    channel_memory& operator=(channel_memory&& other) noexcept {
        std::swap(slots_, other.slots_);
        std::swap(count_, other.count_);
        return *this;
    }
    ~channel_memory() {
        if (slots_ != nullptr)
            std::allocator<T>().deallocate(slots_, count_);
    }

    [[nodiscard]] T* slots() const noexcept { return slots_; }
    [[nodiscard]] std::size_t count() const noexcept { return count_; }
    [[nodiscard]] T* at(std::uint64_t index) const noexcept { return slots_ + (index & (count_ - 1)); }

private:
    T* slots_ = nullptr;
    std::size_t count_ = 0;
};

/// The ways of a channel's items: the usual one, under the lock of one end, and all others, under both.
template <class T>
class channel_items : public channel_ends {
public:
    using receiver = channel_receiver<T>;

    explicit channel_items(std::size_t capacity) noexcept : channel_ends(capacity) {}
    ~channel_items() {
        lock();
        while (queued() != 0)
            std::destroy_at(memory_.at(front_++));
        unlock();
    }

    /// Fast path. Returns false if it does not apply; then call send_slowly().
    [[nodiscard]] bool try_send(T& item) noexcept {
        sending_end& end = sending_;
        const std::uint64_t at = end.back.lock();
        if (end.is_special || !has_room(end, at)) [[unlikely]] {
            end.back.unlock(at);
            return false;
        }
        std::construct_at(static_cast<T*>(end.slots) + (at & end.mask), std::move(item));
        end.back.unlock(at + 1);
        return true;
    }

    /// Fast path. Returns false if it does not apply; then call receive_slowly().
    [[nodiscard]] bool try_receive(std::optional<T>& item) noexcept {
        receiving_end& end = receiving_;
        const std::uint64_t at = end.front.lock();
        if (end.do_others_wait || !has_item(end, at)) [[unlikely]] {
            end.front.unlock(at);
            return false;
        }
        move_out(*(static_cast<T*>(end.slots) + (at & end.mask)), item);
        end.front.unlock(at + 1);
        return true;
    }

    /// Every way. If the item cannot be sent now, and `waits` is not null, that waits. Throws std::bad_alloc,
    /// and then has changed nothing.
    [[gnu::noinline]] channel_outcome send_slowly(T& item, channel_sender* waits) {
        channel_memory<T> spare;  // freed under no lock
        for (;;) {
            std::size_t slots = 0;
            {
                pending_wakes wakes;
                const std::lock_guard both(*this);
                if (is_closed())
                    return channel_outcome::closed;
                if (receivers_.empty() && queued() >= capacity_) {
                    if (waits != nullptr)
                        waits->wait_in(senders_);
                    return channel_outcome::must_wait;
                }
                if (has_slot() || grow(spare)) {
                    put(item, wakes);
                    return channel_outcome::done;
                }
                slots = slots_wanted();
            }
            spare = channel_memory<T>(slots);
        }
    }

    /// Every way. If there is no item now, and `waits` is not null, that waits.
    [[gnu::noinline]] channel_outcome receive_slowly(std::optional<T>& item, receiver* waits) noexcept {
        pending_wakes wakes;
        const std::lock_guard both(*this);
        if (queued() != 0) {
            move_out(*memory_.at(front_++), item);
            fill(wakes);
        } else if (!senders_.empty()) {
            take_from(senders_.pop_front(), wakes, [&](T& sent) { item.emplace(std::move(sent)); });
        } else {
            if (waits != nullptr && std::exchange(waits->is_handed, false))  // it has given way for nothing
                handed_.fetch_sub(1);
            if (is_closed() && is_drained()) {
                release_receivers(wakes);
                return channel_outcome::closed;
            }
            if (waits != nullptr)
                waits->wait_in(receivers_);
            return channel_outcome::must_wait;
        }
        return channel_outcome::done;
    }

    /// Keeps a slot, for a receiver that gives way. False if there is no memory.
    [[nodiscard, gnu::cold]] bool keep_slot() noexcept {
        channel_memory<T> spare;  // freed under no lock
        for (;;) {
            std::size_t slots = 0;
            {
                const std::lock_guard both(*this);
                if (has_slot() || grow(spare)) {
                    handed_.fetch_add(1);
                    return true;
                }
                slots = slots_wanted();
            }
            try {
                spare = channel_memory<T>(slots);
            } catch (const std::bad_alloc&) {
                return false;
            }
        }
    }

    /// Takes back what was handed to a receiver that has not taken it out.
    void give_back(T& item) noexcept {
        pending_wakes wakes;
        const std::lock_guard both(*this);
        if (!receivers_.empty())
            return hand(item, wakes);
        handed_.fetch_sub(1);
        std::construct_at(memory_.at(--front_), std::move(item));
    }

private:
    // Look afresh how far the other end is only if the last look is not enough.
    [[nodiscard]] bool has_room(sending_end& end, std::uint64_t at) const noexcept {
        return at - end.front_seen < end.room || at - (end.front_seen = receiving_.front.index()) < end.room;
    }
    [[nodiscard]] bool has_item(receiving_end& end, std::uint64_t at) const noexcept {
        return at != end.back_seen || at != (end.back_seen = sending_.back.index());
    }
    static void move_out(T& slot, std::optional<T>& item) noexcept {
        item.emplace(std::move(slot));
        std::destroy_at(&slot);
    }

    // Under both locks.
    void put(T& item, pending_wakes& wakes) noexcept {
        if (receivers_.empty()) {
            std::construct_at(memory_.at(back_++), std::move(item));
            return;
        }
        handed_.fetch_add(1);
        hand(item, wakes);
    }
    void hand(T& item, pending_wakes& wakes) noexcept {
        auto& next = static_cast<receiver&>(receivers_.pop_front());
        next.item->emplace(std::move(item));
        next.is_handed = true;
        next.release(wakes);
    }
    // Takes the items of waiting senders while there is room.
    void fill(pending_wakes& wakes) noexcept {
        while (!senders_.empty() && queued() < capacity_)
            take_from(senders_.pop_front(), wakes,
                      [this](T& sent) { std::construct_at(memory_.at(back_++), std::move(sent)); });
    }
    template <class Take>
    static void take_from(waiter& waiting, pending_wakes& wakes, Take take) noexcept {
        auto& sender = static_cast<channel_sender&>(waiting);
        take(*static_cast<T*>(sender.item));
        *sender.is_taken = true;
        sender.release(wakes);
    }
    // Moves into `spare` if that is enough, and leaves it what there was before.
    [[nodiscard]] bool grow(channel_memory<T>& spare) noexcept {
        if (spare.count() < slots_wanted())
            return false;
        for (std::uint64_t at = front_; at != back_; ++at) {
            T& moved = *memory_.at(at);
            std::construct_at(spare.at(at), std::move(moved));
            std::destroy_at(&moved);
        }
        memory_ = std::move(spare);
        set_slots(memory_.slots(), memory_.count());
        return true;
    }

    channel_memory<T> memory_;
};

}  // namespace eddy::detail
