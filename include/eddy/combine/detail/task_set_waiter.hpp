#pragma once

#include <eddy/core/detail/job.hpp>
#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/detail/intrusive_list.hpp>

#include <expected>
#include <system_error>
#include <utility>

namespace eddy::detail {

/// A task that waits for something of a task_set, placed in its awaiter; the base of a set's awaiters.
///
/// Life: waiting (linked, unless something else in the set refers to it), then either answered by the set
/// (granted or refused, which unlinks it and makes its task ready) or taken back by its own side (dropped or
/// interrupted, which unlinks it too). From then on it does not touch the set, which may be gone by the time
/// the task goes on.
///
/// Thread safety: none; belongs to the worker of the set.
class task_set_waiter : public list_hook<> {
public:
    task_set_waiter() noexcept = default;

    void await_resume() const {
        if (!answer_)
            throw std::system_error(answer_.error(), "task set");
    }
    [[nodiscard]] std::expected<void, std::error_code> outcome() const noexcept { return answer_; }
    [[nodiscard]] bool is_pending() const noexcept { return is_linked(); }
    /// Takes the wait back; its outcome is operation_canceled.
    void interrupt() noexcept { unlink(); }

    /// Answers a wait that has not begun.
    void grant() noexcept { answer_ = {}; }
    void refuse(std::errc reason) noexcept { answer_ = std::unexpected(std::make_error_code(reason)); }
    /// Makes its task ready. Requires: it waited, and was taken from its list.
    void wake() noexcept { waiting_->loop().make_ready(*waiting_); }

protected:
    ~task_set_waiter() = default;

    void wait(suspension point) noexcept { waiting_ = &resume_loop::current().suspend(point); }
    void wait_in(intrusive_list<task_set_waiter>& waiters, suspension point) noexcept {
        wait(point);
        waiters.push_back(*this);
    }
    /// Where there is nothing to wait for, and it is other tasks' turn.
    static void give_way(suspension point) noexcept {
        resume_loop& loop = resume_loop::current();
        loop.make_ready_later(loop.suspend(point));
    }
    [[nodiscard]] bool has_begun() const noexcept { return waiting_ != nullptr; }

private:
    job* waiting_ = nullptr;
    std::expected<void, std::error_code> answer_ =
        std::unexpected(std::make_error_code(std::errc::operation_canceled));
};

using task_set_waiters = intrusive_list<task_set_waiter>;

}  // namespace eddy::detail
