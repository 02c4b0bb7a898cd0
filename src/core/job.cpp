#include <eddy/base/assert.hpp>
#include <eddy/core/job.hpp>
#include <eddy/core/resume_loop.hpp>

namespace eddy::detail {

job::job(resume_loop& loop, std::coroutine_handle<> root, ended_function ended, const char* name) noexcept
    : completion_{&on_root_ended, nullptr, this},
      resume_point_(root),
      root_(root),
      loop_(&loop),
      ended_(ended),
      name_(name) {}

void job::on_root_ended(void* frame) {
    job& self = *static_cast<completion_frame*>(frame)->self;
    self.state_ = state::ended;
    if (self.loop_->forget_running()) [[unlikely]]
        self.destroy();  // it dropped itself and has no owner who would take the result
    else
        self.ended_(self);
}

void job::drop() noexcept {
    EDDY_ASSERT(loop_ == resume_loop::current_or_null(), "a job is dropped on its own worker");
    switch (state_) {
        case state::running:
            loop_->drop_running_at_suspension();
            return;
        case state::dropping:
            return;  // asked for by a destructor of its own coroutines
        case state::suspended:
            state_ = state::dropping;
            break;
        case state::ended:
            break;
    }
    destroy();
}

void job::destroy() noexcept {
    root_.destroy();
    // Only now: an operation that was taken back may have made the job ready on its way out.
    list_hook<ready_tag>::unlink();
    list_hook<owner_tag>::unlink();
    delete this;
}

}  // namespace eddy::detail
