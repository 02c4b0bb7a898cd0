#pragma once

#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/detail/transfer.hpp>

#include <coroutine>
#include <utility>

namespace eddy::explore {

/// What the library keeps for each thread: here for each model thread. The frame cache is shared by all.
class thread_locals {
public:
    /// Puts these aside, and the other's into their place.
    void give_way_to(thread_locals& next) noexcept {
        loop_ = detail::resume_loop::enter(next.loop_);
        transferred_ = std::exchange(detail::transferred, next.transferred_);
    }

private:
    detail::resume_loop* loop_ = nullptr;
    std::coroutine_handle<> transferred_;
};

}  // namespace eddy::explore
