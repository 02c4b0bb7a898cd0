#pragma once

#include <eddy/io/operation.hpp>

#include <liburing.h>

namespace eddy::backends {

/// Spells an operation as a submission entry. What the kernel needs beside the entry goes into the
/// operation's scratch space.
void prepare(io_uring_sqe& entry, io::operation& asked) noexcept;

}  // namespace eddy::backends
