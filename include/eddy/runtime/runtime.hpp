#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/detail/assert.hpp>
#include <eddy/detail/atomic.hpp>
#include <eddy/runtime/detail/idle_workers.hpp>
#include <eddy/runtime/detail/offload_pool.hpp>
#include <eddy/runtime/detail/shared_functions.hpp>
#include <eddy/runtime/metrics.hpp>
#include <eddy/runtime/remote_handle.hpp>
#include <eddy/runtime/runtime_options.hpp>
#include <eddy/runtime/worker.hpp>

#include <concepts>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <source_location>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace eddy {

/// N workers and an offload pool. Nothing of it is global: a program may have several.
///
/// Worker 0 is the thread that makes the runtime, whenever it is in run() or a similar function; the others
/// are threads of the runtime. Tasks stay on the worker on which they start; work moves between workers
/// before it starts.
///
/// Thread safety: post(), post_on() and stop() are for any thread, as long as the runtime exists; spawn(),
/// spawn_on(), run_on_each() and the queries are for any worker of the runtime; the rest belongs to the
/// thread that made it, outside of its tasks.
class runtime {
public:
    /// Starts the workers. Their backends are of one kind: where io_uring was not requested by name and a
    /// single worker cannot have a ring, since the kernel refuses it or the user's locked memory does not
    /// suffice, all of them get epoll, which is reported once on standard error. Throws std::system_error if
    /// the wanted backend, or a thread, a descriptor or a CPU for any of them is not available,
    /// std::invalid_argument if EDDY_BACKEND names no backend or EDDY_SHUFFLE is no number.
    explicit runtime(const runtime_options& options = {});
    runtime(const runtime&) = delete;
    runtime& operator=(const runtime&) = delete;
    /// Ends every task that still runs, waits for offloaded calls under way, and ends the threads. On another
    /// thread than that which made the runtime it ends the program with a message: what the system keeps for
    /// worker 0 is that thread's.
    ~runtime();

    /// Runs a task on worker 0 and returns its result or throws its exception. Other tasks that it started
    /// continue until the runtime is destroyed, those of worker 0 during the next run(). After a stop() the
    /// task is dropped and std::system_error with operation_canceled thrown.
    template <class T>
    T run(task<T> main) {
        const detail::worker_core::enter_guard here(*workers_[0]);
        handle<T> running = eddy::spawn(std::move(main), "main", {});
        workers_[0]->run_until([&] { return running.done() || is_stopping(); });
        leave_worker_0();
        if (!running.done())
            end_stopped();
        return running.get();
    }

    // -- driving worker 0 by hand, for example in a foreign event loop; the other workers run by themselves
    // --

    /// Runs worker 0 until all work has ended: every task on every worker, held or detached, every posted
    /// function and every message between them; or until stop(). Offloaded calls count if a task waits for
    /// them.
    void run();
    /// Resumes one task of worker 0, or calls one posted function, waiting for one if none is ready. False if
    /// all work has ended, as run() has it, or after a stop().
    bool run_one();
    /// Runs worker 0 for as long, or until all work has ended or stop(). Returns how many were resumed or
    /// called.
    std::size_t run_for(duration length);
    /// Resumes what is ready on worker 0 and calls what was posted until nothing is left, or about `budget`
    /// have been, and handles I/O and timers. Never waits. Returns how many were resumed or called.
    std::size_t poll(std::size_t budget = std::numeric_limits<std::size_t>::max());
    /// Makes run() and similar functions return, the current call or else the next one. Tasks stay where they
    /// are.
    void stop() noexcept;

    /// Readable, for poll(2) and the like, when poll() is to be called: something has come from the system or
    /// from another thread since the last poll(), sometimes spuriously. What the driving thread itself spawns
    /// or posts outside of poll() needs another call to poll(). Belongs to the runtime.
    [[nodiscard]] int descriptor() { return workers_[0]->backend().descriptor(); }
    /// How long, from now, descriptor() is to be waited for until poll() is to be called at the latest: zero
    /// if something is ready, no value if only the descriptor will show it.
    [[nodiscard]] std::optional<duration> wait_time() noexcept;

