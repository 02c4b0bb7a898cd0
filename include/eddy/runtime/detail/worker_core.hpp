#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/detail/loop_host.hpp>
#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/detail/assert.hpp>
#include <eddy/detail/atomic.hpp>
#include <eddy/detail/counter.hpp>
#include <eddy/detail/spinlock.hpp>
#include <eddy/io/detail/backend.hpp>
#include <eddy/runtime/detail/cache_trimmer.hpp>
#include <eddy/runtime/detail/clock_watch.hpp>
#include <eddy/runtime/detail/function_queue.hpp>
#include <eddy/runtime/detail/function_share.hpp>
#include <eddy/runtime/detail/idle_worker.hpp>
#include <eddy/runtime/detail/inbox.hpp>
#include <eddy/runtime/detail/spin_policy.hpp>
#include <eddy/runtime/detail/throughput_estimate.hpp>
#include <eddy/runtime/detail/timer_wheel.hpp>
#include <eddy/runtime/metrics.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace eddy {

class runtime;

namespace detail {

/// A worker as the library sees it. Users see of it what worker, which is derived from it, shows them.
///
/// Thread safety: belongs to its thread, except where a comment says otherwise.
class worker_core : private loop_host {
public:
    /// `order` decides what is resumed next; without one it is the task that became ready first.
    worker_core(runtime& owner, std::size_t index, std::unique_ptr<io::backend> backend,
                std::size_t turn_budget, duration spin_max, std::unique_ptr<resume_observer> order = nullptr);
    worker_core(const worker_core&) = delete;
    worker_core& operator=(const worker_core&) = delete;

    /// The worker of this thread. Requires: there is one.
    [[nodiscard]] static worker_core& current() noexcept {
        EDDY_ASSERT(current_ != nullptr, "this must happen on a worker of a runtime");
        return *current_;
    }
    [[nodiscard]] static worker_core* current_or_null() noexcept { return current_; }

    [[nodiscard]] runtime& owner() const noexcept { return owner_; }
    [[nodiscard]] std::size_t index() const noexcept { return index_; }
    [[nodiscard]] time_point now() const noexcept { return time_source_->now(); }
    [[nodiscard]] time_point turn_time() noexcept;
    /// As worker::post_function().
    template <class Function>
    void post_function(Function&& function) {
        if (is_on_its_thread())
            return functions_.push(std::forward<Function>(function));
        {
            const std::lock_guard lock(sent_lock_);
            const bool has_rung = !sent_functions_.empty();
            sent_functions_.push(std::forward<Function>(function));
            if (has_rung)
                return;
        }
        post(remote_notice_);
    }
    [[nodiscard]] worker_metrics metrics() const noexcept;

    /// Whether the caller is on the thread that made it.
    [[nodiscard]] bool is_on_its_thread() const noexcept { return thread_ == &current_; }

    [[nodiscard]] io::backend& backend() noexcept { return *backend_; }
    /// The calls that are no operations.
    [[nodiscard]] const io::system& system() const noexcept { return backend_->system(); }
    [[nodiscard]] resume_loop& loop() noexcept { return loop_; }
    [[nodiscard]] timer_wheel& timers() noexcept { return timers_; }
    [[nodiscard]] clock_watch& clocks() noexcept { return clocks_; }
    [[nodiscard]] cache_trimmer& spare() noexcept { return spare_; }

    /// Sends a message. Any thread, as long as the runtime exists.
    using loop_host::post;
    [[nodiscard]] bool enqueue(inbox_item& sent) noexcept final;
    void wake() noexcept final;
    void retract(inbox_item& sent) noexcept final { inbox_.retract(sent); }

    /// Makes the calling thread this worker's until it is destroyed.
    class [[nodiscard]] enter_guard {
    public:
        explicit enter_guard(worker_core& here) noexcept
            : worker_before_(std::exchange(current_, &here)), loop_before_(resume_loop::enter(&here.loop_)) {
            EDDY_ASSERT(here.is_on_its_thread(), "a worker is driven by the thread that made it");
        }
        enter_guard(const enter_guard&) = delete;
        enter_guard& operator=(const enter_guard&) = delete;
        ~enter_guard() {
            current_ = worker_before_;
            resume_loop::enter(loop_before_);
        }

