#pragma once

#include "io/retry_pace.hpp"

#include <cstddef>
#include <string>
#include <system_error>

/// Rings and buffer rings count against the locked memory of their user, over all of the user's processes
/// (RLIMIT_MEMLOCK in getrlimit(2)); processes with CAP_IPC_LOCK are exempt.
namespace eddy::backends {

/// The largest ring of receive buffers that the kernel takes, and the smallest to which a larger one shrinks.
inline constexpr std::size_t ring_buffers_max = std::size_t{1} << 15;
inline constexpr std::size_t ring_buffers_min = 1024;

/// The greatest number of receive buffers with which so many workers fit into the limit: `wanted`, or fewer,
/// but not below ring_buffers_min, even if that does not suffice.
[[nodiscard]] std::size_t buffers_within_locked_memory(std::size_t wanted, unsigned queue_entries,
                                                       std::size_t workers) noexcept;

/// Waits until the kernel has released the rings of programs and runtimes that have just ended, which count
/// until a worker of its own has freed them, milliseconds later. No event reports that.
class locked_memory_wait {
public:
    explicit locked_memory_wait(unsigned queue_entries) noexcept;

    /// Waits for longer each time, 0.5 s in all. False without a wait: that is over, or a ring would not fit
    /// into the limit even if no other counted.
    [[nodiscard]] bool next() noexcept;

private:
    detail::retry_pace pace_;
    int waits_left_ = 0;
};

/// To go behind the message of an error: which limit was reached, if it is one of locked memory; else "".
[[nodiscard]] std::string limit_behind(const std::error_code& error);

}  // namespace eddy::backends
