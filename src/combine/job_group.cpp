#include <eddy/combine/detail/job_group.hpp>
#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/detail/resume_loop.hpp>

#include <new>
#include <type_traits>

namespace eddy::detail {

static_assert(alignof(job) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

void job_group::add(std::coroutine_handle<> root, const kind& kind_of_task,
                    std::size_t result_bytes) noexcept {
    static_assert(sizeof(job_group) % alignment == 0 && std::is_standard_layout_v<child>);
    EDDY_ASSERT(results_end_ + result_bytes <= reinterpret_cast<std::byte*>(this) + block_bytes_,
                "a group has room for its tasks");
    child& added = *::new (&children()[size_++]) child;
    added.group = this;
    added.root = std::coroutine_handle<chain_link>::from_address(root.address());
    added.kind_of_task = &kind_of_task;
    added.result_storage = results_end_;
    results_end_ += result_bytes;
}

constexpr job::kind job_group::alone{&end_alone, &free_child};

void job_group::start(suspension point, const job_context_reference& context) noexcept {
    resume_loop& loop = resume_loop::current();
    waiter_ = &loop.suspend(point);
    left_ = size_;
    references_ += size_;
    const task_origin& origin = waiter_->origin();
    job_context* const belonging = context.get() != nullptr ? context.get() : waiter_->context();
    for (child *started = children(), *const end = started + size_; started != end; ++started) {
        started->is_live = true;
        ::new (started->storage)
            job(loop, std::exchange(started->root, nullptr), *started->kind_of_task, origin, belonging);
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
        if (child& dropped = children()[index]; dropped.is_live)
            dropped.running().drop();
}

void job_group::finish(const job_context& context) noexcept {
    waiter_ = nullptr;
    child& only = children()[0];
    if (!only.is_live || only.running().is_ending())
        return;
    job& awaited = only.running();
    resume_loop& loop = resume_loop::current();
    if (loop.running() != &awaited)
        return loop.finish(only.has_ended, context);
    only.is_live = false;  // for the owner, which is not to drop it
    awaited.become(alone);
    loop.adopt(awaited);
}

void job_group::abandon() noexcept {
    waiter_ = nullptr;
    for (std::size_t index = 0; index < size_; ++index) {
        child& dropped = children()[index];
        if (dropped.is_live)
            dropped.running().drop();
        else if (dropped.is_result_full)
            destroy_result(dropped);
        else if (dropped.root)
            destroy_frame(std::exchange(dropped.root, nullptr));
    }
    release();
}

void job_group::destroy_result(child& of) noexcept {
    of.is_result_full = false;
    of.kind_of_task->destroy_result(of.result_storage);
}

void job_group::free_child(job& destroyed) noexcept {
    child& freed = child::of(destroyed);
    if (freed.is_result_full)
        destroy_result(freed);
    destroyed.~job();
    freed.is_live = false;
    freed.group->release();
}

void job_group::release() noexcept {
    if (--references_ != 0)
        return;
    const std::size_t bytes = block_bytes_;
    this->~job_group();
    frame_cache::deallocate(this, bytes);
}

}  // namespace eddy::detail
