#include <eddy/io/detail/names.hpp>
#include <eddy/net/network_interfaces.hpp>
#include <eddy/runtime/detail/current_system.hpp>

namespace eddy {

std::vector<io::network_interface> network_interfaces() {
    return detail::current_system().names->interfaces();
}

}  // namespace eddy
