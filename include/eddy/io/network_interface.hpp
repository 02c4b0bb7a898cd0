#pragma once

#include <eddy/io/endpoint.hpp>

#include <string>
#include <vector>

namespace eddy::io {

/// One of the machine's network interfaces (netdevice(7)). A value: a snapshot.
struct network_interface {
    /// Its name, such as eth0.
    std::string name;
    unsigned index = 0;  ///< for udp_socket::join(), multicast_interface and scopes
    /// Whether it is on.
    bool is_up = false;
    /// Whether it leads to this machine.
    bool is_loopback = false;
    /// Whether it takes multicast.
    bool has_multicast = false;
    std::vector<endpoint> addresses;  ///< port 0
};

}  // namespace eddy::io
