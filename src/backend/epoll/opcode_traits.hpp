#pragma once

#include <eddy/io/detail/operation.hpp>

namespace eddy::backends {

/// Whether it waits until its descriptor is readable, and not writable.
[[nodiscard]] constexpr bool is_reader(io::opcode kind) noexcept {
    return kind != io::opcode::connect && kind != io::opcode::send && kind != io::opcode::send_vectored &&
           kind != io::opcode::send_zero_copy && kind != io::opcode::write &&
           kind != io::opcode::send_message && kind != io::opcode::await_writable &&
           kind != io::opcode::splice_to;
}

/// Whether it waits for a descriptor that other code may close and open without this backend's knowledge.
[[nodiscard]] constexpr bool is_readiness(io::opcode kind) noexcept {
    return kind == io::opcode::await_readable || kind == io::opcode::await_writable;
}

[[nodiscard]] constexpr bool is_single_shot(io::opcode kind) noexcept {
    return kind != io::opcode::accept_multishot && kind != io::opcode::receive_multishot;
}

}  // namespace eddy::backends
