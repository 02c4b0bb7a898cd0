#pragma once

#include <eddy/io/detail/operation.hpp>

#include <linux/openat2.h>

namespace eddy::backends {

// What both backends make of operations on files.

/// Whether it opens something.
[[nodiscard]] constexpr bool is_opening(const io::operation& op) noexcept {
    return op.code == io::opcode::open_beneath || op.code == io::opcode::open;
}

/// open_beneath and open in the system's own terms.
[[nodiscard]] open_how to_open_how(const io::operation& op) noexcept;

/// The directory from which its path begins.
[[nodiscard]] int opening_directory(const io::operation& op) noexcept;

}  // namespace eddy::backends
