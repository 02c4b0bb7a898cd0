#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/detail/build.hpp>
#include <eddy/io/backend_options.hpp>
#include <eddy/runtime/stall_report.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy {

/// What carries operations out.
enum class backend_kind : std::uint8_t {
    automatic,  ///< what EDDY_BACKEND names, else io_uring if the kernel allows it, else epoll
    /// Operations go to the kernel in a ring; Linux 6.1 or later.
    io_uring,
    /// Operations wait until they can be tried; files go to the offload pool.
    epoll,
};

/// "auto", "io_uring" or "epoll".
[[nodiscard]] std::string_view to_string(backend_kind kind) noexcept;

/// Reads a name as to_string() returns it. The error is a message for the user.
[[nodiscard]] std::expected<backend_kind, std::string> parse_backend_kind(std::string_view name);

/// How runtime::spawn() chooses a worker.
enum class placement : std::uint8_t {
    least_loaded,  ///< the one with the fewest tasks that came from other workers and have not ended
    round_robin,   ///< one after the other
};

namespace io {
struct system;
}

/// Changes what a worker knows as the operating system.
using system_change = std::function<void(io::system& changed)>;

/// What a runtime is made with. Setters chain: runtime_options().workers(4).backend(backend_kind::epoll).
class runtime_options {
public:
    runtime_options() = default;

    /// Workers, the calling thread included. 0, the default of a runtime: as many as the CPUs that the
    /// process may use (affinity and control group). More than 16384 are refused: std::invalid_argument.
    runtime_options& workers(std::size_t count) noexcept {
        workers_ = count;
        return *this;
    }
    /// What carries operations out.
    runtime_options& backend(backend_kind kind) noexcept {
        backend_ = kind;
        return *this;
    }
    /// Threads of the offload pool, started when first needed; 16384 at most. 0, the default: the CPUs, 2 at
    /// least.
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
    /// of a worker, and pass in milliseconds where calls are short. 0 counts as 1.
    runtime_options& offload_queue_max(std::size_t count) noexcept {
        offload_queue_max_ = count;
        return *this;
    }
    /// Which worker runtime::spawn() places a task on.
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
    /// How many tasks a worker resumes before it looks after I/O, timers and messages again. 0 counts as 1.
    runtime_options& turn_budget(std::size_t resumptions) noexcept {
        turn_budget_ = resumptions;
        return *this;
    }
    /// How long an idle worker polls for messages of other threads before it goes to sleep, at the most,
    /// where the last messages came that soon: a sleep and its end take both sides several microseconds. 0:
    /// it never does; nor does it where there are more workers than CPUs. Failed attempts delay the next one,
    /// so their cost is bounded. Requires: longest >= 0.
    runtime_options& spin_max(duration longest) noexcept {
        spin_max_ = longest;
        return *this;
    }
    /// For tests: not 0 lets each worker resume ready tasks and report completions in an order, and so many
    /// at once, as this seed decides, so that code which depends on an order that is not promised is found.
    /// 0, the default: the value of EDDY_SHUFFLE, otherwise no shuffling. The order of messages stays, and
    /// every promise holds: yield() and next_turn() let other tasks run first, and the waiters of an event, a
    /// latch, a barrier and the like resume in the order in which they came.
    runtime_options& shuffle_seed(std::uint64_t seed) noexcept {
        shuffle_seed_ = seed;
        return *this;
    }
    /// Reports each task that blocks its worker for longer than that, between two suspensions, with a
    /// backtrace. Once for each such stretch, while it lasts, between one and about one and a half thresholds
    /// after its beginning. What messages and timers call counts as well. 0, the default: no reports.
    ///
    /// Cost: workers pay some stores to memory of their own, whether it is on or off. It takes one more
    /// thread, which wakes four times per threshold, every millisecond at most. A worker that is reported is
    /// interrupted by a signal, a real-time one that has no handler yet; system calls are restarted if the
    /// system restarts them at all (signal(7): of sleeps, poll() and epoll_wait() it does not). Functions
    /// have names unless the program was stripped; then, if it was linked with -rdynamic, those that it
    /// exports.
    runtime_options& stall_threshold(duration longest) noexcept {
        stall_threshold_ = longest;
        return *this;
    }
    /// What is called with each such report, instead of printing it to standard error. On a thread of its
    /// own, and waited for by the end of the runtime, so it must not wait for that. Must not throw.
    runtime_options& on_stall(stall_handler handler) noexcept {
        on_stall_ = std::move(handler);
        return *this;
    }
    /// For eddy's own tests: is called on each worker's thread before the worker begins, and may put other
    /// clocks, sockets, names, files and so on in the place of the system's (io/detail/system.hpp).
    runtime_options& change_system(system_change change) {
        change_system_ = std::move(change);
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
    [[nodiscard]] eddy::placement placement() const noexcept { return placement_; }
    /// Whether each worker's thread stays on one CPU.
    [[nodiscard]] bool are_workers_pinned() const noexcept { return are_workers_pinned_; }
    /// Empty: those that the process may use.
    [[nodiscard]] const std::vector<unsigned>& cpus() const noexcept { return cpus_; }
    [[nodiscard]] const std::string& thread_name() const noexcept { return thread_name_; }
    [[nodiscard]] std::size_t turn_budget() const noexcept { return turn_budget_; }
    [[nodiscard]] duration spin_max() const noexcept { return spin_max_; }
    [[nodiscard]] std::uint64_t shuffle_seed() const noexcept { return shuffle_seed_; }
    [[nodiscard]] duration stall_threshold() const noexcept { return stall_threshold_; }
    [[nodiscard]] const stall_handler& on_stall() const noexcept { return on_stall_; }
    [[nodiscard]] const system_change& change_system() const noexcept { return change_system_; }
    [[nodiscard]] const io::backend_options& io() const noexcept { return io_; }

private:
    std::size_t workers_ = 0;
    backend_kind backend_ = backend_kind::automatic;
    std::size_t offload_threads_ = 0;
    std::size_t offload_long_threads_max_ = 0;
    std::size_t offload_queue_max_ = 1024;
    eddy::placement placement_ = eddy::placement::least_loaded;
    bool are_workers_pinned_ = false;
    std::vector<unsigned> cpus_;
    std::string thread_name_ = "eddy";
    std::size_t turn_budget_ = 512;
    duration spin_max_ = std::chrono::microseconds(20);
    std::uint64_t shuffle_seed_ = 0;
    duration stall_threshold_{};
    stall_handler on_stall_;
    system_change change_system_;
    io::backend_options io_;
};

}  // namespace eddy
