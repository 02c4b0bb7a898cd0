#pragma once

#include <eddy/io/endpoint.hpp>

#include <string>
#include <vector>

namespace eddy::io {

/// One of the machine's network interfaces (netdevice(7)). A value: a snapshot.
struct network_interface {
    std::string name;
    unsigned index = 0;  ///< for udp_socket::join(), multicast_interface and scopes
    bool is_up = false;
    bool is_loopback = false;
    bool has_multicast = false;
    std::vector<endpoint> addresses;  ///< port 0
};

}  // namespace eddy::io
