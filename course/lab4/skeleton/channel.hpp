#pragma once

#include "inbox.hpp"
#include "support/list.hpp"
#include "support/todo.hpp"

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
    void close() noexcept { course::todo("step 7: channel::close"); }

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
        // A receiver that waits is served first; then there may be room in the queue; else it waits.
        static_cast<void>(one);
        static_cast<void>(caller);
        course::todo("step 7: channel::send_or_wait");
    }

    bool receive_or_wait(receiver& one, std::coroutine_handle<> caller) {
        // What is in the queue comes first. A sender that waits has room then, or passes its item on.
        static_cast<void>(one);
        static_cast<void>(caller);
        course::todo("step 7: channel::receive_or_wait");
    }

    const std::size_t capacity_;
    std::mutex lock_;
    bool is_closed_ = false;
    std::deque<T> items_;
    course::list<sender> senders_;
    course::list<receiver> receivers_;
};

}  // namespace lab
