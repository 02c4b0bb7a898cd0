#pragma once

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/runtime/metrics.hpp>
#include <eddy/runtime/offload_metrics.hpp>
#include <eddy/runtime/offload_pool.hpp>
#include <eddy/runtime/remote_handle.hpp>
#include <eddy/runtime/runtime_options.hpp>
#include <eddy/runtime/worker.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace eddy {

/// N workers and an offload pool. Nothing of it is global: a program may have several.
///
/// Worker 0 is the thread that makes the runtime, whenever it is in run(); the others are threads of the
/// runtime's. Tasks stay on the worker on which they start; work moves between workers before it starts.
///
/// Thread safety: spawn_on(), run_on_each() and the queries are for any worker of the runtime; the rest
/// belongs to the thread that made it.
class runtime {
public:
    /// Starts the workers. Throws std::system_error if the wanted backend is not available or a thread or a
    /// descriptor is not to be had, std::invalid_argument if EDDY_BACKEND names no backend
    /// or EDDY_SHUFFLE is no number.
    explicit runtime(runtime_options options = {});
    runtime(const runtime&) = delete;
    runtime& operator=(const runtime&) = delete;
    /// Ends every task that still runs, waits for offloaded calls under way, and ends the threads.
    ~runtime();

    /// Runs a task on worker 0 and gives its result or throws its exception. Other tasks that it started go
    /// on until the runtime is destroyed, those of worker 0 during the next run().
    template <class T>
    T run(task<T> main) {
        const worker::presence here(*workers_[0]);
        handle<T> running = spawn(std::move(main), "main");
        workers_[0]->run_until([&] { return running.done(); });
        return running.get();
    }

    /// How many workers there are.
    [[nodiscard]] std::size_t workers() const noexcept { return workers_.size(); }
    /// What carries operations out: "io_uring" or "epoll".
    [[nodiscard]] std::string_view backend_name() const noexcept;

    /// Starts a task on a worker. The task and all it uses must be owned by it: it runs on another thread.
    /// `name` appears in messages about it and must outlive it (a literal, say).
    /// Requires: the caller is on a worker of this runtime; worker < workers().
    template <class T>
    remote_handle<T> spawn_on(std::size_t worker, task<T> work, const char* name = nullptr) {
        return detail::spawn_remote(*workers_[worker], std::move(work), name);
    }

    /// Calls function(index of the worker), which gives a task, on every worker, and runs the task there. The
    /// function is copied to each; `name` is as for spawn_on(). With g++ 12 a lambda that captures by value
    /// is given a name first if this is called inside a co_await expression.
    template <class Function>
        requires std::invocable<Function&, std::size_t>
    auto run_on_each(Function function, const char* name = nullptr) {
        using task_type = std::invoke_result_t<Function&, std::size_t>;
        std::vector<remote_handle<typename task_type::value_type>> started;
        started.reserve(workers());
        for (std::size_t index = 0; index < workers(); ++index)
            started.push_back(spawn_on(index, call<task_type>(function, index), name));
        return started;
    }

    /// A worker's counters, as long as the runtime is not being destroyed. Requires: worker < workers().
    [[nodiscard]] worker_metrics metrics(std::size_t worker) const noexcept {
        return workers_[worker]->metrics();
    }
    /// What the offload pool does and has done. Any thread, as long as the runtime exists.
    [[nodiscard]] eddy::offload_metrics offload_metrics() const noexcept { return offload_pool_.metrics(); }
    /// The threads for blocking work; offload() is the way to them.
    [[nodiscard]] offload_pool& offload_threads() noexcept { return offload_pool_; }

    /// The runtime on whose worker the caller is. Requires: it is on one.
    [[nodiscard]] static runtime& current() noexcept { return worker::current().owner(); }

private:
    struct threads;
    void end() noexcept;

    template <class TaskType, class Function>
    static TaskType call(Function function, std::size_t index) {
        co_return co_await function(index);
    }

    offload_pool offload_pool_;
    std::vector<std::unique_ptr<worker>> workers_;
    std::unique_ptr<threads> threads_;
};

}  // namespace eddy
