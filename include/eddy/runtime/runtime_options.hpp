#pragma once

#include <eddy/io/backend_options.hpp>
#include <eddy/runtime/backend_kind.hpp>
#include <eddy/runtime/placement.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace eddy {

/// What a runtime is made with. Setters chain: runtime_options().workers(4).backend(backend_kind::epoll).
class runtime_options {
public:
    runtime_options() = default;

    /// Workers, the calling thread included. 0, the default of a runtime: as many as the CPUs that the
    /// process may use (affinity and control group).
    runtime_options& workers(std::size_t count) noexcept {
        workers_ = count;
        return *this;
    }
    runtime_options& backend(backend_kind kind) noexcept {
        backend_ = kind;
        return *this;
    }
    /// Threads of the offload pool, started when first needed. 0, the default: the CPUs, 2 at least.
    runtime_options& offload_threads(std::size_t count) noexcept {
        offload_threads_ = count;
        return *this;
    }
    /// Which worker runtime::spawn() gives a task to.
    runtime_options& placement(eddy::placement choice) noexcept {
        placement_ = choice;
        return *this;
    }
    /// Whether each worker's thread stays on one CPU, the worker's index modulo the CPUs that the process may
    /// use. The thread that makes the runtime, too, gets its own CPUs back when the runtime ends. Off by
    /// default.
    runtime_options& pin_workers(bool is_wanted) noexcept {
        cpus_.clear();
        are_workers_pinned_ = is_wanted;
        return *this;
    }
    /// Lets each worker's thread stay on one CPU of these, by its index modulo their number; numbers as the
    /// system's. A runtime whose system refuses one is not made.
    runtime_options& pin_workers(std::vector<unsigned> cpus) noexcept {
        are_workers_pinned_ = !cpus.empty();
        cpus_ = std::move(cpus);
        return *this;
    }
    /// What the threads are called in debuggers and top(1): NAME-1 for worker 1 and so on, NAME-offload for
    /// those of the offload pool. Systems cut names (Linux: after 15 characters).
    runtime_options& thread_name(std::string name) noexcept {
        thread_name_ = std::move(name);
        return *this;
    }
    /// How many tasks a worker resumes before it looks after I/O, timers and messages again.
    runtime_options& turn_budget(std::size_t resumptions) noexcept {
        turn_budget_ = resumptions;
        return *this;
    }
    /// For tests: not 0 lets each worker resume ready tasks and report completions in an order, and so many
    /// at once, as this seed decides, so that code which depends on an order that nobody promised is found.
    /// 0, the default: what EDDY_SHUFFLE says, else no shuffling. The order of messages stays.
    runtime_options& shuffle_seed(std::uint64_t seed) noexcept {
        shuffle_seed_ = seed;
        return *this;
    }
    /// Buffers and queues of each worker's backend.
    runtime_options& io(const io::backend_options& options) noexcept {
        io_ = options;
        return *this;
    }

    [[nodiscard]] std::size_t workers() const noexcept { return workers_; }
    [[nodiscard]] backend_kind backend() const noexcept { return backend_; }
    [[nodiscard]] std::size_t offload_threads() const noexcept { return offload_threads_; }
    [[nodiscard]] eddy::placement placement() const noexcept { return placement_; }
    [[nodiscard]] bool are_workers_pinned() const noexcept { return are_workers_pinned_; }
    /// Empty: those that the process may use.
    [[nodiscard]] const std::vector<unsigned>& cpus() const noexcept { return cpus_; }
    [[nodiscard]] const std::string& thread_name() const noexcept { return thread_name_; }
    [[nodiscard]] std::size_t turn_budget() const noexcept { return turn_budget_; }
    [[nodiscard]] std::uint64_t shuffle_seed() const noexcept { return shuffle_seed_; }
    [[nodiscard]] const io::backend_options& io() const noexcept { return io_; }

private:
    std::size_t workers_ = 0;
    backend_kind backend_ = backend_kind::automatic;
    std::size_t offload_threads_ = 0;
    eddy::placement placement_ = eddy::placement::least_loaded;
    bool are_workers_pinned_ = false;
    std::vector<unsigned> cpus_;
    std::string thread_name_ = "eddy";
    std::size_t turn_budget_ = 512;
    std::uint64_t shuffle_seed_ = 0;
    io::backend_options io_;
};

}  // namespace eddy
