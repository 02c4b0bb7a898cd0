#pragma once

#include <eddy/core/detail/inbox_item.hpp>
#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/io/detail/blocking_executor.hpp>
#include <eddy/runtime/work_kind.hpp>

#include <exception>
#include <utility>

namespace eddy {

class offload_pool;

namespace detail {

class worker_core;

/// Work on its way from a worker to the offload pool and home again. Owned by its awaiter, or by itself once
/// that was dropped while the work ran: then it frees itself when it comes home.
class pool_call : public io::blocking_item, public inbox_item {
public:
    pool_call(const pool_call&) = delete;
    pool_call& operator=(const pool_call&) = delete;

    /// Goes to the pool of the running worker's runtime. Where that is not possible it comes home with the
    /// reason as its error.
    void start(work_kind kind, job& waiter) noexcept;

    /// Releases the awaiter's share. Frees the call now if it has not begun or is back, otherwise when it
    /// comes back.
    void abandon() noexcept;

protected:
    explicit pool_call(io::blocking_item::run_function run_on_pool) noexcept
        : blocking_item(run_on_pool), inbox_item(&come_home) {}
    virtual ~pool_call() = default;

    /// On the pool, once all is done. The call may be gone afterwards.
    void go_home() noexcept;

    /// At home, before the call is posted; what it throws is the call's error.
    virtual void prepare(offload_pool&, work_kind) {}
    /// At home: there is an error instead of a result.
    virtual void fail(std::exception_ptr error) noexcept = 0;
    /// On the caller's worker, while the work runs: the result is no longer needed.
    virtual void stop_early() noexcept {}

private:
    static void come_home(inbox_item& item, bool is_discarded) noexcept;

    worker_core* home_ = nullptr;
    job* waiter_ = nullptr;  // the home worker's, as is is_home_
    bool is_home_ = false;
};

/// Awaits a call of type Call: a pool_call with `needs_no_thread()` and `take()`.
template <class Call>
class [[nodiscard]] pool_call_awaiter {
public:
    pool_call_awaiter(Call* call, work_kind kind) noexcept : call_(call), kind_(kind) {}
    pool_call_awaiter(pool_call_awaiter&& other) noexcept
        : call_(std::exchange(other.call_, nullptr)), kind_(other.kind_) {}
    pool_call_awaiter& operator=(pool_call_awaiter&&) = delete;
    ~pool_call_awaiter() {
        if (call_ != nullptr)
            call_->abandon();
    }

    bool await_ready() const noexcept { return call_->needs_no_thread(); }
    void await_suspend(suspension point) noexcept {
        call_->start(kind_, resume_loop::current().suspend(point));
    }
    decltype(auto) await_resume() { return call_->take(); }

private:
    Call* call_;
    work_kind kind_;
};

}  // namespace detail

}  // namespace eddy
