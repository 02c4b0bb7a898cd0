#pragma once

#include <eddy/io/operation.hpp>

#include <linux/openat2.h>

namespace eddy::backends {

// What both backends make of operations on files.

/// Whether it opens something.
[[nodiscard]] constexpr bool is_opening(const io::operation& asked) noexcept {
    return asked.code == io::opcode::open_beneath || asked.code == io::opcode::open;
}

/// open_beneath and open in the system's own terms.
[[nodiscard]] open_how to_open_how(const io::operation& asked) noexcept;

/// The folder from which its path begins.
[[nodiscard]] int opening_folder(const io::operation& asked) noexcept;

}  // namespace eddy::backends
