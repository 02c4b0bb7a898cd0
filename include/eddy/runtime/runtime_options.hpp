#pragma once

#include <eddy/io/backend_options.hpp>
#include <eddy/runtime/backend_kind.hpp>

#include <cstddef>
#include <cstdint>

namespace eddy {

/// What a runtime is made with. Setters chain: runtime_options().workers(4).backend(backend_kind::epoll).
class runtime_options {
public:
    runtime_options() noexcept = default;

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
    /// How many of these threads long work (work_kind::long_running) may have at once. 0, the default: all
    /// but one, which is also the most where there are several, so that short work is never stuck behind
    /// long.
    runtime_options& offload_long_threads_max(std::size_t count) noexcept {
        offload_long_threads_max_ = count;
        return *this;
    }
    /// How many calls of offload() and parallel_for(), of short and of long work each, the pool's queues
    /// hold. Further ones wait for room in order, each with what it owns, and nothing is refused: it costs a
    /// call nothing to wait there. What it bounds is how much a backend's own file work, which needs no room,
    /// may find ahead of itself: 1024 calls, the default, keep threads busy through any gap between two turns
    /// of a worker, and pass in milliseconds where calls are short. Requires: count > 0.
    runtime_options& offload_queue_max(std::size_t count) noexcept {
        offload_queue_max_ = count;
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
    [[nodiscard]] std::size_t offload_long_threads_max() const noexcept { return offload_long_threads_max_; }
    [[nodiscard]] std::size_t offload_queue_max() const noexcept { return offload_queue_max_; }
    [[nodiscard]] std::size_t turn_budget() const noexcept { return turn_budget_; }
    [[nodiscard]] std::uint64_t shuffle_seed() const noexcept { return shuffle_seed_; }
    [[nodiscard]] const io::backend_options& io() const noexcept { return io_; }

private:
    std::size_t workers_ = 0;
    backend_kind backend_ = backend_kind::automatic;
    std::size_t offload_threads_ = 0;
    std::size_t offload_long_threads_max_ = 0;
    std::size_t offload_queue_max_ = 1024;
    std::size_t turn_budget_ = 512;
    std::uint64_t shuffle_seed_ = 0;
    io::backend_options io_;
};

}  // namespace eddy
