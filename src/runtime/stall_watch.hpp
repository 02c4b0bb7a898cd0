#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/io/detail/stack_probe.hpp>
#include <eddy/runtime/stall_report.hpp>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace eddy::detail {

/// A thread that looks a few times per threshold at each worker's activity, and reports pieces of work that
/// last too long, each once. The time is the system's, whatever clock the workers use: a stall is real time.
///
/// A piece is timed from when it was first seen to when it was last seen, so that a delay of this thread
/// cannot make a short one long.
class stall_watch {
public:
    /// Throws std::system_error if there is no signal to interrupt workers by.
    stall_watch(duration threshold, stall_handler handler, std::size_t workers);
    stall_watch(const stall_watch&) = delete;
    stall_watch& operator=(const stall_watch&) = delete;
    ~stall_watch() { stop(); }

    /// Lets the calling thread be interrupted as that worker while it lives. Before start(), and until after
    /// stop(). Nothing happens without a watch.
    class presence {
    public:
        presence(stall_watch* watching, std::size_t worker);
        presence(const presence&) = delete;
        presence& operator=(const presence&) = delete;
        ~presence();

    private:
        stall_watch* watch_;
        std::size_t worker_;
    };

    /// Says which loop a worker has. Before start().
    void watch(std::size_t worker, resume_loop& loop) noexcept { watched_[worker].loop = &loop; }
    /// Starts the thread. Requires: every worker is present. Throws std::system_error.
    void start();
    /// Ends it; waits for a report under way.
    void stop() noexcept;

private:
    struct watched {
        resume_loop* loop = nullptr;
        std::optional<io::stack_probe> probe;  // made and destroyed by the worker's thread
        std::uint64_t piece = 0;               // at which it was seen last
        time_point since;                      // when that was seen first
        bool is_notified = false;
    };

    void run() noexcept;
    void look_at(watched& worker);
    void report(watched& worker, duration lasted);

    duration threshold_;
    stall_handler reported_;
    std::vector<watched> watched_;
    io::captured_stack stack_;
    std::mutex mutex_;
    std::condition_variable ended_;
    bool is_ended_ = false;  // under mutex_
    std::thread thread_;
};

}  // namespace eddy::detail
