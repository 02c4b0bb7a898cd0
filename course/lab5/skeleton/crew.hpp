#pragma once

#include "loop.hpp"
#include "parked.hpp"
#include "support/list.hpp"
#include "support/todo.hpp"
#include "support/trace.hpp"
#include "task.hpp"

#include <coroutine>
#include <cstddef>
#include <exception>
#include <utility>

namespace lab {

/// Owns a changing number of running tasks. Dropping it drops them all.
class crew {
public:
    class member;

    crew() = default;
    crew(const crew&) = delete;
    crew& operator=(const crew&) = delete;
    /// Requires: not called by one of its own tasks, as all of these.
    ~crew() { drop_all(); }

    /// Starts a task at the loop's next turn. The member exists until the task has ended or was dropped. Requires: no
    /// exception leaves the task.
    member& spawn(task<> started);
    /// Destroys the task where it waits.
    void drop(member& dropped) noexcept;
    void drop_all() noexcept;

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    /// co_await waits until there is no task left. One task waits at a time.
    class join_awaiter : public parked {
    public:
        explicit join_awaiter(crew& of) noexcept : of_(of) {}
        bool await_ready() const noexcept { return of_.size_ == 0; }
        void await_suspend(std::coroutine_handle<> caller) noexcept {
            static_cast<void>(caller);
            course::todo("step 5: join_awaiter::await_suspend");
        }
        void await_resume() const noexcept {}

    private:
        friend crew;
        crew& of_;
        loop* loop_ = nullptr;
    };
    [[nodiscard]] join_awaiter join() noexcept { return join_awaiter(*this); }

private:
    void remove(member& ended) noexcept;

    course::list<member> members_;
    std::size_t size_ = 0;
    course::list<join_awaiter> joining_;
};

/// One of a crew's tasks: the promise of a coroutine that awaits it, and that frees itself at its end. Its destructor
/// leaves the crew, on whichever way it ends.
class crew::member : public course::traced_frame, public course::link {
public:
    struct root {
        using promise_type = member;
        member* promise;
    };
    member(crew& owner, task<>&) noexcept : owner_(owner) {}
    ~member() { owner_.remove(*this); }
    root get_return_object() noexcept { return {this}; }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_never final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() const noexcept { std::terminate(); }

private:
    friend crew;
    static root run(crew&, task<> started) { co_await std::move(started); }
    [[nodiscard]] std::coroutine_handle<member> handle() noexcept {
        return std::coroutine_handle<member>::from_promise(*this);
    }

    crew& owner_;
    parked start_;
};

inline crew::member& crew::spawn(task<> started) {
    static_cast<void>(started);
    course::todo("step 5: crew::spawn");
}

inline void crew::drop(member& dropped) noexcept {
    static_cast<void>(dropped);
    course::todo("step 5: crew::drop");
}

inline void crew::drop_all() noexcept {
    // TODO(step 5): drop the members, one by one.
}

inline void crew::remove(member& ended) noexcept {
    static_cast<void>(ended);
    course::todo("step 5: crew::remove");
}

}  // namespace lab
