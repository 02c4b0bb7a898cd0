#pragma once

#include <eddy/combine/detail/job_group.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/clock.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/task.hpp>
#include <eddy/runtime/detail/timer_wheel.hpp>
#include <eddy/runtime/worker.hpp>

#include <expected>
#include <system_error>
#include <utility>

namespace eddy::detail {

/// Awaits a task until a deadline, at which it is dropped.
template <class T>
class [[nodiscard]] deadline_task {
public:
    using result_type = typename expected_for<T>::type;

    deadline_task(task<T> work, time_point deadline)
        : group_(job_group::make<T>(job_group::decided_by::nothing)), timer_(*this), deadline_(deadline) {
        group_->add(std::move(work));
    }
    deadline_task(deadline_task&& other) noexcept
        : group_(std::move(other.group_)), timer_(*this), deadline_(other.deadline_) {}
    deadline_task& operator=(deadline_task&&) = delete;
    ~deadline_task() = default;

    bool await_ready() const noexcept { return false; }
    void await_suspend(suspension point) noexcept {
        group_->start(point);
        worker_core::current().timers().arm(timer_, deadline_);
    }
    T await_resume() {
        if (!has_ended())
            throw std::system_error(std::make_error_code(std::errc::timed_out), "deadline");
        return group_->template result<T>(0).take();
    }
    result_type outcome() {
        if (!has_ended())
            return std::unexpected(std::make_error_code(std::errc::timed_out));
        return caught_outcome([this]() -> decltype(auto) { return group_->template result<T>(0).take(); });
    }

private:
    struct waking_timer : timer {
        explicit waking_timer(deadline_task& timed) noexcept : timer(&fired), owner(timed) {}
        static void fired(timer& late) noexcept { static_cast<waking_timer&>(late).owner.group_->wake(); }
        deadline_task& owner;
    };

    // What ended between the deadline and now has ended.
    bool has_ended() noexcept {
        timer_.unlink();
        if (group_->has_ended(0))
            return true;
        group_->drop_unended();
        return false;
    }

    job_group::owner group_;
    waking_timer timer_;
    time_point deadline_;
};

}  // namespace eddy::detail
