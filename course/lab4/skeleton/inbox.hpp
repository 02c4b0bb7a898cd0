#pragma once

#include "loop.hpp"
#include "parked.hpp"
#include "support/todo.hpp"
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
        // Push it in front of the newest. Step 2: wake the loop up if it sleeps.
        static_cast<void>(item);
        course::todo("step 1: inbox::post");
    }

    time_point now() override { return clock::now(); }

    /// Called by the loop: posts what has come to the loop, and waits for it if it may.
    void wait(std::optional<time_point> until) override {
        if (fetch() || until == time_point::min())
            return;
        course::todo("step 2: inbox::wait");
    }

    /// How often a thread has been woken.
    [[nodiscard]] std::uint64_t wake_ups() const noexcept {
        return wake_ups_.load(std::memory_order_relaxed);
    }

private:
    suspended* sleeping() noexcept { return &sleeping_; }

    /// Hands what has come to the loop, in the order of the posts. Whether there was anything. Not asleep afterwards.
    bool fetch() noexcept {
        // Take all of it at once, turn it round, post each to loop::current().
        course::todo("step 1: inbox::fetch");
    }

    void wake_up() noexcept {
        wake_ups_.fetch_add(1, std::memory_order_relaxed);
        course::todo("step 2: inbox::wake_up");
    }

    void sleep(std::optional<time_point> until) noexcept {
        timespec left{};
        if (until) {
            const auto length = std::max(*until - now(), duration::zero());
            const auto seconds = std::chrono::floor<std::chrono::seconds>(length);
            left.tv_sec = seconds.count();
            left.tv_nsec = (length - seconds).count();
        }
        // Without `until`, ppoll() takes a null pointer for the time.
        static_cast<void>(left);
        course::todo("step 2: inbox::sleep");
    }

    static inline thread_local constinit inbox* current_ = nullptr;

    std::atomic<suspended*> newest_ = nullptr;
    std::atomic<std::uint64_t> wake_ups_ = 0;
    suspended sleeping_;  // whose address is the mark
    int event_;
};

inline void suspended::suspend(std::coroutine_handle<> caller) noexcept {
    static_cast<void>(caller);
    course::todo("step 1: suspended::suspend");
}

inline void suspended::wake() noexcept {
    // Step 3: in its home, the ready queue is enough.
    course::todo("step 3: suspended::wake");
}

}  // namespace lab