    private:
        worker_core* worker_before_;
        resume_loop* loop_before_;
    };

    /// Turns until `is_done()`, which is called again before each wait: the event may have happened in the
    /// same turn. Requires: presence.
    template <class Predicate>
    void run_until(Predicate is_done) {
        while (!is_done()) {
            run_ready(turn_budget_);
            serve_backend(!is_done());
        }
    }

    /// Resumes what is ready and calls what was posted until nothing is left, or about `budget` have been.
    /// Returns how many were; never waits. Once nothing is left, what comes from outside makes the backend's
    /// descriptor readable. Requires: presence.
    std::size_t poll(std::size_t budget);
    /// Resumes or calls one, if there is one. Returns whether there was. Requires: presence.
    bool run_one();
    /// Waits until something is ready, for `wait` at the most. Returns whether something is.
    bool wait_for_work(std::optional<duration> wait);

    /// Whether there is something to resume or to call.
    [[nodiscard]] bool has_work() const noexcept;
    /// How long there is nothing to do here, unless something comes from outside. Trims what is kept for
    /// reuse, if it is time for that.
    [[nodiscard]] std::optional<duration> idle_time() noexcept;

    /// Drops what still runs here and ends all operations. Called once. Requires: presence.
    void shut_down() noexcept;
    /// Destroys the backend, on the worker's thread, once no thread posts any more; waits for threads outside
    /// of the runtime that are about to wake this worker.
    void close_backend() noexcept;
    /// Frees the messages that came after shut_down(), once no worker runs any more. Returns whether there
    /// were any.
    bool discard_inbox() noexcept;

    /// Wakes it for what is common to all workers. Requires: it was chosen among the sleepers.
    void call() noexcept { post(idle_); }
    /// It will not look for what is common to all workers, for now. Its own thread.
    void leave_shared_functions() noexcept;
    [[gnu::noinline]] void stop_searching() noexcept;
    /// What it has taken of that. Any thread may release it.
    [[nodiscard]] function_share& share() noexcept { return share_; }
    /// Ends a wait of this worker's without a message. Any thread, as long as the runtime exists.
    void unpark() noexcept;
    /// Grows whenever this worker goes to sleep because it has nothing to do until a message comes (odd from
    /// then on) or wakes up (even). Any thread.
    [[nodiscard]] std::uint64_t rest() const noexcept { return rest_.load(); }
    /// Whether it sleeps and has been sent nothing. Any thread.
    [[nodiscard]] bool is_asleep() const noexcept { return inbox_.is_asleep(); }
    /// How many tasks have been sent here that have not ended. Any thread.
    [[nodiscard]] std::size_t load() const noexcept { return load_.load(std::memory_order_relaxed); }
    void note_sent() noexcept { load_.fetch_add(1, std::memory_order_relaxed); }
    void note_sent_ended() noexcept { load_.fetch_sub(1, std::memory_order_relaxed); }
    /// Whether all tasks here have ended and nothing has been sent here. Its own thread.
    [[nodiscard]] bool is_done() const noexcept {
        return loop_.jobs() == 0 && !has_work() && inbox_.is_empty();
    }

