#pragma once

#include <eddy/io/network_interface.hpp>

#include <vector>

namespace eddy {

/// The machine's network interfaces, in the system's order (getifaddrs(3)). Does not wait. Any thread; on a
/// worker those that its runtime knows. Throws std::system_error, std::bad_alloc.
[[nodiscard]] std::vector<io::network_interface> network_interfaces();

}  // namespace eddy
