#pragma once

#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/io/detail/backend.hpp>
#include <eddy/io/detail/operation.hpp>
#include <eddy/io/detail/result.hpp>

#include <coroutine>
#include <cstdint>

namespace eddy::io {

/// backend::try_now(), for the running task; `not_now` also where it is not to be tried.
[[nodiscard]] std::int32_t try_unsuspended(io::backend& backend, operation& op, speculation& record) noexcept;
/// The same with occasion::asked_for.
[[nodiscard]] std::int32_t try_as_requested(io::backend& backend, operation& op) noexcept;

/// The part of an awaiter that runs one single-shot operation for the task that awaits it. Base is operation
/// or scratch_operation. What derives from it fills in the request before the suspension, and turns the
/// result into a value.
///
/// Dropping: the operation is withdrawn before the destructor returns. A derived class that must keep what
/// was won in the race calls withdraw_if_pending() in its own destructor.
template <class Base>
class awaited_operation : public Base {
public:
    awaited_operation(io::backend& backend, opcode kind) noexcept
        : awaited_operation(backend, kind, &on_ended) {}
    /// Requires: nothing has been awaited yet.
    awaited_operation(awaited_operation&& other) noexcept
        : Base(other.code, other.on_completed), backend_(other.backend_) {
        EDDY_ASSERT(other.is_idle(), "an operation does not move while it is under way");
        this->whole = other.whole;
        this->descriptor = other.descriptor;
        this->address = other.address;
        this->size = other.size;
        this->offset = other.offset;
    }
    awaited_operation& operator=(awaited_operation&&) = delete;
    ~awaited_operation() { withdraw_if_pending(); }

    bool await_ready() const noexcept { return false; }
    void await_suspend(detail::suspension point) noexcept {
        waiter_ = &detail::resume_loop::current().suspend(point);
        if (is_done_)
            waiter_->loop().make_ready_later(*waiter_);
        else
            backend_->submit(*this);
    }

    /// Whether a task waits and nothing has been decided yet.
    [[nodiscard]] bool is_pending() const noexcept { return !this->is_idle(); }
    /// Ends the wait now; the outcome is what was won in the race, or operation_canceled. The waiting task is
    /// not made ready. Requires: is_pending().
    void interrupt() noexcept { withdraw_if_pending(); }

protected:
    /// With a completed function of the derived class's own, which calls end_with().
    awaited_operation(io::backend& backend, opcode kind, operation::completed_function completed) noexcept
        : Base(kind, completed), backend_(&backend) {}

    /// Stores the result and makes the waiting task ready.
    void end_with(std::int32_t result) noexcept {
        result_ = result;
        waiter_->loop().make_ready(*waiter_);
    }
    [[nodiscard]] io::backend& backend() const noexcept { return *backend_; }
    /// Whether it was begun at all.
    [[nodiscard]] bool was_awaited() const noexcept { return waiter_ != nullptr || is_done_; }
    /// Whether it was carried out without having been under way.
    [[nodiscard]] bool is_done() const noexcept { return is_done_; }

    /// For await_ready() of a derived class: carries the operation out if that takes no waiting. Whether it
    /// has, and then the result is there. await_suspend() makes the task ready at once then.
    [[nodiscard]] bool try_at_once(speculation& record) noexcept {
        if (const std::int32_t result = try_unsuspended(*backend_, *this, record); result != not_now) {
            result_ = result;
            is_done_ = true;
        }
        return is_done_;
    }
    /// The result of await_ready() for an operation that is done: false when other tasks must run first.
    [[nodiscard]] bool consume_budget() const noexcept {
        const std::size_t bytes = result_ > 0 ? static_cast<std::size_t>(result_) : 0;
        return detail::resume_loop::consume_budget(detail::resume_loop::budget_cost(bytes));
    }
    /// The same for the await_ready() of a write, which may have to be whole: advance(count) counts what was
    /// written and says whether some is left. True when it is done, and it is not other tasks' turn.
    template <class Advance>
    [[nodiscard]] bool try_writing(speculation& record, Advance advance) noexcept {
        if (this->descriptor < 0 || !try_at_once(record))
            return false;
        const bool is_our_turn = consume_budget();
        if (!this->whole || result_ <= 0)
            return is_our_turn;
        is_done_ = !advance(result_);  // what is left is to be submitted
        result_ = 0;
        return is_done_ && is_our_turn;
    }
    /// The result once the operation has ended.
    [[nodiscard]] std::int32_t result() const noexcept { return result_; }

    /// For a derived class to which the result of an operation that was taken back means something else.
    void set_result(std::int32_t result) noexcept { result_ = result; }

    void withdraw_if_pending() noexcept {
        if (!this->is_idle()) [[unlikely]]
            result_ = backend_->withdraw(*this);
    }

private:
    static void on_ended(operation& ended, const completion& outcome) noexcept {
        static_cast<awaited_operation&>(ended).end_with(outcome.result);
    }

    io::backend* backend_;
    detail::job* waiter_ = nullptr;
    std::int32_t result_ = 0;
    bool is_done_ = false;
};

}  // namespace eddy::io
