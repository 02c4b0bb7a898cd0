#pragma once

#include <eddy/detail/build.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace eddy::io {

/// How many CPUs this process may use at once: those its affinity mask names, less if its control group has a
/// smaller quota (cpu.max, rounded up). At least 1.
[[nodiscard]] std::size_t available_cpus() noexcept;

/// Names the calling thread for debuggers and top(1); cut to what the system holds (15 characters on Linux).
void name_this_thread(const char* name) noexcept;

/// The CPUs that the calling thread may run on, by the system's numbers. Empty where the system does not
/// report them.
[[nodiscard]] std::vector<unsigned> cpus_of_this_thread();

/// Lets the calling thread run on these only. Throws std::system_error if the system refuses.
void move_this_thread(std::span<const unsigned> cpus);

/// Raises the limit on open descriptors to the greatest that the system allows this process. Returns the new
/// limit.
std::size_t raise_descriptor_limit() noexcept;

/// How many descriptors this process has open. Throws std::system_error where the system does not report it.
[[nodiscard]] std::size_t count_open_descriptors();

/// While it lives, threads that the calling thread starts have every signal blocked, so that signals reach
/// only threads that ask for them.
class signals_blocked {
public:
    signals_blocked();
    signals_blocked(const signals_blocked&) = delete;
    signals_blocked& operator=(const signals_blocked&) = delete;
    ~signals_blocked();

private:
    struct saved_mask;
    std::unique_ptr<saved_mask> saved_;
};

}  // namespace eddy::io
