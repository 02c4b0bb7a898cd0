#include <eddy/core/detail/job.hpp>
#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/detail/assert.hpp>

namespace eddy::detail {

void job::on_root_ended(void* frame) {
    job& self = static_cast<job&>(*static_cast<completion_frame*>(frame));
    self.loop_->running_ = nullptr;
    if (self.is_drop_wanted_) [[unlikely]] {  // it dropped itself and has no owner that would take the result
        self.state_ = state::dropping;
        return self.destroy();
    }
    self.state_ = state::ended;
    self.kind_->ended(self);
}

const job* job::of_root(std::coroutine_handle<> continuation) noexcept {
    auto* const frame = static_cast<completion_frame*>(continuation.address());
    return frame != nullptr && frame->resume == &on_root_ended ? static_cast<const job*>(frame) : nullptr;
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
        kind_->free(*this);
}

}  // namespace eddy::detail