    /// How many workers there are.
    [[nodiscard]] std::size_t workers() const noexcept { return workers_.size(); }
    /// What carries operations out: "io_uring" or "epoll".
    [[nodiscard]] std::string_view backend_name() const noexcept;

    /// Starts a task on a worker of the runtime's choice (runtime_options::placement()); else as spawn_on().
    /// spawn() without a runtime starts it on the worker of the caller.
    template <class T>
    remote_handle<T> spawn(task<T> work, const char* name = nullptr,
                           std::source_location where = std::source_location::current()) {
        return spawn_on(choose_worker(), std::move(work), name, where);
    }

    /// Starts a task on a worker. The task and all it uses must be owned by it: it runs on another thread.
    /// `name` appears in messages about it and must outlive it (a literal, say).
    /// Requires: the caller is on a worker of this runtime; worker < workers().
    template <class T>
    remote_handle<T> spawn_on(std::size_t worker, task<T> work, const char* name = nullptr,
                              std::source_location where = std::source_location::current()) {
        return detail::spawn_remote(at(worker), std::move(work), detail::task_origin(name, where));
    }
    /// Calls a function on a worker, in a task of its own, where it may make a task, which then runs there;
    /// the handle brings what comes of it. The function is moved there and lives until the task is gone.
    /// Cheaper than a task that is made here: its frame comes from the memory of the worker that frees it.
    template <class Function>
        requires std::invocable<std::decay_t<Function>>
    auto spawn_on(std::size_t worker, Function&& function, const char* name = nullptr,
                  std::source_location where = std::source_location::current()) {
        return detail::spawn_remote<std::decay_t<Function>>(at(worker), std::forward<Function>(function),
                                                            detail::task_origin(name, where));
    }

    /// Calls function(index of the worker), which returns a task, on every worker, and runs the task there.
    /// The function is copied to each; `name` is as for spawn_on(). With g++ 12 name a lambda that captures
    /// by value first if this is called inside a co_await expression.
    template <class Function>
        requires std::invocable<Function&, std::size_t>
    auto run_on_each(const Function& function, const char* name = nullptr,
                     std::source_location where = std::source_location::current()) {
        using task_type = std::invoke_result_t<Function&, std::size_t>;
        std::vector<remote_handle<typename task_type::value_type>> started;
        started.reserve(workers());
        for (std::size_t index = 0; index < workers(); ++index)
            started.push_back(spawn_on(index, call<task_type>(function, index), name, where));
        return started;
    }

    /// Calls a function soon, outside of any task, on the worker that is free first. The function is moved
    /// along and owns what it uses. It may spawn tasks: that is how other threads start them. An exception
    /// that leaves it ends the program. Functions that have not been called when the runtime ends are
    /// destroyed. Wakes a worker only if those awake are not expected to call it within microseconds; if they
    /// are blocked in user code, an idle one calls it after one or two milliseconds. Throws std::bad_alloc.
    template <class Function>
        requires std::invocable<std::decay_t<Function>&>
    void post(Function&& function) {
        if (idle_workers_.workers() == 1)
            return post_on(0, std::forward<Function>(function));
        shared_functions_.push(std::forward<Function>(function));
        if (!idle_workers_.empty()) [[unlikely]]
            wake_one(false);
    }
    /// The same on a worker of the caller's choice. What one thread posts there is called in that order.
    /// Requires: worker < workers().
    template <class Function>
        requires std::invocable<std::decay_t<Function>&>
    void post_on(std::size_t worker, Function&& function) {
        at(worker).post_function(std::forward<Function>(function));
    }

