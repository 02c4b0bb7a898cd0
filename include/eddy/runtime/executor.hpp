#pragma once

#include <eddy/core/task.hpp>
#include <eddy/detail/assert.hpp>
#include <eddy/detail/bound_call.hpp>
#include <eddy/runtime/detail/executor_call.hpp>
#include <eddy/runtime/remote_handle.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/work_kind.hpp>
#include <eddy/runtime/worker.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <source_location>
#include <type_traits>
#include <utility>

namespace eddy {

/// `co_await on(worker, function, arguments...)` calls a function on another worker of this runtime, where it
/// may make a task, which runs there, and returns the result, or throws the exception, here.
///
/// - Ownership: function and arguments are moved there, or copied, and belong to the call: nothing there may
///   refer to what the caller owns. The result is moved home.
/// - Cancellation: dropping it sends the drop to the other worker and does not wait. To be sure that the task
///   is gone use spawn_on() and await cancel().
/// - Errors: what the function or its task throws; std::system_error with operation_canceled if the worker
///   had no memory for it.
/// - With g++ 12 name a lambda that captures by value first and move it in.
///
/// Requires: worker < runtime::workers().
template <class Function, class... Args>
    requires std::invocable<Function, Args...>
auto on(std::size_t worker, Function function, Args... arguments)
    -> task<detail::brought_home_t<detail::bound_call<Function, Args...>>> {
    using call = detail::bound_call<Function, Args...>;
    static_assert(!std::is_reference_v<detail::brought_home_t<call>>,
                  "a reference to what another worker owns is of no use here: give a value");
    auto there =
        runtime::current().spawn_on(worker, call(std::move(function), std::move(arguments)...), "on", {});
    co_return co_await there;
}

/// Calls a function soon on this worker, outside of any task, behind what was posted before. The function is
/// moved along. An exception that leaves it ends the program. If the runtime ends first the function is
/// destroyed. Cheaper than a task: a function of up to 1 KiB costs no allocation. Requires: the caller is on
/// a worker. Throws std::bad_alloc.
template <class Function>
    requires std::invocable<std::decay_t<Function>&>
void post(Function&& function) {
    worker::current().post_function(std::forward<Function>(function));
}

/// Says where something runs: on this worker, on another one, on any worker of a runtime, on its offload
/// pool, or wherever a foreign library runs functions. A small value to be stored and passed on; post(),
/// spawn(), on() and offload() take one.
///
/// - Ownership: refers to a runtime, or to a foreign target, and does not own it. Requires: that outlives its
///   use.
/// - Thread safety: an executor is immutable but for assignment; post() may be called by any thread.
/// - Two executors are equal if they name the same place.
/// - Source: the idea is Asio's executor, without properties and without a type for each kind.
class executor {
public:
    /// Names no place; nothing may be run with it.
    executor() noexcept = default;

    /// The worker of the caller. Requires: the caller is on a worker.
    [[nodiscard]] static executor this_worker() noexcept {
        return of_worker(runtime::current(), worker::current().index());
    }
    /// A worker of a runtime. Requires: index < runtime::workers().
    [[nodiscard]] static executor of_worker(runtime& of, std::size_t index) noexcept {
        EDDY_ASSERT(index < of.workers(), "there is such a worker");
        return {kind::worker, &of, index, nullptr};
    }
    /// The worker that is free first (post) or that the runtime's placement chooses (spawn, on).
    [[nodiscard]] static executor any_worker(runtime& of) noexcept {
        return {kind::any_worker, &of, 0, nullptr};
    }
    /// The offload pool of a runtime, for functions that block or compute.
    [[nodiscard]] static executor pool(runtime& of, work_kind work = work_kind::short_running) noexcept {
        return {kind::pool, &of, static_cast<std::size_t>(work), nullptr};
    }
    /// An executor of another library: `target.post(std::function<void()>)` sees to it that the function is
    /// called once, on whatever thread, or destroyed.
    template <class Target>
        requires requires(Target& target, std::function<void()> function) {
            target.post(std::move(function));
        }
    [[nodiscard]] static executor foreign(Target& target) noexcept {
        return {kind::foreign, &target, 0, [](void* to, std::function<void()> function) {
                    static_cast<Target*>(to)->post(std::move(function));
                }};
    }

    /// Whether it names a place.
    [[nodiscard]] explicit operator bool() const noexcept { return kind_ != kind::none; }
    /// Whether tasks of a runtime may run there: it names a worker, or any worker, of that runtime.
    [[nodiscard]] bool runs_tasks_of(const runtime& of) const noexcept {
        return (kind_ == kind::worker || kind_ == kind::any_worker) && target_ == &of;
    }

    friend bool operator==(const executor&, const executor&) noexcept = default;

