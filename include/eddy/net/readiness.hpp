#pragma once

#include <eddy/io/detail/awaited_operation.hpp>
#include <eddy/io/detail/result.hpp>

#include <expected>
#include <system_error>

namespace eddy {

namespace detail {

/// Awaits the readiness of a descriptor that belongs to others.
class awaited_readiness : public io::awaited_operation<io::operation> {
public:
    awaited_readiness(io::backend& backend, io::opcode kind, int awaited) noexcept
        : awaited_operation(backend, kind) {
        descriptor = awaited;
    }
    void await_resume() const { io::require_done(result(), "await readiness"); }
    std::expected<void, std::error_code> outcome() const noexcept { return io::expected_done(result()); }
};

}  // namespace detail

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
[[nodiscard]] detail::awaited_readiness writable(int descriptor) noexcept;

}  // namespace eddy
