#pragma once

#include <eddy/base/assert.hpp>
#include <eddy/base/spinlock.hpp>
#include <eddy/sync/waiter.hpp>

#include <cstddef>
#include <cstdint>

namespace eddy::detail {

/// What a barrier knows of its phases, whatever it does between them. A phase is full once all that it
/// expects have arrived, and over once somebody has called complete() for it. Those who arrive in between
/// begin the next one, so any number of phases may be full at once; one thread completes them in turn.
///
/// Thread safety: everything may be called by any thread.
class barrier_phases {
public:
    /// Who waits for the end of a phase.
    struct place : waiter {
        std::uint64_t phase = 0;
    };

    explicit barrier_phases(std::ptrdiff_t expected) noexcept : expected_(expected), missing_(expected) {
        EDDY_ASSERT(expected >= 0, "a barrier expects a number of arrivals");
    }
    barrier_phases(const barrier_phases&) = delete;
    barrier_phases& operator=(const barrier_phases&) = delete;
    ~barrier_phases() { EDDY_ASSERT(waiting_.empty(), "nobody waits at a barrier that is destroyed"); }

    /// What the caller has to do next.
    enum class duty : bool { wait, complete };
    /// Arrives. `complete`: the phase is full and it is up to the caller to call complete() until that gives
    /// false; then its wait is over. Otherwise `waits` waits for the end of the phase.
    [[nodiscard]] duty arrive(place& waits) noexcept;
    /// Arrives without waiting, and is expected no more in the phases after this one. True if it is up to the
    /// caller to call complete() until that gives false.
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
    bool is_completing_ = false;   // somebody's duty
    waiter_list waiting_;          // of places, in the order of their phases
};

}  // namespace eddy::detail
