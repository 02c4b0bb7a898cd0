#pragma once

#include "loop.hpp"
#include "parked.hpp"
#include "waiter.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <optional>
#include <poll.h>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace lab {

class inbox;

/// A suspended coroutine that any thread may wake. It is resumed by the loop of its own thread, its home. It is not
/// destroyed while it waits: taking it back from another thread is lab 5's.
class suspended : public parked {
public:
    /// For await_suspend(): notes what to resume, and where. Requires: the thread has an inbox.
    void suspend(std::coroutine_handle<> caller) noexcept;

    /// Makes it ready in its home. Any thread. It may be gone when this returns.
    void wake() noexcept;

private:
    friend class inbox;

    inbox* home_ = nullptr;
    suspended* next_ = nullptr;  // in the inbox: the one that came before
};

/// The way into a loop from other threads, and what the loop waits by. Any number of threads post, one fetches; there is no
/// lock.
///
/// `newest_` holds
/// - null: nothing is in it, and the loop runs;
/// - the sleeping mark: nothing is in it, and the loop sleeps or is about to: the next post has to wake it;
/// - else what was posted last, which leads to what came before.
class inbox : public waiter {
public:
    inbox() : event_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
        if (event_ < 0)
            throw std::system_error(errno, std::generic_category(), "eventfd");
    }
    inbox(const inbox&) = delete;
    inbox& operator=(const inbox&) = delete;
    ~inbox() override { ::close(event_); }

    /// Makes this the inbox of the thread, as long as it lives.
    class entered {
    public:
        explicit entered(inbox& here) noexcept : before_(std::exchange(current_, &here)) {}
        entered(const entered&) = delete;
        ~entered() { current_ = before_; }

    private:
        inbox* before_;
    };
    /// That of this thread, or null.
    [[nodiscard]] static inbox* current() noexcept { return current_; }

    /// Any thread.
    void post(suspended& item) noexcept {
        suspended* newest = newest_.load(std::memory_order_relaxed);
        do {
            item.next_ = newest == sleeping() ? nullptr : newest;
        } while (!newest_.compare_exchange_weak(newest, &item, std::memory_order_release,
                                                std::memory_order_relaxed));
        if (newest == sleeping())
            wake_up();
    }

    time_point now() override { return clock::now(); }

    /// Called by the loop: posts what has come to the loop, and waits for it if it may.
    void wait(std::optional<time_point> until) override {
        if (fetch() || until == time_point::min())
            return;
        suspended* expected = nullptr;
        if (newest_.compare_exchange_strong(expected, sleeping(), std::memory_order_relaxed))
            sleep(until);
        fetch();
    }

    /// How often a thread has been woken.
    [[nodiscard]] std::uint64_t wake_ups() const noexcept {
        return wake_ups_.load(std::memory_order_relaxed);
    }

private:
    suspended* sleeping() noexcept { return &sleeping_; }

    /// Hands what has come to the loop, in the order of the posts. Whether there was anything. Not asleep afterwards.
    bool fetch() noexcept {
        if (newest_.load(std::memory_order_relaxed) == nullptr)
            return false;
        suspended* item = newest_.exchange(nullptr, std::memory_order_acquire);
        if (item == sleeping())
            return false;
        suspended* oldest = nullptr;
        while (item != nullptr) {
            suspended* const before = std::exchange(item->next_, oldest);
            oldest = item;
            item = before;
        }
        while (oldest != nullptr)
            loop::current().post(*std::exchange(oldest, oldest->next_));
        return true;
    }

    void wake_up() noexcept {
        wake_ups_.fetch_add(1, std::memory_order_relaxed);
        const std::uint64_t one = 1;
        static_cast<void>(
            !::write(event_, &one, sizeof one));  // it fails only when it is full: awake in any case
    }

    void sleep(std::optional<time_point> until) noexcept {
        timespec left{};
        if (until) {
            const auto length = std::max(*until - now(), duration::zero());
            const auto seconds = std::chrono::floor<std::chrono::seconds>(length);
            left.tv_sec = seconds.count();
            left.tv_nsec = (length - seconds).count();
        }
        pollfd waited{.fd = event_, .events = POLLIN, .revents = 0};
        if (::ppoll(&waited, 1, until ? &left : nullptr, nullptr) > 0) {
            std::uint64_t count = 0;
            static_cast<void>(!::read(event_, &count, sizeof count));
        }
    }

    static inline thread_local constinit inbox* current_ = nullptr;

    std::atomic<suspended*> newest_ = nullptr;
    std::atomic<std::uint64_t> wake_ups_ = 0;
    suspended sleeping_;  // whose address is the mark
    int event_;
};

inline void suspended::suspend(std::coroutine_handle<> caller) noexcept {
    frame = caller;
    home_ = inbox::current();
}

inline void suspended::wake() noexcept {
    if (home_ == inbox::current())
        loop::current().post(*this);
    else
        home_->post(*this);
}

}  // namespace lab
