#pragma once

#include <atomic>
#include <coroutine>
#include <source_location>
#include <type_traits>

// Where each coroutine waits, for the report of a hang. COURSE_TRACE=0 takes it out, as measuring does.
#ifndef COURSE_TRACE
#define COURSE_TRACE 1
#endif

namespace course {

#if COURSE_TRACE

/// An awaiter that is used where it is: g++ 12 would move what await_transform returns a reference to.
template <class Awaiter>
class awaiter_reference {
public:
    explicit awaiter_reference(Awaiter& awaited) noexcept : awaited_(awaited) {}

    decltype(auto) await_ready() { return awaited_.await_ready(); }
    template <class Promise>
    decltype(auto) await_suspend(std::coroutine_handle<Promise> caller) {
        return awaited_.await_suspend(caller);
    }
    decltype(auto) await_resume() { return awaited_.await_resume(); }

private:
    Awaiter& awaited_;
};

/// Base class of a promise: it lists the coroutine, and notes the place of each `co_await` in it. A coroutine does
/// this in `await_transform`, through which the compiler passes what is awaited if the promise has such a function.
class traced_frame {
public:
    traced_frame(const traced_frame&) = delete;
    traced_frame& operator=(const traced_frame&) = delete;

    template <class Awaitable>
    decltype(auto) await_transform(Awaitable&& awaited,
                                   std::source_location here = std::source_location::current()) noexcept {
        place_.store(here, std::memory_order_relaxed);
        if constexpr (requires { awaited.await_ready(); })
            return awaiter_reference<std::remove_reference_t<Awaitable>>(awaited);
        else
            return static_cast<Awaitable&&>(awaited);
    }

    /// Calls `function(std::source_location)` for each coroutine that is alive. One that has not come to a
    /// `co_await` yet has line 0.
    template <class Function>
    static void for_each(Function function) {
        const locked here;
        for (const traced_frame* each = first_; each != nullptr; each = each->next_)
            function(each->place_.load(std::memory_order_relaxed));
    }

protected:
    traced_frame() noexcept {
        const locked here;
        next_ = first_;
        if (first_ != nullptr)
            first_->previous_ = this;
        first_ = this;
    }
    ~traced_frame() {
        const locked here;
        (previous_ != nullptr ? previous_->next_ : first_) = next_;
        if (next_ != nullptr)
            next_->previous_ = previous_;
    }

private:
    struct locked {
        locked() noexcept {
            while (lock_.test_and_set(std::memory_order_acquire)) {
            }
        }
        ~locked() { lock_.clear(std::memory_order_release); }
    };

    static inline constinit std::atomic_flag lock_;
    static inline constinit traced_frame* first_ = nullptr;

    std::atomic<std::source_location> place_;
    traced_frame* previous_ = nullptr;
    traced_frame* next_ = nullptr;
};

#else

class traced_frame {};

#endif

}  // namespace course
