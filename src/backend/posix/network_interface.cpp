#include "backend/posix/native_address.hpp"

#include <eddy/io/network_interface.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ifaddrs.h>
#include <memory>
#include <net/if.h>
#include <system_error>

namespace eddy::io {

namespace {

network_interface& of_name(std::vector<network_interface>& all, const ifaddrs& told) {
    const auto known = std::ranges::find(all, told.ifa_name, &network_interface::name);
    if (known != all.end())
        return *known;
    network_interface& added = all.emplace_back();
    added.name = told.ifa_name;
    added.index = ::if_nametoindex(told.ifa_name);
    added.is_up = (told.ifa_flags & IFF_UP) != 0;
    added.is_loopback = (told.ifa_flags & IFF_LOOPBACK) != 0;
    added.has_multicast = (told.ifa_flags & IFF_MULTICAST) != 0;
    return added;
}

/// Other kinds of addresses, the card's own say, are left out.
void add_address(network_interface& to, const sockaddr* told) {
    if (told == nullptr || (told->sa_family != AF_INET && told->sa_family != AF_INET6))
        return;
    backends::native_address address{};
    address.size = told->sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    std::memcpy(&address.any, told, address.size);
    to.addresses.push_back(backends::endpoint_of(address));
}

}  // namespace

std::vector<network_interface> network_interfaces() {
    ifaddrs* list = nullptr;
    if (::getifaddrs(&list) != 0)
        throw std::system_error(errno, std::system_category(), "list network interfaces");
    const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(list, &::freeifaddrs);
    std::vector<network_interface> all;
    for (const ifaddrs* each = list; each != nullptr; each = each->ifa_next)
        add_address(of_name(all, *each), each->ifa_addr);
    return all;
}

}  // namespace eddy::io