    /// A worker's counters, as long as the runtime is not being destroyed. Requires: worker < workers().
    [[nodiscard]] worker_metrics metrics(std::size_t worker) const noexcept { return at(worker).metrics(); }
    /// What the offload pool does and has done. Any thread, as long as the runtime exists.
    [[nodiscard]] eddy::offload_metrics offload_metrics() const noexcept { return offload_pool_.metrics(); }
    /// The threads for blocking work; offload() is the way to them.
    [[nodiscard]] offload_pool& offload_threads() noexcept { return offload_pool_; }

    /// The runtime of the caller's worker. Requires: the caller is on one.
    [[nodiscard]] static runtime& current() noexcept { return worker::current().owner(); }

private:
    friend class detail::worker_core;

    [[nodiscard]] detail::worker_core& at(std::size_t index) const noexcept {
        EDDY_ASSERT(index < workers_.size(), "there is such a worker");
        return *workers_[index];
    }

    class watch;
    struct threads;
    /// Makes the workers; ends those that were made if one cannot be.
    void start(const runtime_options& options);
    void end(offload_pool* pool) noexcept;

    [[nodiscard]] std::size_t choose_worker() noexcept;
    [[nodiscard]] bool is_stopping() const noexcept { return is_stopping_.load(std::memory_order_relaxed); }
    [[noreturn]] void end_stopped();
    [[nodiscard]] bool has_ended() const noexcept;
    /// A worker has nothing left to do.
    void note_rest() noexcept;

    // -- what is common to all workers --

    [[nodiscard]] bool has_shared_functions() const noexcept { return !shared_functions_.empty(); }
    /// Whether there are some, and too few workers that attend to them.
    [[nodiscard]] bool needs_searcher() const noexcept {
        return has_shared_functions() && idle_workers_.may_search();
    }
    /// Moves some to a worker's own queue and returns how many.
    std::size_t share_functions(detail::function_queue& to, std::size_t share) noexcept {
        return shared_functions_.share_out(to, share);
    }
    /// Wakes a worker for shared functions, if one must be, or to watch those that attend to them.
    /// `is_more_taken`: the caller has taken more than it does at once.
    void wake_one(bool is_more_taken) noexcept;
    /// Takes back the functions of workers that are blocked in user code. Returns when to look again.
    [[nodiscard]] duration look_at_shares(time_point now) noexcept;
    /// Worker 0 is not driven for now.
    void leave_worker_0() noexcept;
    [[nodiscard]] detail::idle_workers& sleeping_workers() noexcept { return idle_workers_; }

    template <class TaskType, class Function>
    static TaskType call(Function function, std::size_t index) {
        co_return co_await function(index);
    }

    offload_pool offload_pool_;
    placement placement_;
    detail::atomic<bool> is_stopping_{false};
    detail::atomic<bool> is_watched_{false};     // by a thread that waits until all work has ended
    detail::atomic<bool> is_rest_noted_{false};  // since that thread looked last
    detail::atomic<std::size_t> next_placed_{0};

    detail::shared_functions shared_functions_;
    detail::idle_workers idle_workers_;
    time_point next_look_{};  // the watching worker's

    std::vector<std::unique_ptr<worker>> workers_;
    std::unique_ptr<threads> threads_;
};

/// Runs a task in a runtime made for it, and returns its result or throws its exception. One worker, the
/// calling thread, unless the options set another number. Tasks that `main` left behind are dropped when it
/// ends.
template <class T>
T run(task<T> main, runtime_options options = {}) {
    if (options.workers() == 0)
        options.workers(1);
    runtime made(options);
    return made.run(std::move(main));
}

/// Says run() to use every CPU that the process may use (affinity and control group).
struct all_cores_t {
    explicit all_cores_t() = default;
};
/// A worker on each CPU that the process may use.
inline constexpr all_cores_t all_cores{};

/// The same with a worker on each CPU. `main` runs on the calling thread; runtime::spawn(), run_on_each(),
/// on() and serve() use the others.
template <class T>
T run(task<T> main, all_cores_t, runtime_options options = {}) {
    runtime made(options.workers(0));
    return made.run(std::move(main));
}

}  // namespace eddy
