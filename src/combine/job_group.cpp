#include <eddy/combine/job_group.hpp>
#include <eddy/core/frame_cache.hpp>
#include <eddy/core/resume_loop.hpp>

#include <new>
#include <type_traits>

namespace eddy::detail {

static_assert(alignof(job) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

job_group::owner job_group::make(std::size_t count, decided_by decision) {
    static_assert(sizeof(job_group) % alignof(child) == 0 && std::is_standard_layout_v<child>);
    return owner(::new (frame_cache::allocate(block_size(count))) job_group(count, decision));
}

void job_group::add(std::coroutine_handle<> root, job::ended_function ended) noexcept {
    EDDY_ASSERT(size_ < room_, "a group has room for its tasks");
    child& added = *::new (&children()[size_++]) child;
    added.group = this;
    added.root = std::coroutine_handle<chain_link>::from_address(root.address());
    added.ended = ended;
}

void job_group::start(suspension point, const job_context_reference& context) noexcept {
    resume_loop& loop = resume_loop::current();
    waiter_ = &loop.suspend(point);
    left_ = size_;
    references_ += size_;
    const char* const name = waiter_->name();
    job_context* const belonging = context.get() != nullptr ? context.get() : waiter_->context();
    for (child *started = children(), *const end = started + size_; started != end; ++started) {
        started->is_live = true;
        ::new (started->storage)
            job(loop, std::exchange(started->root, nullptr), started->ended, &free_child, name, belonging);
    }
}

void job_group::decide(const child& ended) noexcept {
    decided_ = static_cast<std::size_t>(&ended - children());
    // What is dropped may, in its turn, drop the task that waits, and let go of this group.
    acquire();
    drop_unended();
    wake();
    release();
}

// Of a child that has ended, whose reference the caller's own outlives.
void job_group::destroy(child& ended) noexcept {
    ended.running().destroy_in_place();
    ended.is_live = false;
    --references_;
}

void job_group::wake() noexcept {
    if (job* const waiter = std::exchange(waiter_, nullptr))
        waiter->loop().make_ready(*waiter);
}

void job_group::drop_unended() noexcept {
    for (std::size_t index = 0; index < size_; ++index)
        if (child& dropped = children()[index]; dropped.is_live && !dropped.has_ended)
            dropped.running().drop();
}

void job_group::finish(const job_context& context) noexcept {
    waiter_ = nullptr;
    child& only = children()[0];
    if (!only.is_live || only.has_ended)
        return;
    job& awaited = only.running();
    resume_loop& loop = resume_loop::current();
    if (loop.running() != &awaited)
        return loop.finish(awaited, context);
    only.is_live = false;  // for the owner, which is not to drop it
    awaited.set_ended_function(&end_alone);
    loop.adopt(awaited);
}

void job_group::let_go() noexcept {
    waiter_ = nullptr;
    for (std::size_t index = 0; index < size_; ++index) {
        child& dropped = children()[index];
        if (dropped.root)
            std::exchange(dropped.root, nullptr).destroy();
        else if (dropped.is_live && dropped.has_ended)
            destroy(dropped);
        else if (dropped.is_live)
            dropped.running().drop();
    }
    release();
}

void job_group::free_child(job& destroyed) noexcept {
    child& freed = child::of(destroyed);
    freed.is_live = false;
    freed.group->release();
}

void job_group::release() noexcept {
    if (--references_ != 0)
        return;
    const std::size_t size = block_size(room_);
    this->~job_group();
    frame_cache::deallocate(this, size);
}

}  // namespace eddy::detail
