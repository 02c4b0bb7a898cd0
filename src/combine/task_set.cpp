#include "detail/exception_text.hpp"

#include <eddy/combine/task_set.hpp>
#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/detail/job_context.hpp>
#include <eddy/io/standard_error.hpp>

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>

namespace eddy {

namespace {

[[noreturn]] void handler_threw(const detail::task_origin& origin) noexcept {
    detail::fatal("an exception left the error handler of a task set, called for a task",
                  detail::described(origin, detail::exception_text(std::current_exception())).c_str());
}

void give_to(task_set::error_handler& handler, std::exception_ptr error,
             const detail::task_origin& origin) noexcept {
    try {
        handler(std::move(error));
    } catch (...) {
        handler_threw(origin);
    }
}

void report(const detail::task_origin& origin, const std::exception_ptr& error) noexcept {
    try {
        io::write_standard_error("eddy: an exception left a task of a task set: " +
                                 detail::described(origin, detail::exception_text(error)) + '\n');
    } catch (const std::bad_alloc&) {
        io::write_standard_error("eddy: an exception left a task of a task set\n");
    }
}

}  // namespace

/// Says whether the set was destroyed while user code ran: a destructor that it called may do that.
class task_set::destruction_watch {
public:
    explicit destruction_watch(task_set& watched) noexcept
        : set_(&watched), outer_(std::exchange(watched.watch_, this)) {}
    destruction_watch(const destruction_watch&) = delete;
    destruction_watch& operator=(const destruction_watch&) = delete;
    ~destruction_watch() {
        if (set_ != nullptr)
            set_->watch_ = outer_;
    }

    [[nodiscard]] bool is_set_gone() const noexcept { return set_ == nullptr; }
    /// Notifies this one and those around it.
    void set_destroyed() noexcept {
        for (destruction_watch* reported = this; reported != nullptr; reported = reported->outer_)
            reported->set_ = nullptr;
    }

private:
    task_set* set_;
    destruction_watch* outer_;
};

/// A task that waits for a place, in the block that its job will have. Belongs to the queue; once a task waits
/// for its start, to that.
class task_set::queued_task : public detail::list_hook<> {
public:
    /// Throws std::bad_alloc.
    static queued_task& make(task<void> work, const detail::task_origin& origin) {
        static_assert(sizeof(queued_task) <= sizeof(detail::job) &&
                      alignof(queued_task) <= alignof(detail::job));
        void* const block = detail::frame_cache::allocate(sizeof(detail::job));
        return *::new (block) queued_task(std::move(work), origin);
    }

    /// Makes its job, in its place. Requires: it is in no queue.
    static detail::job& start(queued_task& started) noexcept {
        task<void> work = std::move(started.work_);
        const detail::task_origin origin = started.origin_;
        const detail::job_context_reference context = std::move(started.context_);
        std::destroy_at(&started);
        detail::job& made = *::new (static_cast<void*>(&started)) detail::job(work.release(), kind_of_job);
        made.start(detail::resume_loop::current(), origin, context.get());
        return made;
    }
    /// Drops the task. Requires: it is in no queue.
    static void discard(queued_task& dropped) noexcept {
        const task<void> work = std::move(dropped.work_);
        std::destroy_at(&dropped);
        detail::frame_cache::deallocate(&dropped, sizeof(detail::job));
    }

    spawn_awaiter* asker = nullptr;  // that is to know of the start, or null

private:
    queued_task(task<void> work, const detail::task_origin& origin) noexcept
        : work_(std::move(work)),
          origin_(origin),
          context_(detail::resume_loop::current().running_context()) {}

