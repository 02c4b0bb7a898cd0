#pragma once

#include <eddy/io/detail/processes.hpp>

namespace eddy::backends {

/// Those of this system.
[[nodiscard]] io::processes& posix_children() noexcept;

}  // namespace eddy::backends
