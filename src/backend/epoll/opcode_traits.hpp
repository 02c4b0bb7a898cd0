#pragma once

#include <eddy/io/operation.hpp>

namespace eddy::backends {

/// Whether it waits until its descriptor is readable, and not writable.
[[nodiscard]] constexpr bool is_reader(io::opcode code) noexcept {
    return code != io::opcode::connect && code != io::opcode::send && code != io::opcode::send_vectored &&
           code != io::opcode::send_zero_copy && code != io::opcode::write &&
           code != io::opcode::send_message && code != io::opcode::await_writable &&
           code != io::opcode::splice_to;
}

/// Whether it waits for a descriptor that others may close and open without telling this backend.
[[nodiscard]] constexpr bool is_readiness(io::opcode code) noexcept {
    return code == io::opcode::await_readable || code == io::opcode::await_writable;
}

[[nodiscard]] constexpr bool is_single_shot(io::opcode code) noexcept {
    return code != io::opcode::accept_many && code != io::opcode::receive_pooled;
}

}  // namespace eddy::backends
