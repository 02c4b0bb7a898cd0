#pragma once

#include <eddy/sync/channel_operations.hpp>
#include <eddy/sync/detail/channel_items.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <type_traits>
#include <utility>

namespace eddy {

/// What channel::try_send() returns.
enum class try_send_result : std::uint8_t {
    /// The item is in the channel.
    sent,
    /// There is no capacity; the item is the caller's.
    full,
    /// The channel is closed; the item is the caller's.
    closed,
};
/// Why channel::try_recv() returns no item.
enum class try_recv_error : std::uint8_t {
    /// There is no item yet.
    empty,
    /// There is none, and none will come.
    closed,
};

/// A queue between tasks, on any workers: many send, many receive.
///
///     channel<job> jobs(64);
///     co_await jobs.send(job());                      // waits while 64 are queued
///     while (auto next = co_await jobs.recv())        // ends once the channel is closed and drained
///         work(*next);
///
/// - Order: items leave in the order in which they came. The task that has waited longest sends, or receives,
///   first, and no other comes in between.
/// - Capacity: how many items may be queued before senders wait. With 0 each item goes from a sender to a
///   receiver that waits, or the sender waits for one. unbounded() has no limit, and no sender waits.
/// - Where a waiter goes on: its own worker's loop resumes it, never the call that lets it go on. What can be
///   done at once does not suspend, but for a fair share: the other tasks of the worker have their turn after
///   a thousand such steps or so, with nothing taken from the channel meanwhile.
/// - Closing: nothing can be sent from then on, and senders that wait go on with that result and keep their items.
///   What was sent before is received as ever; then receivers learn that there is nothing more.
/// - Cancellation: a dropped wait leaves the queue. A dropped receiver passes an item that it was already
///   handed to the next one that waits, or puts it back in front of all others, so two that are dropped at
///   once leave what they put back in the order of their dropping. An item of a dropped sender has been sent
///   or has not; see send_operation.
/// - Thread safety: any thread may call everything, except that co_await needs a worker and the blocking
///   calls a thread that is none. The channel may be destroyed once no other task will use it and none waits,
///   also right after the last item was received. A receiver that was handed an item counts as waiting until
///   it resumes.
/// - Cost: an item takes one lock of its own on each side, of a few instructions. Waiting and receiving
///   allocate nothing; sending does while the ring of items grows (doubling; no more than the capacity, and a
///   place for each receiver that was handed an item and has not resumed), which moves them all.
template <class T>
class channel {
    static_assert(std::is_object_v<T> && !std::is_const_v<T>, "a channel carries objects");
    static_assert(std::is_nothrow_move_constructible_v<T> && std::is_nothrow_destructible_v<T>,
                  "an item is moved under a lock, where it must not throw: hold it by std::unique_ptr");

public:
    /// What capacity() returns if there is no limit.
    static constexpr std::size_t no_limit = detail::channel_ends::no_limit;

    /// Holds at most `capacity` items; a sender waits while it is full.
    explicit channel(std::size_t capacity) noexcept : items_(capacity) {}
    /// One without a limit; may initialise a member, too.
    [[nodiscard]] static channel unbounded() noexcept { return channel(no_limit); }
    channel(const channel&) = delete;
    channel& operator=(const channel&) = delete;
    /// Destroys what was not received. Requires: no task waits.
    ~channel() = default;

    /// Awaited: waits until the item is sent: true; or the channel is closed: false, and the operation still
    /// has the item. Throws std::bad_alloc, and has sent nothing then.
    [[nodiscard]] send_operation<T> send(T item) noexcept {
        return send_operation<T>(items_, std::move(item));
    }
    /// Awaited: waits for an item; std::nullopt if the channel is closed and drained.
    [[nodiscard]] receive_operation<T> recv() noexcept { return receive_operation<T>(items_); }
    /// The same: a channel is an async_sequence.
    [[nodiscard]] receive_operation<T> next() noexcept { return recv(); }

    /// Sends the item if that needs no waiting; otherwise leaves it as it was. Throws std::bad_alloc, and
    /// has done nothing then.
    [[nodiscard]] try_send_result try_send(T&& item) {
        if (items_.try_send(item))
            return try_send_result::sent;
        switch (items_.send_slowly(item, nullptr)) {
            case detail::channel_outcome::done:
                return try_send_result::sent;
            case detail::channel_outcome::closed:
                return try_send_result::closed;
            case detail::channel_outcome::must_wait:
                break;
        }
        return try_send_result::full;
    }
    /// The same with a copy.
    [[nodiscard]] try_send_result try_send(const T& item) {
        T copy(item);
        return try_send(std::move(copy));
    }
    /// Receives if that needs no waiting.
    [[nodiscard]] std::expected<T, try_recv_error> try_recv() noexcept {
        std::optional<T> item;
        if (items_.try_receive(item))
            return std::move(*item);
        switch (items_.receive_slowly(item, nullptr)) {
            case detail::channel_outcome::done:
                return std::move(*item);
            case detail::channel_outcome::closed:
                return std::unexpected(try_recv_error::closed);
            case detail::channel_outcome::must_wait:
                break;
        }
        return std::unexpected(try_recv_error::empty);
    }

    /// send() for a thread that is no worker: blocks it. If it returns false, the item is left as it was.
    [[nodiscard]] bool send_blocking(T&& item) {
        if (items_.try_send(item))
            return true;
        bool is_taken = false;
        detail::channel_sender waits(&item, is_taken);
        const auto outcome = items_.send_slowly(item, &waits);
        if (outcome == detail::channel_outcome::must_wait)
            waits.block(items_);
        return is_taken || outcome == detail::channel_outcome::done;
    }
    [[nodiscard]] bool send_blocking(const T& item) {
        T copy(item);
        return send_blocking(std::move(copy));
    }
    /// recv() for a thread that is no worker: blocks it.
    [[nodiscard]] std::optional<T> recv_blocking() noexcept {
        std::optional<T> item;
        if (items_.try_receive(item))
            return item;
        detail::channel_receiver<T> waits(items_, item);
        if (items_.receive_slowly(item, &waits) == detail::channel_outcome::must_wait)
            waits.block(items_);
        if (waits.is_handed)
            items_.note_taken();
        return item;
    }

    /// Closes the channel; nothing happens if it was.
    void close() noexcept { items_.close(); }
    /// Whether close() was called.
    [[nodiscard]] bool is_closed() const noexcept { return items_.is_closed(); }

    /// How many items are queued, at some moment during the call. An item that was handed to a receiver is
    /// not, nor is that of a sender that waits.
    [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }
    /// How many items it holds.
    [[nodiscard]] std::size_t capacity() const noexcept { return items_.capacity(); }

private:
    detail::channel_items<T> items_;
};

}  // namespace eddy
