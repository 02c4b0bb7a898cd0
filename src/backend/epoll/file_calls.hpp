#pragma once

#include "backend/epoll/transfers.hpp"

#include <eddy/io/operation.hpp>

#include <cstdint>

namespace eddy::backends {

/// Carries out an operation on a file (io::is_file_call, or a file's read or write) as far as the system has
/// at hand all that it takes; not_ready if that may need the device.
[[nodiscard]] std::int32_t try_file_call(const io::operation& asked) noexcept;

/// Carries out an operation on a file, waiting for the device. Any thread.
[[nodiscard]] std::int32_t make_file_call(const io::operation& asked) noexcept;

}  // namespace eddy::backends
