#pragma once

#include <eddy/base/assert.hpp>
#include <eddy/core/job.hpp>
#include <eddy/core/resume_loop.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/suspension.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace eddy::detail {

/// Awaits the end of the first of some held jobs, and lets them be. While it waits it is their owner's guest:
/// it stands where the handle's own awaiter would.
template <class Jobs>
class [[nodiscard]] any_end_awaiter {
public:
    explicit any_end_awaiter(Jobs jobs) noexcept : jobs_(std::move(jobs)) {}
    /// Requires: nothing has been awaited yet.
    any_end_awaiter(any_end_awaiter&& other) noexcept : jobs_(std::move(other.jobs_)) {}
    any_end_awaiter& operator=(any_end_awaiter&&) = delete;
    ~any_end_awaiter() { leave(); }

    bool await_ready() const noexcept { return first_ended() != jobs_.size(); }
    void await_suspend(suspension point) noexcept {
        waiter_ = &resume_loop::current().suspend(point);
        is_watching_ = true;
        for (job* const watched : jobs_) {
            EDDY_ASSERT(watched->waiter == nullptr, "one task at a time awaits a handle");
            watched->waiter = waiter_;
            watched->owner = this;
            watched->set_ended_function(&note_end);
        }
    }
    std::size_t await_resume() noexcept {
        leave();
        return first_ended();
    }

private:
    static void note_end(job& ended) noexcept {
        auto& self = *static_cast<any_end_awaiter*>(ended.owner);
        if (job* const waiter = std::exchange(self.waiter_, nullptr))
            waiter->loop().make_ready(*waiter);
    }
    void leave() noexcept {
        if (!std::exchange(is_watching_, false))
            return;
        for (job* const watched : jobs_) {
            watched->waiter = nullptr;
            watched->owner = nullptr;
            watched->set_ended_function(&end_held);
        }
    }
    [[nodiscard]] std::size_t first_ended() const noexcept {
        const auto found = std::ranges::find_if(jobs_, [](const job* each) { return each->has_ended(); });
        return static_cast<std::size_t>(found - jobs_.begin());
    }

    Jobs jobs_;
    job* waiter_ = nullptr;
    bool is_watching_ = false;
};

}  // namespace eddy::detail
