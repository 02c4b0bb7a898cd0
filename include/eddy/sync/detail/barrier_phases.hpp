#pragma once

#include <eddy/detail/assert.hpp>
#include <eddy/detail/spinlock.hpp>
#include <eddy/sync/detail/waiter.hpp>

#include <cstddef>
#include <cstdint>

namespace eddy::detail {

/// The phases of a barrier, whatever its completion does. A phase is full once all expected arrivals have
/// come, and over once complete() was called for it. Arrivals in between begin the next one, so any number of
/// phases may be full at once; one thread completes them in turn.
///
/// Thread safety: any thread may call everything.
class barrier_phases {
public:
    /// A waiter for the end of a phase.
    struct place : waiter {
        std::uint64_t phase = 0;
    };

    explicit barrier_phases(std::ptrdiff_t expected) noexcept : expected_(expected), missing_(expected) {
        EDDY_ASSERT(expected >= 0, "a barrier expects a number of arrivals");
    }
    barrier_phases(const barrier_phases&) = delete;
    barrier_phases& operator=(const barrier_phases&) = delete;
    ~barrier_phases() { EDDY_CHECK(waiting_.empty(), "no task waits at a barrier that is destroyed"); }

    /// What the caller has to do next.
    enum class duty : bool { wait, complete };
    /// Arrives. `complete`: the phase is full and the caller must call complete() until that returns false;
    /// then its wait has ended. Otherwise `waits` waits for the end of the phase.
    [[nodiscard]] duty arrive(place& waits) noexcept;
    /// Arrives without waiting, and is expected no more in the phases after this one. `complete` if the
    /// caller must call complete() until that returns false.
    [[nodiscard]] duty arrive_and_drop() noexcept;
    /// Ends the oldest full phase. True if the next one is full as well.
    [[nodiscard]] bool complete() noexcept;

    [[nodiscard]] spinlock& lock() noexcept { return lock_; }

private:
    [[nodiscard]] duty count_arrival() noexcept;

    spinlock lock_;                // guards all of this
    std::ptrdiff_t expected_;      // in each phase
    std::ptrdiff_t missing_;       // in the phase that fills
    std::uint64_t filling_ = 0;    // the number of that phase: all before it are full
    std::uint64_t completed_ = 0;  // how many phases are over
    bool is_completing_ = false;   // one thread's duty
    waiter_list waiting_;          // of places, in the order of their phases
};

}  // namespace eddy::detail
