#pragma once

#include <eddy/io/detail/terminals.hpp>

namespace eddy::backends {

/// Those of this system.
[[nodiscard]] io::terminals& posix_consoles() noexcept;

}  // namespace eddy::backends
