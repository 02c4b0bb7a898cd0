#pragma once

#include <eddy/base/intrusive_list.hpp>
#include <eddy/core/job.hpp>
#include <eddy/core/resume_loop.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>

#include <coroutine>
#include <cstddef>
#include <exception>
#include <expected>
#include <functional>
#include <system_error>
#include <utility>

namespace eddy {

/// Owns a changing number of running tasks. Each is freed as it ends.
///
/// - Ownership: tasks belong to the set until they end. Destroying the set drops them all.
/// - Errors: an exception that leaves a task goes to the error handler; without one it ends the program with
/// a
///   message that names the task.
/// - Thread safety: none; a set belongs to the worker on which it is used.
/// - A task of the set may cancel or destroy it: that task itself is then destroyed at its next suspension.
class task_set {
public:
    using error_handler = std::move_only_function<void(std::exception_ptr)>;

    task_set() = default;
    explicit task_set(error_handler on_error) : on_error_(std::move(on_error)) {}
    task_set(const task_set&) = delete;
    task_set& operator=(const task_set&) = delete;
    ~task_set() {
        EDDY_ASSERT(joiner_ == nullptr, "a task set outlives the join on it");
        cancel();
    }

    /// Starts a task; `name` is as for eddy::spawn. Throws std::bad_alloc.
    void spawn(task<void> work, const char* name = nullptr) {
        detail::job& started =
            detail::make_job(detail::resume_loop::current(), std::move(work), &on_ended, name);
        started.owner = this;
        running_.push_back(started);
        ++size_;
    }

    /// How many tasks have not ended.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

    /// Drops every task.
    void cancel() noexcept {
        while (!running_.empty()) {
            detail::job& dropped = running_.pop_front();
            --size_;
            dropped.set_ended_function(&detail::end_detached<void>);
            dropped.drop();
        }
        wake_joiner();
    }

    /// Waits until fewer than `size` tasks are left. Dropped: the tasks go on.
    class join_awaiter {
    public:
        join_awaiter(task_set& joined, std::size_t size) noexcept : set_(&joined), size_(size) {}
        join_awaiter(join_awaiter&& other) noexcept : set_(other.set_), size_(other.size_) {}
        join_awaiter& operator=(join_awaiter&&) = delete;
        ~join_awaiter() {
            if (is_waiting_)
                set_->joiner_ = nullptr;
        }
        bool await_ready() const noexcept { return set_->size() < size_; }
        void await_suspend(std::coroutine_handle<> point) noexcept {
            EDDY_ASSERT(set_->joiner_ == nullptr, "one task at a time joins a set");
            set_->joiner_ = &detail::resume_loop::current().suspend(point);
            set_->joined_size_ = size_;
            is_waiting_ = true;
        }
        /// Lets go of the set, which another task may destroy or join from here on.
        void await_resume() noexcept { is_waiting_ = false; }
        std::expected<void, std::error_code> outcome() noexcept {
            is_waiting_ = false;
            if (set_->size() >= size_)
                return std::unexpected(std::make_error_code(std::errc::operation_canceled));
            return {};
        }
        [[nodiscard]] bool is_pending() const noexcept { return set_->joiner_ != nullptr; }
        void interrupt() noexcept { set_->joiner_ = nullptr; }

    private:
        task_set* set_;
        std::size_t size_;
        bool is_waiting_ = false;
    };
    /// Waits until the set is empty. Dropped: the tasks go on. One task at a time waits for a set.
    [[nodiscard]] join_awaiter join() noexcept { return {*this, 1}; }
    /// Ends a join() or fewer_than() that is under way, whatever tasks are left.
    void release_joiner() noexcept {
        joined_size_ = size_ + 1;
        wake_joiner();
    }

    /// Waits until fewer than `size` tasks are left, for a limit on how many run at once. As join()
    /// otherwise.
    [[nodiscard]] join_awaiter fewer_than(std::size_t size) noexcept { return {*this, size}; }

private:
    static void on_ended(detail::job& ended) noexcept {
        auto& self = *static_cast<task_set*>(ended.owner);
        std::exception_ptr error;
        if (auto& result = detail::result_of<void>(ended); result.has_error())
            error = result.error();
        if (error && !self.on_error_)
            detail::uncaught_in_detached(ended.name(), error);
        // The task's destructors run first: they may still use what the error handler or the joiner frees.
        ended.destroy();
        if (error)
            self.on_error_(std::move(error));
        --self.size_;
        self.wake_joiner();
    }

    void wake_joiner() noexcept {
        if (joiner_ == nullptr || size_ >= joined_size_)
            return;
        detail::job& joiner = *std::exchange(joiner_, nullptr);
        joiner.loop().make_ready(joiner);
    }

    detail::intrusive_list<detail::job, detail::owner_tag> running_;
    std::size_t size_ = 0;
    detail::job* joiner_ = nullptr;
    std::size_t joined_size_ = 0;  // the joiner waits until fewer are left
    error_handler on_error_;
};

}  // namespace eddy
