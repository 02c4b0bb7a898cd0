#pragma once

#include "pipeline/upstream_call.hpp"

#include <coroutine>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace eddy::apps {

/// The way of one answer from the thread where it comes about to the task that awaits it elsewhere.
///
/// Ownership: shared by both ends. Cancellation: who does not wait any more lets go of it, and the answer
/// goes nowhere. Thread safety: give() is for any thread, once; the rest for the task's worker.
class answer_path {
public:
    void give(upstream_result answer) {
        const std::scoped_lock lock(mutex_);
        answer_ = std::move(answer);
        // Sends a message to the task's worker, and nothing else runs meanwhile.
        if (const auto waiting = std::exchange(waiting_, {}))
            waiting.resume();
    }

    class awaiter {
    public:
        explicit awaiter(answer_path& path) noexcept : path_(path) {}
        awaiter(awaiter&& other) noexcept : path_(other.path_) {}  // before it waits
        awaiter& operator=(awaiter&&) = delete;
        ~awaiter() {
            const std::scoped_lock lock(path_.mutex_);
            path_.waiting_ = {};
        }

        [[nodiscard]] bool await_ready() const noexcept { return false; }
        bool await_suspend(std::coroutine_handle<> point) {
            const std::scoped_lock lock(path_.mutex_);
            if (path_.answer_)
                return false;
            path_.waiting_ = point;
            return true;
        }
        upstream_result await_resume() { return std::move(*path_.answer_); }

    private:
        answer_path& path_;
    };

    [[nodiscard]] awaiter operator co_await() noexcept { return awaiter(*this); }

private:
    std::mutex mutex_;
    std::optional<upstream_result> answer_;
    std::coroutine_handle<> waiting_;
};

}  // namespace eddy::apps
