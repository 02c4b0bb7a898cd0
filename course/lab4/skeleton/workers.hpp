#pragma once

#include "inbox.hpp"
#include "loop.hpp"
#include "outcome.hpp"
#include "support/trace.hpp"
#include "task.hpp"

#include <coroutine>
#include <cstddef>
#include <deque>
#include <exception>
#include <semaphore>
#include <thread>
#include <type_traits>
#include <utility>

namespace lab {

/// Threads with a loop and an inbox each. A task stays on the worker on which it starts. Destroying the workers ends
/// the threads, and with them the tasks that have not ended.
class workers {
public:
    explicit workers(std::size_t count) : members_(count) {
        for (member& each : members_)
            each.thread = std::thread([&each] { each.run(); });
    }
    workers(const workers&) = delete;
    ~workers() {
        for (member& each : members_)
            each.messages.post(end(each.idle).promise.start);
        for (member& each : members_)
            each.thread.join();
    }

    [[nodiscard]] std::size_t size() const noexcept { return members_.size(); }
    [[nodiscard]] inbox& inbox_of(std::size_t worker) noexcept { return members_[worker].messages; }

    /// Starts a task, which has not been started, on that worker. Any thread.
    void spawn_on(std::size_t worker, task<> work) {
        member& chosen = members_[worker];
        chosen.messages.post(arrive(std::move(work)).promise.start);
    }

    /// Runs a task on that worker, and blocks this thread until it has ended. Requires: this thread is no worker.
    template <class T>
    T run_on(std::size_t worker, task<T> work) {
        outcome<T> result;
        std::binary_semaphore has_ended(0);
        spawn_on(worker, deliver(std::move(work), result, has_ended));
        has_ended.acquire();
        return result.take();
    }

private:
    /// A coroutine that starts where it is posted to, and frees itself at its end.
    struct message {
        struct promise_type : course::traced_frame {
            message get_return_object() noexcept {
                start.frame = std::coroutine_handle<promise_type>::from_promise(*this);
                return message(*this);
            }
            std::suspend_always initial_suspend() const noexcept { return {}; }
            std::suspend_never final_suspend() const noexcept { return {}; }
            void return_void() const noexcept {}
            void unhandled_exception() const noexcept { std::terminate(); }

            suspended start;
        };
        explicit message(promise_type& sent) noexcept : promise(sent) {}
        promise_type& promise;
    };

    static message arrive(task<> work) {
        loop::current().spawn(std::move(work));
        co_return;
    }

    template <class T>
    static task<> deliver(task<T> work, outcome<T>& result, std::binary_semaphore& has_ended) {
        try {
            if constexpr (std::is_void_v<T>) {
                co_await std::move(work);
                result.set_value();
            } else {
                result.set_value(co_await std::move(work));
            }
        } catch (...) {
            result.set_error(std::current_exception());
        }
        has_ended.release();
    }

    /// The main task of a worker: it waits for the end.
    class standing_by {
    public:
        explicit standing_by(suspended& idle) noexcept : idle_(idle) {}
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> caller) noexcept { idle_.suspend(caller); }
        void await_resume() const noexcept {}

    private:
        suspended& idle_;
    };
    static task<> stand_by(suspended& idle) { co_await standing_by(idle); }
    static message end(suspended& idle) {
        loop::current().post(idle);
        co_return;
    }

    struct member {
        inbox messages;
        suspended idle;
        std::thread thread;

        void run() {
            const inbox::entered here(messages);
            loop turns(messages);
            turns.run(stand_by(idle));
        }
    };

    std::deque<member> members_;
};

}  // namespace lab
