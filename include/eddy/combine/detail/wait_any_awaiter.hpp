#pragma once

#include <eddy/core/detail/job.hpp>
#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/detail/assert.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace eddy::detail {

/// Waits until one of the handles completes. Does not own them; occupies each handle's single waiter slot
/// meanwhile.
template <class Jobs>
class [[nodiscard]] wait_any_awaiter {
public:
    explicit wait_any_awaiter(Jobs jobs) noexcept : jobs_(std::move(jobs)) {}
    /// Requires: nothing has been awaited yet.
    wait_any_awaiter(wait_any_awaiter&& other) noexcept : jobs_(std::move(other.jobs_)) {}
    wait_any_awaiter& operator=(wait_any_awaiter&&) = delete;
    ~wait_any_awaiter() { leave(); }

    bool await_ready() const noexcept { return first_ended() != jobs_.size(); }
    void await_suspend(suspension point) noexcept {
        waiter_ = &resume_loop::current().suspend(point);
        is_watching_ = true;
        for (job* const watched : jobs_) {
            EDDY_CHECK(watched->waiter == nullptr, "one task at a time awaits a handle");
            watched->waiter = &waiter_;
        }
    }
    std::size_t await_resume() noexcept {
        leave();
        return first_ended();
    }

private:
    void leave() noexcept {
        if (!std::exchange(is_watching_, false))
            return;
        for (job* const watched : jobs_)
            watched->waiter = nullptr;
    }
    [[nodiscard]] std::size_t first_ended() const noexcept {
        const auto found = std::ranges::find_if(jobs_, [](const job* each) { return each->has_ended(); });
        return static_cast<std::size_t>(found - jobs_.begin());
    }

    Jobs jobs_;
    job* waiter_ = nullptr;  // until the first end
    bool is_watching_ = false;
};

}  // namespace eddy::detail
