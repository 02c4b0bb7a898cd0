#pragma once

#include <eddy/core/clock.hpp>

#include <cstdint>

namespace eddy::io {

/// The clocks of the system. Results as of operations: errors are negative error numbers.
///
/// Thread safety: belongs to the worker's thread.
class clocks {
public:
    clocks() = default;
    clocks(const clocks&) = delete;
    clocks& operator=(const clocks&) = delete;

    [[nodiscard]] virtual time_point now() const noexcept = 0;
    /// Nanoseconds since 1970-01-01, by the wall clock.
    [[nodiscard]] virtual std::int64_t wall_clock_ns() const noexcept = 0;
    /// Nanoseconds since the machine was started, those in which it was suspended included.
    [[nodiscard]] virtual std::int64_t boot_clock_ns() const noexcept = 0;
    /// A descriptor that becomes readable when the wall clock is set or the machine has been suspended, and
    /// stays so until renew_clock_changes().
    [[nodiscard]] virtual int open_clock_changes() noexcept = 0;
    [[nodiscard]] virtual int renew_clock_changes(int descriptor) noexcept = 0;
    /// For tools that test: lets this worker believe that its clocks have jumped ahead (or back) by so much,
    /// as the system would report it.
    virtual void shift_clocks(duration wall, duration boot) noexcept = 0;

protected:
    ~clocks() = default;
};

}  // namespace eddy::io
