#include "multicast/group.hpp"

#include "common/serving.hpp"

#include <eddy/net/network_interfaces.hpp>

#include <algorithm>
#include <stdexcept>

namespace eddy::apps {

namespace {

/// RFC 5771, RFC 4291 section 2.7.
bool is_multicast(const endpoint& address) noexcept {
    const std::uint8_t first = address.address()[0];
    return address.address_family() == endpoint::family::ipv4 ? first >= 224 && first <= 239 : first == 0xff;
}

endpoint parse_address(const std::string& address, std::uint16_t port) {
    const auto parsed = endpoint::parse(address, port);
    if (!parsed)
        throw std::invalid_argument(address + " is not an address");
    return *parsed;
}

}  // namespace

endpoint parse_group(const std::string& address, std::uint16_t port) {
    const endpoint group = parse_address(address, port);
    if (!is_multicast(group))
        throw std::invalid_argument(address + " is not the address of a multicast group");
    return group;
}

endpoint parse_source(const std::string& address) {
    const endpoint source = parse_address(address, 0);
    if (is_multicast(source))
        throw std::invalid_argument(address + " is the address of a group, not of a sender");
    return source;
}

void group_options::add_to(CLI::App& options) {
    options.add_option("--port", port, "UDP port of the group")->required();
    options.add_option("--interface", interface, "Interface by its name; the system's choice without it");
    options.add_option("--backend", backend, "io_uring, epoll or auto")->capture_default_str();
}

unsigned group_options::interface_index() const {
    if (interface.empty())
        return 0;
    const auto all = network_interfaces();
    const auto found = std::ranges::find(all, interface, &io::network_interface::name);
    if (found == all.end())
        throw std::invalid_argument("there is no interface " + interface);
    return found->index;
}

runtime_options group_options::runtime() const {
    serving_options made;
    made.backend = backend;
    made.workers = 1;
    return made.runtime();
}

}  // namespace eddy::apps
