#pragma once

#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/sync/detail/channel_items.hpp>

#include <optional>
#include <utility>

namespace eddy {

template <class T>
class channel;

/// What channel::send() returns: an item to be sent. Awaited, it returns whether the item was sent.
///
/// It owns the item until that is sent. A caller that keeps it can check the outcome of a dropped wait, and
/// get the item back:
///
///     auto sending = queue.send(std::move(item));
///     co_await race(sending, sleep_for(1s));
///     if (!sending.is_sent())
///         item = std::move(sending).item();
///
/// Moves until it is awaited. One task at a time awaits it. Requires: the channel lives.
template <class T>
class [[nodiscard]] send_operation {
public:
    /// Whether the item was sent: it is not here any more.
    [[nodiscard]] bool is_sent() const noexcept { return is_sent_; }
    /// The item. Requires: it was not sent, and no task waits to send it.
    [[nodiscard]] T&& item() && noexcept { return std::move(item_); }

    /// For select(): sends if that is possible at once. Throws std::bad_alloc.
    [[nodiscard]] std::optional<bool> poll() {
        if (is_sent_ || channel_->try_send(item_))
            return is_sent_ = true;
        switch (channel_->send_slowly(item_, nullptr)) {
            case detail::channel_outcome::done:
                return is_sent_ = true;
            case detail::channel_outcome::closed:
                return false;
            case detail::channel_outcome::must_wait:
                break;
        }
        return std::nullopt;
    }

    class awaiter {
    public:
        explicit awaiter(send_operation& awaited) noexcept : sending_(awaited) {}
        awaiter(const awaiter&) = delete;
        awaiter& operator=(const awaiter&) = delete;
        // An item that was taken was sent, even if the wait is dropped.
        ~awaiter() {
            if (waiter_) [[unlikely]]
                if (waiter_->is_waiting())
                    static_cast<void>(waiter_->withdraw(*sending_.channel_));
        }

        bool await_ready() noexcept {
            return sending_.is_sent_ || (detail::resume_loop::consume_budget() &&
                                         (sending_.is_sent_ = sending_.channel_->try_send(sending_.item_)));
        }
        bool await_suspend(detail::suspension point) {
            waiter_.emplace(&sending_.item_, sending_.is_sent_);
            waiter_->suspend(point);
            const auto outcome = sending_.channel_->send_slowly(sending_.item_, &*waiter_);
            if (outcome == detail::channel_outcome::must_wait)
                return true;
            if (outcome == detail::channel_outcome::done)
                sending_.is_sent_ = true;
            return waiter_->gives_way();
        }
        bool await_resume() noexcept {
            if (waiter_) [[unlikely]]
                waiter_->finish();
            return sending_.is_sent_;
        }

    private:
        send_operation& sending_;
        std::optional<detail::channel_sender> waiter_;  // made only to wait, since most need not
    };
    awaiter operator co_await() & noexcept { return awaiter(*this); }
    awaiter operator co_await() && noexcept { return awaiter(*this); }

private:
    friend class channel<T>;
    send_operation(detail::channel_items<T>& target, T&& item) noexcept
        : channel_(&target), item_(std::move(item)) {}

    detail::channel_items<T>* channel_;
    T item_;
    bool is_sent_ = false;
};

/// What channel::recv() returns. Awaited, it returns the next item, or std::nullopt if the channel is closed
/// and drained.
///
/// Requires: the channel lives.
template <class T>
class [[nodiscard]] receive_operation {
public:
    /// For select(): receives if that is possible at once.
    [[nodiscard]] std::optional<std::optional<T>> poll() noexcept {
        std::optional<T> item;
        if (channel_->try_receive(item) ||
            channel_->receive_slowly(item, nullptr) != detail::channel_outcome::must_wait)
            return item;
        return std::nullopt;
    }

    class awaiter {
    public:
        explicit awaiter(detail::channel_items<T>& awaited) noexcept : channel_(awaited) {}
        awaiter(const awaiter&) = delete;
        awaiter& operator=(const awaiter&) = delete;
        [[gnu::always_inline]] ~awaiter() {
            if (waiter_) [[unlikely]]
                if (waiter_->is_waiting())
                    leave();
        }

        bool await_ready() noexcept {
            return detail::resume_loop::consume_budget() && channel_.try_receive(item_);
        }
        bool await_suspend(detail::suspension point) noexcept {
            waiter_.emplace(channel_, item_);
            waiter_->suspend(point);
            if (detail::resume_loop::is_turn_over() && channel_.keep_slot()) [[unlikely]]
                return waiter_->is_handed = waiter_->gives_way();
            return channel_.receive_slowly(item_, &*waiter_) == detail::channel_outcome::must_wait;
        }
        std::optional<T> await_resume() noexcept {
            if (waiter_) [[unlikely]]
                finish();
            return std::move(item_);
        }

    private:
        [[gnu::noinline]] void leave() noexcept {
            const bool was_released = waiter_->withdraw(channel_);
            if (!std::exchange(waiter_->is_handed, false))
                return;
            if (was_released)
                channel_.give_back(*item_);
            else
                channel_.note_taken();
        }
        void finish() noexcept {
            waiter_->finish();
            if (std::exchange(waiter_->is_handed, false))
                channel_.note_taken();
        }

        detail::channel_items<T>& channel_;
        std::optional<T> item_;
        std::optional<detail::channel_receiver<T>> waiter_;  // made only to wait, since most need not
    };
    awaiter operator co_await() const noexcept { return awaiter(*channel_); }

private:
    friend class channel<T>;
    explicit receive_operation(detail::channel_items<T>& source) noexcept : channel_(&source) {}

    detail::channel_items<T>* channel_;
};

}  // namespace eddy
