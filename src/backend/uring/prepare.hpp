#pragma once

#include <eddy/io/detail/operation.hpp>

#include <liburing.h>

#include <cstdint>

namespace eddy::backends {

/// A state of this backend's own: the operation is in flight, but so far the kernel only says when its
/// descriptor is ready.
inline constexpr io::operation::progress polled{0x80};

/// Spells an operation as a submission entry. What the kernel needs beside the entry goes into the
/// operation's scratch space. What has to wait until its descriptor is ready becomes `polled`.
void prepare(io_uring_sqe& entry, io::operation& op) noexcept;

/// The same for a splice whose descriptor is ready.
void prepare_splice(io_uring_sqe& entry, io::operation& op) noexcept;

/// Whether an operation that has ended with this result is to be submitted once more, by prepare_again(): one
/// that was interrupted by a signal, or by work that the kernel has for the submitting thread; the opening of
/// a file that a concurrent rename has disturbed; a splice whose descriptor is no longer ready.
[[nodiscard]] bool is_worth_another_try(io::operation& op, std::int32_t result) noexcept;

/// Requires: is_worth_another_try().
void prepare_again(io_uring_sqe& entry, io::operation& op) noexcept;

}  // namespace eddy::backends