    /// Calls a function there soon, once. The function is moved along and owns what it uses; if the runtime
    /// ends first it is destroyed. An exception that leaves it ends the program, or goes where the foreign
    /// target sends it. Any thread. Throws std::bad_alloc, std::system_error if the pool has no thread, and
    /// what the foreign target throws. Requires: it names a place.
    template <class Function>
        requires std::invocable<std::decay_t<Function>&>
    void post(Function&& function) const {
        switch (kind_) {
            case kind::worker:
                return of().post_on(index_, std::forward<Function>(function));
            case kind::any_worker:
                return of().post(std::forward<Function>(function));
            case kind::pool:
                return detail::post_to_pool(of(), pool_work(), std::forward<Function>(function));
            default:
                post_foreign(std::forward<Function>(function));
        }
    }

    /// Starts a task there, else as runtime::spawn_on(). Throws std::system_error with
    /// operation_not_supported where no task of the caller's runtime may run: in the pool, at a foreign
    /// target, in another runtime. Requires: the caller is on a worker.
    template <class T>
    [[nodiscard]] remote_handle<T> spawn(task<T> work, const char* name = nullptr,
                                         std::source_location where = std::source_location::current()) const {
        require_tasks();
        return kind_ == kind::worker ? of().spawn_on(index_, std::move(work), name, where)
                                     : of().spawn(std::move(work), name, where);
    }

private:
    enum class kind : unsigned char { none, worker, any_worker, pool, foreign };
    using foreign_post = void (*)(void* target, std::function<void()> function);

    executor(kind what, void* target, std::size_t index, foreign_post by) noexcept
        : kind_(what), index_(index), target_(target), post_(by) {}

    [[nodiscard]] runtime& of() const noexcept { return *static_cast<runtime*>(target_); }
    [[nodiscard]] work_kind pool_work() const noexcept { return static_cast<work_kind>(index_); }

    template <class Function>
    void post_foreign(Function&& function) const {
        EDDY_ASSERT(kind_ == kind::foreign, "an empty executor runs nothing");
        if (kind_ == kind::none)
            detail::throw_no_place();
        // A std::function may be copied by its holder; its target need not be copyable.
        post_(target_, [shared = std::make_shared<std::decay_t<Function>>(std::forward<Function>(function))] {
            (*shared)();
        });
    }
    void require_tasks() const {
        if (!runs_tasks_of(runtime::current()))
            detail::throw_no_tasks();
    }

    kind kind_ = kind::none;
    std::size_t index_ = 0;  // of the worker, or the work_kind
    void* target_ = nullptr;
    foreign_post post_ = nullptr;
};

/// executor::post() and executor::spawn() by their usual names.
template <class Function>
    requires std::invocable<std::decay_t<Function>&>
void post(const executor& where, Function&& function) {
    where.post(std::forward<Function>(function));
}
template <class T>
[[nodiscard]] remote_handle<T> spawn(const executor& where, task<T> work, const char* name = nullptr,
                                     std::source_location place = std::source_location::current()) {
    return where.spawn(std::move(work), name, place);
}

/// `co_await on(executor, function, arguments...)` calls the function there and returns its result, or throws
/// its exception, here. On a worker of the caller's runtime the function may return a task, which then runs
/// there.
///
/// - Ownership: function and arguments are moved or copied along and belong to the call.
/// - Cancellation: never waits. A function that has not begun is not called; one that has runs to its end,
///   and its result is dropped. A drop of a task on another worker is sent there.
/// - Errors: what the function throws, or what executor::post() does; std::system_error with
///   operation_canceled if the place destroyed the function uncalled, with operation_not_supported if the
///   function returns a task and tasks do not run there.
/// - With g++ 12 name a lambda that captures by value first and move it in.
///
/// Requires: awaited on a worker; the place outlives the call.
template <class Function, class... Args>
    requires std::invocable<Function, Args...>
auto on(executor where, Function function, Args... arguments)
    -> task<detail::brought_home_t<detail::bound_call<Function, Args...>>> {
    using call = detail::bound_call<Function, Args...>;
    using result = detail::brought_home_t<call>;
    static_assert(!std::is_reference_v<result>,
                  "a reference to what another place owns is of no use here: return a value");
    call bound(std::move(function), std::move(arguments)...);
    if (where.runs_tasks_of(runtime::current())) {
        auto there = where.spawn(detail::call_in_task<result, call>(std::move(bound)), "on", {});
        co_return co_await there;
    } else if constexpr (awaitable<std::invoke_result_t<call>>) {
        detail::throw_no_tasks();
    } else {
        detail::executor_call<call> awaited(std::move(bound));
        where.post(awaited.function());
        co_return co_await awaited;
    }
}

/// The same by another name, for functions that block or compute: offload(function) with a place.
template <class Function, class... Args>
    requires std::invocable<Function, Args...>
auto offload(executor where, Function function, Args... arguments) {
    return on(where, std::move(function), std::move(arguments)...);
}

}  // namespace eddy
