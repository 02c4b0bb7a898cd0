#pragma once

// EDDY_ASSERT(condition, "what the caller must have done") checks a precondition in debug builds and costs
// nothing in release builds (NDEBUG). It is for programming errors only; bad input is never asserted.
// EDDY_CHECK does so in every build: where going on would hang or corrupt the program without a word, and the
// check costs nothing that can be measured.

#include <eddy/detail/build.hpp>

namespace eddy::detail {

/// Prints the failed precondition with its place to standard error and aborts.
[[noreturn, gnu::cold]] void assertion_failed(const char* message, const char* file, int line) noexcept;

/// Prints the message to standard error and aborts, in every build. For states in which going on would
/// corrupt the program, such as an exception that leaves a detached task.
[[noreturn, gnu::cold]] void fatal(const char* message, const char* detail = nullptr) noexcept;

}  // namespace eddy::detail

#define EDDY_CHECK(condition, message) \
    ((condition) ? static_cast<void>(0) : ::eddy::detail::assertion_failed(message, __FILE__, __LINE__))

#ifdef NDEBUG
#define EDDY_ASSERT(condition, message) static_cast<void>(0)
#else
#define EDDY_ASSERT(condition, message) EDDY_CHECK(condition, message)
#endif
