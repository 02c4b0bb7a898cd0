#pragma once

#include <eddy/io/detail/file_system.hpp>

#include <sys/stat.h>

namespace eddy::backends {

/// The result of a stat call.
[[nodiscard]] io::file_status to_file_status(const struct stat& native) noexcept;

/// The one of this system.
[[nodiscard]] io::file_system& posix_files() noexcept;

}  // namespace eddy::backends
