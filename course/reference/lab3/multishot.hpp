#pragma once

#include "loop.hpp"
#include "parked.hpp"
#include "ring.hpp"
#include "support/list.hpp"

#include <coroutine>

namespace lab {

/// An operation that reports many times, and the coroutine that waits for one of its reports.
///
/// It lives on the heap, because the kernel may have it longer than its owner lives: abandon() cancels it, and it
/// destroys itself with its last completion.
class multishot : public operation {
public:
    multishot(const multishot&) = delete;
    multishot& operator=(const multishot&) = delete;

    [[nodiscard]] bool is_under_way() const noexcept { return is_under_way_; }

    /// The owner's interest has ended.
    void abandon() noexcept {
        is_abandoned_ = true;
        if (is_under_way_)
            ring::current().cancel(*this);
        else
            delete this;
    }

    void completed(int result, unsigned flags) noexcept final {
        is_under_way_ = (flags & IORING_CQE_F_MORE) != 0;
        if (is_abandoned_)
            discard(result, flags);
        else
            report(result, flags);
        if (!is_under_way_ && is_abandoned_)
            delete this;
    }

    /// Whether something was reported that was not taken yet.
    [[nodiscard]] virtual bool has_answer() const noexcept = 0;
    /// Posts `waiting` when there is an answer. Requires: there is none, and nothing else waits.
    void wait(parked& waiting) noexcept {
        waiting_.push_back(waiting);
        if (!is_under_way_)
            begin();
    }

protected:
    multishot() = default;
    virtual ~multishot() = default;

    virtual void prepare(io_uring_sqe& entry) noexcept = 0;
    /// Stores the result.
    virtual void report(int result, unsigned flags) noexcept = 0;
    /// Releases what came too late.
    virtual void discard(int result, unsigned flags) noexcept = 0;

    void begin() noexcept {
        is_under_way_ = true;
        prepare(ring::current().entry_for(this));
    }
    /// Ends it for now: what is reported comes faster than it is taken.
    void pause() noexcept { ring::current().cancel(*this); }
    void wake() noexcept {
        if (waiting_.empty())
            return;
        if (has_answer())
            loop::current().post(waiting_.pop_front());
        else if (!is_under_way_)
            begin();
    }

private:
    course::list<parked> waiting_;  // one at the most
    bool is_under_way_ = false;
    bool is_abandoned_ = false;
};

/// Suspends until a multishot has an answer. Requires: nothing else waits for one.
class answer {
public:
    explicit answer(multishot& of) noexcept : of_(of) {}
    bool await_ready() const noexcept { return of_.has_answer(); }
    void await_suspend(std::coroutine_handle<> waiting) noexcept {
        here_.frame = waiting;
        of_.wait(here_);
    }
    void await_resume() const noexcept {}

private:
    multishot& of_;
    parked here_;
};

}  // namespace lab
