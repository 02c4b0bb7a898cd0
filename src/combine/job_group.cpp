#include <eddy/combine/detail/job_group.hpp>
#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/detail/resume_loop.hpp>

#include <utility>

namespace eddy::detail {

static_assert(alignof(job) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

void job_group::start(suspension point, const job_context_reference& context) noexcept {
    static_assert(sizeof(job_group) % alignment == 0);
    resume_loop& loop = resume_loop::current();
    waiter_ = &loop.suspend(point);
    const task_origin origin = waiter_->origin();
    job_context* const belonging = context.get() != nullptr ? context.get() : waiter_->context();
    for (child *started = children(), *const end = started + size_; started != end; ++started) {
        started->phase = child_phase::live;
        started->start(loop, origin, belonging);
    }
}

void job_group::decide(const child& ended) noexcept {
    decided_ = static_cast<std::size_t>(&ended - children());
    // What is dropped may, in its turn, drop the task that waits, which releases this group.
    acquire();
    drop_unended();
    wake();
    release();
}

void job_group::wake() noexcept {
    if (job* const waiter = std::exchange(waiter_, nullptr))
        waiter->loop().make_ready(*waiter);
}

void job_group::drop_unended() noexcept {
    for (std::size_t index = 0; index < size_; ++index)
        if (child& dropped = children()[index]; dropped.phase == child_phase::live)
            dropped.drop();
}

void job_group::finish(const job_context& context) noexcept {
    waiter_ = nullptr;
    child& only = children()[0];
    if (only.phase != child_phase::live || only.is_ending())
        return;
    resume_loop& loop = resume_loop::current();
    if (loop.running() != &only)
        return loop.finish(only, context);
    only.phase = child_phase::gone;  // for the owner, which is not to drop it
    only.become(job::kind_of<&end_alone, &free_alone>());
    loop.adopt(only);
}

void job_group::abandon_children() noexcept {
    for (std::size_t index = 0; index < size_; ++index) {
        child& dropped = children()[index];
        switch (dropped.phase) {
            case child_phase::unstarted:
                destroy_frame(dropped.root());
                free_alone(dropped);
                break;
            case child_phase::live:
                dropped.drop();
                break;
            case child_phase::ended_full:
                acquire();
                dropped.free();
                break;
            case child_phase::gone:
            case child_phase::ended:
                break;
        }
    }
}

void job_group::free_alone(job& destroyed) noexcept {
    auto& freed = static_cast<child&>(destroyed);
    // Released, not destroyed: what has become of it is read as long as there is the group.
    freed.list_hook<ready_tag>::unlink();
    freed.list_hook<owner_tag>::unlink();
    freed.leave_context();
    freed.phase = child_phase::gone;
    freed.group().release();
}

}  // namespace eddy::detail