    /// How many messages wait to be taken, by walking.
    [[nodiscard]] std::size_t count_messages() const noexcept;
    /// For the modules that own descriptors: connections and listeners now open on this worker, and sockets for
    /// datagrams and ends of pipes. They end before it.
    [[nodiscard]] counter& connections() noexcept { return connections_; }
    [[nodiscard]] counter& listeners() noexcept { return listeners_; }
    [[nodiscard]] counter& others_open() noexcept { return others_open_; }
    /// In every build ends the program with a message unless the caller is on the worker to which something
    /// belongs. The pointer may be that of a worker which is gone.
    static void require_current(const worker_core* home) noexcept {
        if (current_ != home) [[unlikely]]
            fatal("a stream, socket or pipe is used on a worker that it does not belong to");
    }

protected:
    ~worker_core() = default;

private:
    /// The first half of a turn: resumes what is ready, calls what was posted and takes the messages. Returns
    /// how many were resumed or called.
    std::size_t run_ready(std::size_t budget);
    std::size_t call_functions(std::size_t budget) noexcept;
    /// The second half: enters the backend, to wait only if there is nothing to run, and fires timers.
    void serve_backend(bool may_wait);
    /// Returns whether messages have come.
    bool enter_backend(std::optional<duration> wait);
    /// Polls for messages, while the backend works, for as long as that may pay. Returns whether any came, or
    /// whether it was unparked.
    bool look_for_messages();
    /// Whether it was unparked since the last call. One that has ended a sleep may still be reported here.
    [[nodiscard]] bool take_unpark() noexcept;
    /// Returns the time afterwards.
    time_point pass_time_between_looks() noexcept;
    void wait_for_events() noexcept final;
    bool take_inbox(bool is_discarded) noexcept;
    /// Whether the calling thread may vanish from the runtime's sight while it posts.
    [[nodiscard]] bool is_called_from_outside() const noexcept {
        return current_ == nullptr || &current_->owner_ != &owner_;
    }
    /// Goes to sleep unless there is something to do. Returns how long there is nothing, as idle_time().
    [[nodiscard]] std::optional<duration> fall_asleep() noexcept;
    /// Starts timers that were armed for a time from now on. Returns whether there were any: turn_time_ is
    /// then the current time.
    bool start_timers() noexcept;
    void take_shared_functions() noexcept;
    void note_throughput(time_point now) noexcept;
    /// As idle_time(), of a worker that others may call: it wakes in time to see whether workers that attend
    /// make progress, unless another one watches them.
    [[nodiscard, gnu::noinline]] std::optional<duration> idle_time_when_listed() noexcept;
    void begin_rest() noexcept;
    static void take_sent_functions(inbox_item& item, bool is_discarded) noexcept;

    static constinit thread_local worker_core* current_;

    // The address of its current_ distinguishes a thread from all other living ones.
    worker_core* const* const thread_ = &current_;
    runtime& owner_;
    std::size_t index_;
    std::size_t turn_budget_;
    std::unique_ptr<io::backend> backend_;
    io::clocks* time_source_;                      // the backend's
    io::backend_metrics final_backend_metrics_{};  // once there is no backend any more
    std::unique_ptr<resume_observer> order_;
    resume_loop loop_{this};
    timer_wheel timers_;
    clock_watch clocks_{*this};
    cache_trimmer spare_;
    inbox inbox_;
    function_queue functions_;

    /// Says that there are functions from other threads.
    struct remote_notice : inbox_item {
        explicit remote_notice(worker_core& called) noexcept
            : inbox_item(&take_sent_functions), owner(called) {}
        worker_core& owner;
    };
    remote_notice remote_notice_{*this};
    alignas(64) spinlock sent_lock_;
    function_queue sent_functions_;  // guarded by sent_lock_; the bell rings while it is not empty

    atomic<unsigned> callers_outside_{0};  // between the beginning of enqueue() and the end of wake()
    atomic<bool> is_unparked_{false};
    time_point turn_time_{};
    bool is_resting_ = false;
    spin_policy spin_;

    // What is common to all workers.
    throughput_estimate throughput_;
    std::size_t taken_ = 0;  // functions, last time
    time_point taken_at_{};
    function_queue taken_functions_;  // on their way to share_
    function_share share_;
    idle_worker idle_;
    atomic<std::uint64_t> rest_{0};
    atomic<std::size_t> load_{0};

    counter turns_;
    counter resumptions_;
    counter functions_called_;
    counter timers_fired_;
    counter messages_;
    counter connections_;
    counter listeners_;
    counter others_open_;
    std::atomic<std::int64_t> live_frames_{0};
};

}  // namespace detail
}  // namespace eddy
