#pragma once

#include <eddy/io/detail/blocking_executor.hpp>

namespace eddy::detail {

/// Blocking items in a row, linked through themselves. An item that is in none has no `next`. Not
/// thread-safe.
class item_ring {
public:
    item_ring() noexcept { end_.next = end_.previous = &end_; }
    item_ring(const item_ring&) = delete;
    item_ring& operator=(const item_ring&) = delete;

    [[nodiscard]] bool is_empty() const noexcept { return end_.next == &end_; }

    void push_newest(io::blocking_item& item) noexcept {
        item.next = &end_;
        item.previous = end_.previous;
        end_.previous->next = &item;
        end_.previous = &item;
    }
    /// Null if there is none.
    [[nodiscard]] io::blocking_item* take_oldest() noexcept { return take(*end_.next); }
    [[nodiscard]] io::blocking_item* take_newest() noexcept { return take(*end_.previous); }

    /// Requires: the item is in a ring.
    static void unlink(io::blocking_item& item) noexcept {
        item.previous->next = item.next;
        item.next->previous = item.previous;
        item.next = item.previous = nullptr;
    }

private:
    [[nodiscard]] io::blocking_item* take(io::blocking_item& item) noexcept {
        if (&item == &end_)
            return nullptr;
        unlink(item);
        return &item;
    }

    io::blocking_item end_{nullptr};  // closes the ring
};

}  // namespace eddy::detail
