#pragma once

#include <eddy/io/operation.hpp>

#include <liburing.h>

#include <cstdint>

namespace eddy::backends {

/// Spells an operation as a submission entry. What the kernel needs beside the entry goes into the
/// operation's scratch space.
void prepare(io_uring_sqe& entry, io::operation& asked) noexcept;

/// Whether an operation that was prepared and has ended with this result is to be asked for once more, by
/// prepare_again(): one that a signal has interrupted, as which work counts that the kernel has for the
/// submitting thread; the opening of a file that somebody's renaming has disturbed; a splice whose descriptor
/// is ready, or is not ready any more.
[[nodiscard]] bool is_worth_another_try(io::operation& asked, std::int32_t result) noexcept;

/// Requires: is_worth_another_try().
void prepare_again(io_uring_sqe& entry, io::operation& asked) noexcept;

}  // namespace eddy::backends
