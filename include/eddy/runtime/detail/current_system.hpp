#pragma once

#include <eddy/io/detail/system.hpp>

namespace eddy::detail {

/// The system of the running worker; on other threads the machine's own, of which they use the topics that are
/// for any thread.
[[nodiscard]] const io::system& current_system() noexcept;

}  // namespace eddy::detail
