#pragma once

#include <eddy/io/detail/operation.hpp>

#include <cstdint>

namespace eddy::backends {

/// Whether a read or a write first waits until its descriptor is ready (IORING_OP_POLL_ADD), and is then made
/// by transfer_when_ready(). False for files, and for everything where the kernel does that itself.
///
/// Kernels that do not (6.1 among them) pass a transfer on a descriptor that is neither file nor socket to a
/// kernel thread, which blocks in it: a signal for the submitting thread never reaches that one, and a write
/// continues after its withdrawal. Or, with a part of later changes, they block in the submission itself.
[[nodiscard]] bool is_polled_first(const io::operation& op) noexcept;

/// Makes the read or the write, if it does not have to wait; else -EAGAIN.
[[nodiscard]] std::int32_t transfer_when_ready(const io::operation& op) noexcept;

}  // namespace eddy::backends
