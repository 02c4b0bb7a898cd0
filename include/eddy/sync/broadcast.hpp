#pragma once

#include <eddy/sync/detail/slot_ring.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

namespace eddy {

template <class T>
class broadcast;
template <class T>
class broadcast_receiver;

/// What a receiver of a broadcast gets: a value; or that it was too slow, and how many values it missed; or
/// that there will be no more.
template <class T>
class [[nodiscard]] broadcast_item {
public:
    /// Whether it is a value.
    [[nodiscard]] explicit operator bool() const noexcept { return std::holds_alternative<T>(what_); }
    /// The value. Requires: it is one.
    [[nodiscard]] T& operator*() & noexcept { return *std::get_if<T>(&what_); }
    [[nodiscard]] const T& operator*() const& noexcept { return *std::get_if<T>(&what_); }
    [[nodiscard]] T&& operator*() && noexcept { return std::move(*std::get_if<T>(&what_)); }
    /// The item. Requires: there is one.
    [[nodiscard]] T* operator->() noexcept { return std::get_if<T>(&what_); }
    [[nodiscard]] const T* operator->() const noexcept { return std::get_if<T>(&what_); }

    /// Whether items were missed instead.
    [[nodiscard]] bool is_lagged() const noexcept { return std::holds_alternative<lagged>(what_); }
    /// How many values were missed just before; 0 unless is_lagged().
    [[nodiscard]] std::uint64_t missed() const noexcept {
        const auto* const late = std::get_if<lagged>(&what_);
        return late != nullptr ? late->missed : 0;
    }
    /// Whether the channel has ended instead.
    [[nodiscard]] bool is_closed() const noexcept { return std::holds_alternative<closed>(what_); }

private:
    friend class broadcast_receiver<T>;
    struct closed {};
    struct lagged {
        std::uint64_t missed;
    };
    template <class What>
    explicit broadcast_item(std::in_place_type_t<What> kind, auto&&... from)
        : what_(kind, std::forward<decltype(from)>(from)...) {}

    std::variant<closed, lagged, T> what_;
};

/// The receiving end of a broadcast: sees every value that is sent after it subscribed, as a copy of its own.
/// Made by broadcast::subscribe().
///
/// - Ownership: moves, does not copy. It may outlive the broadcast: what was kept is still received, then
///   comes "closed". During a wait it is neither moved nor destroyed.
/// - Order: that of sending. A receiver that is so slow that a value it has not received is no longer kept
///   gets the number of missed values, once, and continues with the oldest that is kept.
/// - Where a waiter resumes: in its own worker's loop, never the call to send().
/// - Cancellation: a dropped recv() has received nothing; the next returns what it would have returned.
/// - Thread safety: one task or thread at a time uses a receiver; it need not be always the same one.
/// - Cost: no allocation; a wait takes a spinlock, and so does a value, to count its users. It is copied
///   outside of the lock; a copy that throws leaves the value to the next recv().
template <class T>
class [[nodiscard]] broadcast_receiver {
    using ring = detail::slot_ring<T>;

public:
    /// What recv() returns.
    using item = broadcast_item<T>;

    broadcast_receiver(broadcast_receiver&&) noexcept = default;
    broadcast_receiver& operator=(broadcast_receiver&&) noexcept = default;
    broadcast_receiver(const broadcast_receiver&) = delete;
    broadcast_receiver& operator=(const broadcast_receiver&) = delete;
    ~broadcast_receiver() = default;

    class [[nodiscard]] recv_awaiter : public detail::news_awaiter {
    public:
        explicit recv_awaiter(broadcast_receiver& receiving) noexcept
            : news_awaiter(*receiving.ring_, receiving.next_), receiver_(receiving) {}
        item await_resume() {
            finish();
            return receiver_.take();
        }

    private:
        broadcast_receiver& receiver_;
    };
    /// Awaited: waits for the next value, for the end, or for the number of missed values, and returns it.
    [[nodiscard]] recv_awaiter recv() noexcept { return recv_awaiter(*this); }

    /// What can be returned at once; nothing if the next value has not been sent.
    [[nodiscard]] std::optional<item> try_recv() {
        if (!ring_->has_news(next_))
            return std::nullopt;
        return take();
    }

    /// recv() for a thread that is no worker, which stands still meanwhile.
    [[nodiscard]] item recv_blocking() {
        ring_->wait_blocking(next_);
        return take();
    }

private:
    friend class broadcast<T>;
    explicit broadcast_receiver(std::shared_ptr<ring> subscribed) noexcept
        : ring_(std::move(subscribed)), next_(ring_->published()) {}

    // Requires: there is news.
    item take() {
        const auto found = ring_->find(next_);
        if (found.slot == nullptr && found.missed == 0)
            return item(std::in_place_type<typename item::closed>);
        if (found.slot == nullptr) {
            next_ += found.missed;
            return item(std::in_place_type<typename item::lagged>, found.missed);
        }
        const typename ring::use used(*ring_, *found.slot);
        item copied(std::in_place_type<T>, used.value());
        ++next_;
        return copied;
    }

    std::shared_ptr<ring> ring_;
    std::uint64_t next_;  // the number of the value that comes next
};

/// Sends every value to all subscribers: `auto receiver = news.subscribe();` and `news.send(value);`.
/// For events of which no receiver may miss one unnoticed; where only the newest state counts, use watch.
///
/// - Ownership: moves, does not copy; receivers may outlive it. Destroying it closes it.
/// - Order: all receivers see the values in the same order.
/// - Keeping: the newest `capacity` values are kept, received or not, until newer ones take their place or
///   the broadcast and its last receiver are destroyed. Sending never waits for a slow receiver.
/// - Thread safety: any thread may call send(), subscribe() and close(), also at the same time.
/// - Cost: send() takes a spinlock for as long as it takes to release the waiters. T is moved, copied and
///   destroyed outside of it. A slot is allocated for a value until `capacity` values have been sent; after
///   that slots are used again, unless several threads send at the same time or a replaced value is still
///   being copied.
template <class T>
class broadcast {
    static_assert(std::copy_constructible<T>, "every receiver of a broadcast gets a copy of its own");
    using ring = detail::slot_ring<T>;

public:
    using value_type = T;
    /// What subscribe() returns.
    using receiver = broadcast_receiver<T>;

    /// Requires: capacity > 0. Throws std::bad_alloc.
    explicit broadcast(std::size_t capacity) : ring_(std::make_shared<ring>(capacity)) {}
    broadcast(broadcast&& other) noexcept = default;
    broadcast& operator=(broadcast&& other) noexcept {
        broadcast taken(std::move(other));
        ring_.swap(taken.ring_);
        return *this;
    }
    broadcast(const broadcast&) = delete;
    broadcast& operator=(const broadcast&) = delete;
    ~broadcast() {
        if (ring_ != nullptr)
            ring_->close();
    }

    /// A receiver of all values that are sent from now on.
    [[nodiscard]] receiver subscribe() const noexcept { return receiver(ring_); }

    /// Sends a value; never waits. False if it is closed, in which case the value is gone. Throws
    /// std::bad_alloc and what moving T throws; nothing was sent then.
    bool send(T value) { return ring_->publish(std::move(value)); }

    /// No value will come any more: receivers get what is kept, then "closed".
    void close() noexcept { ring_->close(); }
    /// Whether close() was called.
    [[nodiscard]] bool is_closed() const noexcept { return ring_->is_closed(); }

private:
    std::shared_ptr<ring> ring_;
};

}  // namespace eddy
