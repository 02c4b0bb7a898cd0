#pragma once

#include <eddy/io/detail/awaited_readiness.hpp>

namespace eddy {

/// `co_await readable(descriptor)` waits until a read from a foreign descriptor, for example another
/// library's, would not wait: for bytes, a connection, the end or an error. writable() is the same for a
/// write.
///
/// - Ownership: the descriptor stays its owner's and must be open until the wait has ended. It may then be
///   closed, and its number reused, without notice to this library.
/// - Cancellation: dropped, nothing has happened.
/// - Errors: std::system_error, bad_file_descriptor for one. A file is always ready.
/// - Cost: one entry of the ring, or one or two epoll_ctl(2).
///
/// Requires: the caller is on a worker.
[[nodiscard]] detail::awaited_readiness readable(int descriptor) noexcept;
/// As readable(), until the descriptor can be written. Dropped: nothing was won.
[[nodiscard]] detail::awaited_readiness writable(int descriptor) noexcept;

}  // namespace eddy
