#pragma once

#include "inbox.hpp"
#include "support/list.hpp"

#include <coroutine>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace lab {

/// A queue of at most `capacity` items between tasks of any workers. Senders wait when it is full, receivers when it is
/// empty. With a capacity of 0 each item goes from hand to hand.
template <class T>
class channel {
public:
    explicit channel(std::size_t capacity) : capacity_(capacity) {}
    channel(const channel&) = delete;

    /// Nothing can be sent any more. Receivers still get what is in it, and then nothing; senders that wait fail.
    void close() noexcept {
        course::list<suspended> woken;
        {
            const std::lock_guard guard(lock_);
            is_closed_ = true;
            while (!senders_.empty())
                woken.push_back(senders_.pop_front());
            while (!receivers_.empty())
                woken.push_back(receivers_.pop_front());
        }
        while (!woken.empty())
            woken.pop_front().wake();
    }

    class sender : public suspended {
    public:
        sender(channel& to, T item) : channel_(to), item_(std::move(item)) {}

        bool await_ready() const noexcept { return false; }
        bool await_suspend(std::coroutine_handle<> caller) { return channel_.send_or_wait(*this, caller); }
        /// False if the channel was closed.
        bool await_resume() const noexcept { return is_sent_; }

    private:
        friend channel;
        channel& channel_;
        T item_;
        bool is_sent_ = false;
    };

    class receiver : public suspended {
    public:
        explicit receiver(channel& from) : channel_(from) {}

        bool await_ready() const noexcept { return false; }
        bool await_suspend(std::coroutine_handle<> caller) { return channel_.receive_or_wait(*this, caller); }
        /// Nothing if the channel is closed and empty.
        std::optional<T> await_resume() { return std::move(item_); }

    private:
        friend channel;
        channel& channel_;
        std::optional<T> item_;
    };

    [[nodiscard]] sender send(T item) { return sender(*this, std::move(item)); }
    [[nodiscard]] receiver receive() { return receiver(*this); }

private:
    // Both return whether to wait.

    bool send_or_wait(sender& one, std::coroutine_handle<> caller) {
        one.suspend(caller);
        receiver* served = nullptr;
        {
            const std::lock_guard guard(lock_);
            if (is_closed_)
                return false;
            if (!receivers_.empty()) {
                served = &receivers_.pop_front();
                served->item_.emplace(std::move(one.item_));
            } else if (items_.size() < capacity_) {
                items_.push_back(std::move(one.item_));
            } else {
                senders_.push_back(one);
                return true;
            }
            one.is_sent_ = true;
        }
        if (served != nullptr)
            served->wake();
        return false;
    }

    bool receive_or_wait(receiver& one, std::coroutine_handle<> caller) {
        one.suspend(caller);
        sender* served = nullptr;
        {
            const std::lock_guard guard(lock_);
            if (!senders_.empty()) {
                // The queue is full: its first item is next, and the sender's goes to its end.
                served = &senders_.pop_front();
                items_.push_back(std::move(served->item_));
                served->is_sent_ = true;
            }
            if (!items_.empty()) {
                one.item_.emplace(std::move(items_.front()));
                items_.pop_front();
            } else if (!is_closed_) {
                receivers_.push_back(one);
                return true;
            }
        }
        if (served != nullptr)
            served->wake();
        return false;
    }

    const std::size_t capacity_;
    std::mutex lock_;
    bool is_closed_ = false;
    std::deque<T> items_;
    course::list<sender> senders_;
    course::list<receiver> receivers_;
};

}  // namespace lab
