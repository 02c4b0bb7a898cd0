#pragma once

#include <eddy/io/endpoint.hpp>

#include <string>
#include <vector>

namespace eddy::io {

/// One of the machine's ways to a network (netdevice(7)). A value: what was so when it was asked for.
struct network_interface {
    std::string name;
    unsigned index = 0;  ///< for udp_socket::join(), multicast_interface and scopes
    bool is_up = false;
    bool is_loopback = false;
    bool has_multicast = false;
    std::vector<endpoint> addresses;  ///< port 0
};

/// All of them, in the system's order (getifaddrs(3)). Does not wait. Any thread. Throws std::system_error,
/// std::bad_alloc.
[[nodiscard]] std::vector<network_interface> network_interfaces();

}  // namespace eddy::io