    task<void> work_;
    detail::task_origin origin_;
    detail::job_context_reference context_;
};

task_set::task_set() noexcept = default;

task_set::task_set(task_set_options options, error_handler on_error)
    : options_(options),
      on_error_(on_error ? std::make_shared<error_handler>(std::move(on_error)) : nullptr) {
    EDDY_CHECK(options_.tasks_max() > 0, "a task set has a place for one task at least");
}

task_set::~task_set() {
    close();
    cancel();
    // A task whose destructors destroy the set as it ends is counted until now.
    size_ = 0;
    wake_waiters();
    if (watch_ != nullptr)
        watch_->set_destroyed();
}

void task_set::cancel() noexcept {
    const destruction_watch here(*this);
    drop_queued();
    if (here.is_set_gone())
        return;
    while (!running_.empty()) {
        detail::job& dropped = running_.pop_front();
        --size_;
        dropped.become(detail::detached_job);
        dropped.drop();
        if (here.is_set_gone())
            return;
    }
    wake_waiters();
}

void task_set::close() noexcept {
    is_closed_ = true;
    refuse_all(size_awaiters_);
    drop_queued();
}

void task_set::refuse_all(detail::task_set_waiters& waiters) noexcept {
    while (!waiters.empty()) {
        detail::task_set_waiter& refused = waiters.pop_front();
        refused.refuse(std::errc::operation_canceled);
        refused.wake();
    }
}

constexpr detail::job::kind task_set::kind_of_job =
    detail::job::kind_of<&on_ended, &detail::job::free_allocated>();

void task_set::on_ended(detail::job& ended) noexcept {
    auto& self = *static_cast<task_set*>(ended.owner);
    const detail::task_origin origin = ended.origin();
    std::exception_ptr error;
    if (auto& result = detail::result_of<void>(ended); result.has_error()) [[unlikely]]
        error = result.error();
    if (error && self.on_error_ == nullptr) [[unlikely]] {
        if (!self.options_.reports_errors())
            detail::uncaught_in_detached(origin, error);
        report(origin, std::exchange(error, nullptr));
    }
    // The task's destructors run before all else: they may still use what the error handler or a joiner
    // frees. They may cancel the set, or destroy it.
    static_cast<detail::list_hook<detail::owner_tag>&>(ended).unlink();
    {
        const destruction_watch here(self);
        ended.destroy();
        if (here.is_set_gone())
            return;
    }
    --self.size_;
    self.wake_waiters();
    if (error) [[unlikely]] {
        // Last, and by a handler that is held here, since it may destroy the set.
        const auto handler = self.on_error_;
        give_to(*handler, std::move(error), origin);
    }
}

task_set::spawn_awaiter task_set::spawn_when_free(task<void> work, const char* name,
                                                  std::source_location where) {
    spawn_awaiter asker;
    if (is_closed_)
        return asker;
    // What came before has been started by now, or there is no place.
    if (has_capacity()) {
        start(std::move(work), {name, where});
        asker.grant();
        return asker;
    }
    require_home();
    queued_task& queued = queued_task::make(std::move(work), {name, where});
    queued_.push_back(queued);
    asker.queued_ = &queued;
    queued.asker = &asker;
    return asker;
}

/// Starts the tasks that have waited longest, as far as there are places.
void task_set::start_queued() noexcept {
    while (!queued_.empty() && has_capacity()) {
        queued_task& next = queued_.pop_front();
        if (next.asker != nullptr) {
            next.asker->grant();
            next.asker->answered();
        }
        add(queued_task::start(next));
    }
}

/// Destructors of what the tasks were given may use the set, and destroy it.
void task_set::drop_queued() noexcept {
    detail::intrusive_list<queued_task> dropped;
    dropped.splice_back(queued_);
    while (!dropped.empty()) {
        queued_task& next = dropped.pop_front();
        if (next.asker != nullptr)
            next.asker->answered();
        queued_task::discard(next);
    }
}

void task_set::wake_waiters() noexcept {
    start_queued();
    while (size_ == 0 && !joiners_.empty()) {
        detail::task_set_waiter& joiner = joiners_.pop_front();
        joiner.grant();
        joiner.wake();
    }
    if (size_ >= awaited_size_max_) [[likely]]
        return;
    awaited_size_max_ = 0;
    detail::task_set_waiters looked_at;
    looked_at.splice_back(size_awaiters_);
    while (!looked_at.empty()) {
        auto& waiter = static_cast<size_awaiter&>(looked_at.pop_front());
        if (size_ < waiter.size_) {
            waiter.grant();
            waiter.wake();
        } else {
            size_awaiters_.push_back(waiter);
            awaited_size_max_ = std::max(awaited_size_max_, waiter.size_);
        }
    }
}

bool task_set::join_awaiter::await_ready() noexcept {
    if (!set_.empty())
        return false;
    grant();
    return detail::resume_loop::consume_budget();
}

void task_set::join_awaiter::await_suspend(detail::suspension point) noexcept {
    if (set_.empty())
        give_way(point);
    else
        wait_in(set_.joiners_, point);
}

bool task_set::size_awaiter::await_ready() noexcept {
    EDDY_CHECK(size_ > 0, "there are never fewer than no tasks");
    if (set_.closed())
        return true;
    if (set_.size() >= size_)
        return false;
    grant();
    return detail::resume_loop::consume_budget();
}

void task_set::size_awaiter::await_suspend(detail::suspension point) noexcept {
    if (set_.size() < size_)
        return give_way(point);
    set_.awaited_size_max_ = std::max(set_.awaited_size_max_, size_);
    wait_in(set_.size_awaiters_, point);
}

task_set::spawn_awaiter::spawn_awaiter(spawn_awaiter&& other) noexcept
    : queued_(std::exchange(other.queued_, nullptr)), was_moved_(true) {
    if (queued_ != nullptr)
        queued_->asker = this;
    else if (other.outcome())
        grant();
}

task_set::spawn_awaiter::~spawn_awaiter() {
    if (queued_ == nullptr)
        return;
    if (has_begun() || was_moved_)
        drop();
    else
        queued_->asker = nullptr;
}

bool task_set::spawn_awaiter::await_ready() const noexcept {
    return queued_ == nullptr && detail::resume_loop::consume_budget();
}

void task_set::spawn_awaiter::await_suspend(detail::suspension point) noexcept {
    if (queued_ == nullptr)
        give_way(point);
    else
        wait(point);
}

void task_set::spawn_awaiter::answered() noexcept {
    queued_ = nullptr;
    if (has_begun())
        wake();
}

void task_set::spawn_awaiter::drop() noexcept {
    queued_task& dropped = *std::exchange(queued_, nullptr);
    dropped.unlink();
    queued_task::discard(dropped);
}

}  // namespace eddy
