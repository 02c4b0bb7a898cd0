#pragma once

#include <eddy/base/atomic.hpp>
#include <eddy/base/clock.hpp>
#include <eddy/base/counter.hpp>
#include <eddy/core/loop_host.hpp>
#include <eddy/core/resume_loop.hpp>
#include <eddy/io/backend.hpp>
#include <eddy/runtime/inbox.hpp>
#include <eddy/runtime/metrics.hpp>
#include <eddy/runtime/timer_wheel.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace eddy {

class runtime;

/// A thread's share of a runtime: its ready queue, its timers, its inbox and its instance of the backend.
/// Tasks stay on the worker on which they started.
///
/// Thread safety: belongs to its thread, except post() and metrics().
class worker final : private detail::loop_host {
public:
    /// `order` decides what is resumed next; without one it is who became ready first.
    worker(runtime& owner, std::size_t index, std::unique_ptr<io::backend> carrier, std::size_t turn_budget,
           std::unique_ptr<detail::resume_observer> order = nullptr);
    worker(const worker&) = delete;
    worker& operator=(const worker&) = delete;

    /// The worker of this thread. Requires: there is one.
    [[nodiscard]] static worker& current() noexcept {
        EDDY_ASSERT(current_ != nullptr, "this must happen on a worker of a runtime");
        return *current_;
    }
    [[nodiscard]] static worker* current_or_null() noexcept { return current_; }

    [[nodiscard]] runtime& owner() const noexcept { return owner_; }
    /// 0 to runtime::workers() - 1.
    [[nodiscard]] std::size_t index() const noexcept { return index_; }
    [[nodiscard]] io::backend& carrier() noexcept { return *backend_; }
    [[nodiscard]] detail::resume_loop& loop() noexcept { return loop_; }
    [[nodiscard]] detail::timer_wheel& timers() noexcept { return timers_; }

    /// The time at which this turn of the worker read its clock first: at most one turn old.
    [[nodiscard]] time_point turn_time() noexcept;

    /// Sends a message. Any thread, as long as the runtime exists.
    using loop_host::post;
    [[nodiscard]] bool enqueue(detail::inbox_item& sent) noexcept override;
    void wake() noexcept override;
    void retract(detail::inbox_item& sent) noexcept override { inbox_.retract(sent); }

    /// Makes the calling thread this worker's until it is destroyed.
    class [[nodiscard]] presence {
    public:
        explicit presence(worker& here) noexcept
            : worker_before_(std::exchange(current_, &here)),
              loop_before_(detail::resume_loop::enter(&here.loop_)) {}
        presence(const presence&) = delete;
        presence& operator=(const presence&) = delete;
        ~presence() {
            current_ = worker_before_;
            detail::resume_loop::enter(loop_before_);
        }

    private:
        worker* worker_before_;
        detail::resume_loop* loop_before_;
    };

    /// Turns until `is_done()`, which is asked again before each wait: what was waited for may have come
    /// about in the same turn. Requires: presence.
    template <class Predicate>
    void run_until(Predicate is_done) {
        while (!is_done()) {
            run_ready();
            serve_backend(!is_done());
        }
    }

    /// Drops what still runs here and ends all operations. Called once. Requires: presence.
    void shut_down() noexcept;
    /// Destroys the backend, on the worker's thread, once nobody posts any more; waits for threads outside
    /// of the runtime that are about to wake this worker.
    void close_backend() noexcept;
    /// Frees the messages that came after shut_down(), once no worker runs any more. Gives whether there were
    /// any.
    bool discard_inbox() noexcept;

    [[nodiscard]] worker_metrics metrics() const noexcept;
    /// How many messages wait to be taken, by walking.
    [[nodiscard]] std::size_t count_messages() const noexcept;
    /// For the network module: connections now open on this worker.
    [[nodiscard]] detail::counter& connections() noexcept { return connections_; }

private:
    /// The first half of a turn: resumes what is ready and takes the messages.
    void run_ready();
    /// The second half: enters the backend, to wait only if there is nothing to run, and fires timers.
    void serve_backend(bool may_wait);
    void enter_backend(std::optional<duration> wait);
    void wait_for_events() noexcept override;
    bool take_inbox(bool is_discarded) noexcept;
    /// Whether the calling thread may vanish from the runtime's sight while it posts.
    [[nodiscard]] bool is_called_from_outside() const noexcept {
        return current_ == nullptr || &current_->owner_ != &owner_;
    }
    [[nodiscard]] std::optional<duration> idle_time() noexcept;

    static constinit thread_local worker* current_;

    runtime& owner_;
    std::size_t index_;
    std::size_t turn_budget_;
    std::unique_ptr<io::backend> backend_;
    io::backend_metrics final_backend_metrics_{};  // once there is no backend any more
    std::unique_ptr<detail::resume_observer> order_;
    detail::resume_loop loop_{this};
    detail::timer_wheel timers_;
    detail::inbox inbox_;
    detail::atomic<unsigned> callers_outside_{0};  // between the beginning of enqueue() and the end of wake()
    time_point turn_time_{};

    detail::counter turns_;
    detail::counter resumptions_;
    detail::counter timers_fired_;
    detail::counter messages_;
    detail::counter connections_;
    std::atomic<std::int64_t> live_frames_{0};
};

}  // namespace eddy
