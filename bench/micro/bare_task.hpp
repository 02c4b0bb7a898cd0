#pragma once

// The least that a task can be: the yardstick for eddy's. A lazy coroutine with symmetric transfer or a
// trampoline in its place, frames from one free list a size class, an intrusive queue of what is ready. No
// cancellation, no limits, no jobs, no exceptions, no I/O.

#include <coroutine>
#include <cstddef>
#include <exception>
#include <new>
#include <utility>

namespace bare {

struct free_block {
    free_block* next;
};
inline constinit thread_local free_block* free_blocks[65]{};

struct frame {
    static void* operator new(std::size_t size) {
        free_block*& list = free_blocks[(size + 63) / 64];
        if (free_block* const first = list) {
            list = first->next;
            return first;
        }
        return ::operator new((size + 63) / 64 * 64);
    }
    static void operator delete(void* at, std::size_t size) noexcept {
        free_block*& list = free_blocks[(size + 63) / 64];
        list = ::new (at) free_block{list};
    }
};

template <class T>
struct result {
    T value;
    void return_value(T returned) noexcept { value = returned; }
    T take() noexcept { return value; }
};
template <>
struct result<void> {
    void return_void() noexcept {}
    void take() noexcept {}
};

/// Resumes the next coroutine by a tail call.
struct symmetric {
    using type = std::coroutine_handle<>;
    static type to(std::coroutine_handle<> next) noexcept { return next; }
    static void resume(std::coroutine_handle<> next) { next.resume(); }
};
/// Leaves the next coroutine to the loop, which resumes it once this one has returned.
struct trampoline {
    using type = void;
    static void to(std::coroutine_handle<> next) noexcept { transferred = next; }
    static void resume(std::coroutine_handle<> next) {
        while (next) {
            next.resume();
            next = std::exchange(transferred, {});
        }
    }
    static inline constinit thread_local std::coroutine_handle<> transferred{};
};

template <class T, class Transfer = symmetric>
class task {
public:
    struct promise_type : frame, result<T> {
        std::coroutine_handle<> continuation = std::noop_coroutine();
        task get_return_object() noexcept {
            return task(std::coroutine_handle<promise_type>::from_promise(*this));
        }
        std::suspend_always initial_suspend() noexcept { return {}; }
        struct final_awaiter {
            bool await_ready() noexcept { return false; }
            typename Transfer::type await_suspend(std::coroutine_handle<promise_type> ended) noexcept {
                return Transfer::to(ended.promise().continuation);
            }
            void await_resume() noexcept {}
        };
        final_awaiter final_suspend() noexcept { return {}; }
        void unhandled_exception() noexcept { std::terminate(); }
    };

    explicit task(std::coroutine_handle<promise_type> frame) noexcept : frame_(frame) {}
    task(task&& other) noexcept : frame_(std::exchange(other.frame_, {})) {}
    ~task() {
        if (frame_)
            frame_.destroy();
    }
    bool await_ready() const noexcept { return false; }
    typename Transfer::type await_suspend(std::coroutine_handle<> parent) noexcept {
        frame_.promise().continuation = parent;
        return Transfer::to(frame_);
    }
    T await_resume() noexcept { return frame_.promise().take(); }
    void start() noexcept { Transfer::resume(frame_); }

private:
    std::coroutine_handle<promise_type> frame_;
};

struct yield {
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiting) noexcept {
        point = waiting;
        next = nullptr;
        *last = this;
        last = &next;
    }
    void await_resume() const noexcept {}

    std::coroutine_handle<> point;
    yield* next = nullptr;

    static inline constinit thread_local yield* first = nullptr;
    static inline constinit thread_local yield** last = nullptr;
};

/// Runs a task to its end.
template <class Transfer>
void run(task<void, Transfer> work) {
    yield::last = &yield::first;
    work.start();
    while (yield* const ready = yield::first) {
        yield::first = ready->next;
        if (yield::first == nullptr)
            yield::last = &yield::first;
        Transfer::resume(ready->point);
    }
}

}  // namespace bare
