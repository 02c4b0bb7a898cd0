#pragma once

#include <eddy/io/detail/names.hpp>

namespace eddy::backends {

/// Those of this system.
[[nodiscard]] io::names& posix_name_lookup() noexcept;

}  // namespace eddy::backends
