#include <eddy/core/detail/job.hpp>
#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/detail/assert.hpp>

namespace eddy::detail {

// It has no owner that would take the result.
void job::end_dropped() noexcept {
    state_ = state::dropping;
    destroy();
}

void job::drop() noexcept {
    EDDY_ASSERT(loop_ == resume_loop::current_or_null(), "a job is dropped on its own worker");
    switch (state_) {
        case state::interrupted:
            is_drop_wanted_ = true;
            return;
        case state::dropping:
            return;  // requested by a destructor of its own coroutines
        case state::alive:
            if (loop_->running() == this) {
                is_drop_wanted_ = true;
                return;
            }
            state_ = state::dropping;
            if ((suspended_ & at_link) != 0)
                chain_link::unwind(std::coroutine_handle<chain_link>::from_address(resume_point_.address()));
            break;
        case state::ended:
            if (!has_ended()) {  // by a destructor of the task's arguments
                is_drop_wanted_ = true;
                return;
            }
            break;
    }
    destroy();
}

void job::destroy() noexcept {
    if (has_ended() || destroy_root())
        free();
}

}  // namespace eddy::detail
