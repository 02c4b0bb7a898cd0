#pragma once

#include <eddy/io/detail/randomness.hpp>

namespace eddy::backends {

/// The one of this system.
[[nodiscard]] io::randomness& posix_random() noexcept;

}  // namespace eddy::backends
