#pragma once

#include "backend/epoll/descriptor_table.hpp"
#include "backend/epoll/listed_buffers.hpp"

#include <eddy/io/detail/operation.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace eddy::backends {

/// The result of an attempt when the descriptor is not ready. No error number is that large.
inline constexpr std::int32_t not_ready = std::numeric_limits<std::int32_t>::min();

// Each of these makes the operation's system call, which does not wait, and returns its result or not_ready.
// They note in the descriptor's state what the call shows of its readiness: after a short transfer the next
// call would find nothing to do, so a change will be reported (epoll(7)).

[[nodiscard]] std::int32_t try_accept(descriptor_state& state) noexcept;
/// Returns the buffer back if nothing was received.
[[nodiscard]] std::int32_t try_receive_pooled(descriptor_state& state, listed_buffers& buffers,
                                              io::buffer_pool::index buffer) noexcept;

/// Any operation on a descriptor but accept_multishot and receive_multishot. The operation's mark: for connect
/// whether the connection has been begun, for send and send_vectored how many bytes have been sent.
[[nodiscard]] std::int32_t try_transfer(descriptor_state& state, io::operation& op) noexcept;

/// Whether a single-shot operation is next at its descriptor, which may be ready for it, and needs no thread.
[[nodiscard]] bool may_succeed_now(descriptor_state& state, io::opcode kind) noexcept;

/// The result of an operation that ends while it waits.
[[nodiscard]] std::int32_t unfinished_result(const io::operation& waiting) noexcept;

/// Whether read and write on the descriptor are calls for a thread, since only the device makes them wait.
[[nodiscard]] bool is_file(descriptor_state& state) noexcept;

}  // namespace eddy::backends
