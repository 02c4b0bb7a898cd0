#include <eddy/base/assert.hpp>
#include <eddy/core/job.hpp>
#include <eddy/core/resume_loop.hpp>

namespace eddy::detail {

void job::on_root_ended(void* frame) {
    job& self = static_cast<job&>(*static_cast<completion_frame*>(frame));
    self.state_ = state::ended;
    self.loop_->running_ = nullptr;
    if (self.is_drop_wanted_) [[unlikely]]
        self.destroy();  // it dropped itself and has no owner who would take the result
    else
        self.ended_(self);
}

void job::drop() noexcept {
    EDDY_ASSERT(loop_ == resume_loop::current_or_null(), "a job is dropped on its own worker");
    switch (state_) {
        case state::interrupted:
            is_drop_wanted_ = true;
            return;
        case state::dropping:
            return;  // asked for by a destructor of its own coroutines
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
            break;
    }
    destroy();
}

void job::destroy() noexcept {
    const free_function free = free_;
    destroy_in_place();
    free(*this);
}

}  // namespace eddy::detail
