#pragma once

#include "parked.hpp"
#include "support/list.hpp"
#include "support/todo.hpp"
#include "support/trace.hpp"
#include "task.hpp"
#include "timers.hpp"
#include "waiter.hpp"

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace lab {

class loop;

/// A task that has been spawned: a coroutine that belongs to its loop, and destroys itself when it ends.
class spawned {
public:
    class promise_type : public course::traced_frame, public course::link {
    public:
        spawned get_return_object() noexcept { return spawned(*this); }
        std::suspend_always initial_suspend() const noexcept { return {}; }
        // Step 3: std::suspend_always or std::suspend_never? Which of them lets it destroy itself?
        std::suspend_always final_suspend() const noexcept {
            course::todo("step 3: final_suspend of spawned");
        }
        void return_void() const noexcept {}
        void unhandled_exception() const noexcept { std::terminate(); }

        parked start;
    };

    explicit spawned(promise_type& promise) noexcept : promise(promise) {}

    promise_type& promise;
};

/// A queue of coroutines that are ready, the timers, and what resumes the ones and waits for the others. It belongs
/// to one thread. Destroying it destroys the spawned tasks that have not ended.
class loop {
public:
    loop() : loop(own_waiter_) {}
    /// The waiter outlives the loop.
    explicit loop(waiter& waits) : waiter_(waits), timers_(waits.now()) {}
    loop(const loop&) = delete;
    loop& operator=(const loop&) = delete;
    ~loop() {
        // Step 3: destroy the spawned tasks that have not ended.
    }

    /// The loop whose run() is under way in this thread. Requires: there is one.
    [[nodiscard]] static loop& current() noexcept { return *current_; }

    /// Runs the loop until `work` has ended, and returns its result or throws its exception. What has been spawned
    /// and has not ended by then goes on in the next run().
    template <class T>
    T run(task<T> work) {
        // Make this the current loop; post the task; turn until it is done.
        static_cast<void>(work);
        course::todo("step 1: loop::run");
    }

    /// Starts a task which the loop owns, in its next turn. An exception that leaves the task ends the program.
    void spawn(task<> work) {
        static_cast<void>(work);
        course::todo("step 3: loop::spawn");
    }

    /// Makes a coroutine ready: it is resumed by the loop, in the order of the calls. Destroying `ready`, with its
    /// frame, takes it back.
    void post(parked&) noexcept { course::todo("step 1: loop::post"); }

    [[nodiscard]] time_point now() { return waiter_.now(); }

    /// The timer's coroutine is resumed when its time has come.
    void add(timer& added) { timers_.add(added); }
    void remove(timer& removed) noexcept { timers_.remove(removed); }

private:
    /// The coroutine that owns a spawned task: its frame goes when the task has ended.
    static spawned own(task<> work) { co_await std::move(work); }

    /// Resumes what is ready now. What becomes ready meanwhile has to wait for the next turn, so that timers and the
    /// kernel have theirs.
    void resume_ready() { course::todo("step 1: loop::resume_ready"); }
    /// Waits for the next timer if nothing is ready, and otherwise only looks.
    void wait() { course::todo("step 1: loop::wait"); }
    void post_due() {
        // Step 5: post the timers that are due now. Until then there are none.
    }

    static inline thread_local constinit loop* current_ = nullptr;

    sleeping_waiter own_waiter_;
    waiter& waiter_;
    course::list<parked> ready_;
    timer_queue timers_;
    course::list<spawned::promise_type> spawned_;
};

/// `co_await yield()`: lets everything else that is ready run first.
class yield {
public:
    yield() noexcept = default;

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<>) noexcept { course::todo("step 2: yield::await_suspend"); }
    void await_resume() const noexcept {}

private:
    parked here_;
};

}  // namespace lab
