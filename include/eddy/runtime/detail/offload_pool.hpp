#pragma once

#include <eddy/io/detail/blocking_executor.hpp>
#include <eddy/runtime/metrics.hpp>
#include <eddy/runtime/work_kind.hpp>

#include <cstddef>
#include <memory>

namespace eddy {

/// A fixed number of threads for what would block a worker: long computations, and calls for which the system
/// has no other form. Threads start when they are first needed. The base of offload() and parallel_for().
///
/// - Order: work from outside begins oldest first: exactly so with one thread, with more as closely as
///   several queues allow. What a thread of the pool posts itself it runs newest first; others steal the
///   oldest of it before they sleep. Short work begins before long work. Every sixteenth choice of a thread
///   goes the other way round, so nothing starves.
/// - Long work has at most `long_threads_max` threads, and never all where there are several, so that short
///   work always finds the others.
/// - Room: at most `queue_max` pieces of submitted work of each kind are in the queues. What comes later
///   waits for room, first come, first in; nothing is refused. Posted work needs no room.
///
/// Thread safety: any thread, until stop(). Items belong to their owners, which keep them until they have run
/// or were retracted. Cost: nothing is allocated but threads.
class offload_pool final : public io::blocking_executor {
public:
    static constexpr std::size_t queue_max_default = 1024;

    /// `long_threads_max` 0, or more than that: all threads but one, at least one. Requires: threads_max > 0;
    /// queue_max > 0.
    explicit offload_pool(std::size_t threads_max, std::size_t long_threads_max = 0,
                          std::size_t queue_max = queue_max_default);
    offload_pool(const offload_pool&) = delete;
    offload_pool& operator=(const offload_pool&) = delete;
    ~offload_pool() override;

    /// Short work, at once in the queue. For backends: where no thread can be started at all, the caller runs
    /// it, since a file's work must happen and the device bounds its time.
    void post(io::blocking_item& item) noexcept override;
    /// Work that may have to wait for room. Throws what std::thread threw (std::system_error, std::bad_alloc)
    /// where no thread can be started at all; the item was then not posted.
    void submit(io::blocking_item& item, work_kind kind);
    /// More of the work that runs on this thread, which needs no room. Newest first for this thread, open to
    /// thieves; long work joins the queue of its kind. Requires: the caller is a thread of the pool.
    void post_more(io::blocking_item& item, work_kind kind) noexcept;
    /// The same, behind all of its kind that waits.
    void post_behind(io::blocking_item& item, work_kind kind) noexcept;
    /// Whether work of the kind from outside waits: a long loop may let it run first.
    [[nodiscard]] bool has_waiting(work_kind kind) const noexcept;

    [[nodiscard]] bool retract(io::blocking_item& item) noexcept override;

    /// How many threads work of the kind may have at once.
    [[nodiscard]] std::size_t threads_max(work_kind kind) const noexcept;
    [[nodiscard]] offload_metrics metrics() const noexcept;
    /// How many items have been posted and are not done.
    [[nodiscard]] std::size_t count_under_way() const noexcept;

    /// Runs what has been posted and ends the threads. Nothing may be posted afterwards but by what runs, and
    /// no further thread is started.
    void stop() noexcept;

private:
    class machinery;
    std::unique_ptr<machinery> machinery_;
};

}  // namespace eddy
