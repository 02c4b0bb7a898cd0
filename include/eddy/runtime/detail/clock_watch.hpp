#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/detail/intrusive_list.hpp>
#include <eddy/io/detail/operation.hpp>
#include <eddy/runtime/detail/timer_wheel.hpp>

#include <cstdint>

namespace eddy {

namespace detail {

class clock_watch;
class worker_core;
struct clock_waiter_tag;

/// A clock that may jump against the one of the timers.
enum class jumping_clock : std::uint8_t {
    wall,  ///< is set by people and by the network
    boot,  ///< runs while the machine is suspended
};

/// A waiter for a time of such a clock. Leaves the watch when it is destroyed.
class clock_waiter : public list_hook<clock_waiter_tag> {
public:
    /// Called once the clock has reached the time, with 0, or with a negative error number if its changes
    /// cannot be watched any more. The waiter has left the watch by then. Runs no user code.
    using ended_function = void (*)(clock_waiter&, int result) noexcept;

    clock_waiter(jumping_clock which, std::int64_t time_ns, ended_function ended) noexcept
        : which_(which), time_ns_(time_ns), ended_(ended), alarm_(*this) {}
    ~clock_waiter() { leave(); }

    [[nodiscard]] jumping_clock which() const noexcept { return which_; }
    [[nodiscard]] std::int64_t time_ns() const noexcept { return time_ns_; }
    /// Nothing happens if it is in no watch.
    void leave() noexcept;

private:
    friend class clock_watch;
    struct alarm : timer {
        explicit alarm(clock_waiter& waiting) noexcept : timer(&fire), owner(waiting) {}
        static void fire(timer& fired) noexcept;
        void disarm() noexcept { unlink(); }
        clock_waiter& owner;
    };

    jumping_clock which_;
    std::int64_t time_ns_;
    ended_function ended_;
    clock_watch* watch_ = nullptr;
    alarm alarm_;
};

/// The waiters of one worker for clocks that may jump. Each has a timer of the worker, which is armed anew
/// whenever the system reports that a clock has jumped; while there are waiters, one descriptor for all is
/// watched for that. If the system cannot report it, all waits end with the error.
///
/// Thread safety: none; belongs to its worker.
class clock_watch {
public:
    explicit clock_watch(worker_core& home) noexcept : home_(home), changed_(*this) {}

    /// Returns 0, or a negative error number: that of the failure to make the descriptor.
    [[nodiscard]] int add(clock_waiter& added) noexcept;

private:
    friend class clock_waiter;
    struct change : io::operation {
        explicit change(clock_watch& watch) noexcept
            : operation(io::opcode::await_readable, &come), owner(watch) {}
        static void come(io::operation& ended, const io::completion& outcome) noexcept;
        clock_watch& owner;
    };

    void remove(clock_waiter& gone) noexcept;
    [[nodiscard]] int begin() noexcept;
    void end() noexcept;
    void arm(clock_waiter& armed) noexcept;
    /// Arms all timers anew and waits for the next change.
    void follow() noexcept;
    void fail(int result) noexcept;
    [[nodiscard]] std::int64_t read(jumping_clock which) noexcept;

    worker_core& home_;
    intrusive_list<clock_waiter, clock_waiter_tag> waiting_;
    change changed_;
};

}  // namespace detail

}  // namespace eddy
