#include "base/exception_text.hpp"

#include <eddy/combine/task_set.hpp>

#include <algorithm>
#include <new>
#include <string>

namespace eddy {

namespace {

[[noreturn]] void handler_threw(const char* name) noexcept {
    const std::string who = name != nullptr ? name : "(unnamed)";
    detail::fatal("an exception left the error handler of a task set, called for a task",
                  (who + ": " + detail::exception_text(std::current_exception())).c_str());
}

void give_to(task_set::error_handler& handler, std::exception_ptr error, const char* name) noexcept {
    try {
        handler(std::move(error));
    } catch (...) {
        handler_threw(name);
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
    /// Tells this one and those around it.
    void set_destroyed() noexcept {
        for (destruction_watch* told = this; told != nullptr; told = told->outer_)
            told->set_ = nullptr;
    }

private:
    task_set* set_;
    destruction_watch* outer_;
};

task_set::task_set(task_set_options options, error_handler on_error)
    : options_(options),
      on_error_(on_error ? std::make_shared<error_handler>(std::move(on_error)) : nullptr) {
    EDDY_ASSERT(options_.tasks_max() > 0, "a task set has a place for one task at least");
}

task_set::~task_set() {
    close();
    cancel();
    // A task that ends and whose destructors destroy the set is counted to this moment.
    size_ = 0;
    wake_waiters();
    if (watch_ != nullptr)
        watch_->set_destroyed();
}

void task_set::cancel() noexcept {
    refuse_all(spawners_);
    const destruction_watch here(*this);
    while (!running_.empty()) {
        detail::job& dropped = running_.pop_front();
        --size_;
        dropped.set_ended_function(&detail::end_detached<void>);
        dropped.drop();
        if (here.is_set_gone())
            return;
    }
    wake_waiters();
}

void task_set::close() noexcept {
    is_closed_ = true;
    refuse_all(spawners_);
    refuse_all(room_awaiters_);
}

void task_set::refuse_all(detail::task_set_waiters& waiters) noexcept {
    while (!waiters.empty()) {
        detail::task_set_waiter& refused = waiters.pop_front();
        refused.refuse(std::errc::operation_canceled);
        refused.wake();
    }
}

void task_set::on_ended(detail::job& ended) noexcept {
    auto& self = *static_cast<task_set*>(ended.owner);
    const char* const name = ended.name();
    std::exception_ptr error;
    if (auto& result = detail::result_of<void>(ended); result.has_error()) [[unlikely]]
        error = result.error();
    if (error && self.on_error_ == nullptr) [[unlikely]]
        detail::uncaught_in_detached(name, error);
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
        give_to(*handler, std::move(error), name);
    }
}

/// Starts the tasks that have waited longest, as far as there are places.
void task_set::start_waiting() noexcept {
    while (!spawners_.empty() && has_place()) {
        auto& next = static_cast<spawn_awaiter&>(spawners_.pop_front());
        try {
            start(std::move(next.work_), next.name_).set_context(next.context());
            next.grant();
        } catch (const std::bad_alloc&) {
            next.refuse(std::errc::not_enough_memory);
        }
        next.wake();
    }
}

void task_set::wake_waiters() noexcept {
    start_waiting();
    while (size_ == 0 && !joiners_.empty()) {
        detail::task_set_waiter& joiner = joiners_.pop_front();
        joiner.grant();
        joiner.wake();
    }
    if (size_ >= room_size_max_) [[likely]]
        return;
    room_size_max_ = 0;
    detail::task_set_waiters looked_at;
    looked_at.splice_back(room_awaiters_);
    while (!looked_at.empty()) {
        auto& waiter = static_cast<room_awaiter&>(looked_at.pop_front());
        if (size_ < waiter.size_) {
            waiter.grant();
            waiter.wake();
        } else {
            room_awaiters_.push_back(waiter);
            room_size_max_ = std::max(room_size_max_, waiter.size_);
        }
    }
}

bool task_set::join_awaiter::await_ready() noexcept {
    if (!set_.empty())
        return false;
    grant();
    return true;
}

bool task_set::room_awaiter::await_ready() noexcept {
    EDDY_ASSERT(size_ > 0, "there are never fewer than no tasks");
    if (set_.closed())
        return true;
    if (set_.size() >= size_)
        return false;
    grant();
    return true;
}

void task_set::room_awaiter::await_suspend(detail::suspension point) noexcept {
    set_.room_size_max_ = std::max(set_.room_size_max_, size_);
    wait_in(set_.room_awaiters_, point);
}

bool task_set::spawn_awaiter::await_ready() {
    if (set_.closed())
        return true;
    // Whoever came before has been started by now, or there is no place.
    if (!set_.has_place())
        return false;
    set_.start(std::move(work_), name_);
    grant();
    return true;
}

}  // namespace eddy
