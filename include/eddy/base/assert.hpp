#pragma once

// EDDY_ASSERT(condition, "what the caller must have done") checks a precondition in debug builds and costs
// nothing in release builds (NDEBUG). It is for programming errors only; bad input is never asserted.

namespace eddy::detail {

/// Prints the failed precondition with its place to standard error and aborts.
[[noreturn]] void assertion_failed(const char* message, const char* file, int line) noexcept;

/// Prints the message to standard error and aborts, in every build. For states in which going on would
/// corrupt the program, such as an exception that leaves a detached task.
[[noreturn]] void fatal(const char* message, const char* detail = nullptr) noexcept;

}  // namespace eddy::detail

#ifdef NDEBUG
#define EDDY_ASSERT(condition, message) static_cast<void>(0)
#else
#define EDDY_ASSERT(condition, message) \
    ((condition) ? static_cast<void>(0) : ::eddy::detail::assertion_failed(message, __FILE__, __LINE__))
#endif
