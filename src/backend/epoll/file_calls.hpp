#pragma once

#include "backend/epoll/transfers.hpp"

#include <eddy/io/detail/operation.hpp>

#include <cstdint>

namespace eddy::backends {

/// Whether a read or write goes past the page cache: nothing but its submission can be kept from waiting for the device.
[[nodiscard]] bool is_direct(const io::operation& op) noexcept;

/// Carries out an operation on a file (io::is_file_call, or a file's read or write) if everything that it
/// needs is cached; not_ready if it may need the device. Requires: !is_direct(op).
[[nodiscard]] std::int32_t try_file_call(const io::operation& op) noexcept;

/// Carries out an operation on a file, waiting for the device. Any thread.
[[nodiscard]] std::int32_t make_file_call(const io::operation& op) noexcept;

}  // namespace eddy::backends
