#pragma once

#include "backend/epoll/transfers.hpp"

#include <eddy/io/detail/operation.hpp>

#include <cstdint>

namespace eddy::backends {

/// Carries out an operation on a file (io::is_file_call, or a file's read or write) if everything that it
/// needs is cached; not_ready if it may need the device.
[[nodiscard]] std::int32_t try_file_call(const io::operation& op) noexcept;

/// Carries out an operation on a file, waiting for the device. Any thread.
[[nodiscard]] std::int32_t make_file_call(const io::operation& op) noexcept;

}  // namespace eddy::backends
