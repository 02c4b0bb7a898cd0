#pragma once

#include <eddy/io/detail/operation.hpp>

#include <cstdint>

namespace eddy::backends {

/// Makes the system call that the operation (a transfer, or a shutdown) amounts to, if it does not have to
/// wait: the result, or io::not_now. Of `whole` transfers it does what one call does.
[[nodiscard]] std::int32_t call_directly(io::operation& op) noexcept;

}  // namespace eddy::backends
