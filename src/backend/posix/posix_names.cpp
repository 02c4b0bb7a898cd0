#include "backend/posix/posix_names.hpp"

#include "backend/posix/native_address.hpp"
#include "detail/contains_nul.hpp"

#include <eddy/io/lookup_error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ifaddrs.h>
#include <memory>
#include <net/if.h>
#include <netdb.h>
#include <new>
#include <system_error>

namespace eddy::backends {

namespace {

// Throws if memory was out.
std::error_code error_of(int result) {
    switch (result) {
        case EAI_MEMORY:
            throw std::bad_alloc();
        case EAI_SYSTEM:
            return {errno, std::system_category()};
        case EAI_NONAME:
        case EAI_NODATA:
        case EAI_ADDRFAMILY:
        case EAI_FAMILY:
            return io::lookup_error::not_found;
        case EAI_SERVICE:
        case EAI_SOCKTYPE:
            return io::lookup_error::unknown_service;
        case EAI_AGAIN:
            return io::lookup_error::temporary_failure;
        default:
            return io::lookup_error::failure;
    }
}

struct list_end {
    void operator()(addrinfo* list) const noexcept { ::freeaddrinfo(list); }
};

const char* null_if_empty(const std::string& text) noexcept {
    return text.empty() ? nullptr : text.c_str();
}

io::network_interface& of_name(std::vector<io::network_interface>& all, const ifaddrs& reported) {
    const auto known = std::ranges::find(all, reported.ifa_name, &io::network_interface::name);
    if (known != all.end())
        return *known;
    io::network_interface& added = all.emplace_back();
    added.name = reported.ifa_name;
    added.index = ::if_nametoindex(reported.ifa_name);
    added.is_up = (reported.ifa_flags & IFF_UP) != 0;
    added.is_loopback = (reported.ifa_flags & IFF_LOOPBACK) != 0;
    added.has_multicast = (reported.ifa_flags & IFF_MULTICAST) != 0;
    return added;
}

/// Other kinds of addresses, the card's own say, are left out.
void add_address(io::network_interface& to, const sockaddr* reported) {
    if (reported == nullptr || (reported->sa_family != AF_INET && reported->sa_family != AF_INET6))
        return;
    native_address address{};
    address.size = reported->sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    std::memcpy(&address.any, reported, address.size);
    to.addresses.push_back(endpoint_of(address));
}

class posix_names final : public io::names {
public:
    std::expected<std::vector<endpoint>, std::error_code> look_up(const std::string& host,
                                                                  const std::string& service,
                                                                  std::optional<endpoint::family> family,
                                                                  bool is_passive) override;
    std::expected<io::endpoint_names, std::error_code> look_up_names(const endpoint& of) override;
    std::vector<io::network_interface> interfaces() override;
};

std::expected<std::vector<endpoint>, std::error_code> posix_names::look_up(
    const std::string& host, const std::string& service, std::optional<endpoint::family> family,
    bool is_passive) {
    if (detail::contains_nul(host) || detail::contains_nul(service))
        return std::unexpected(io::make_error_code(io::lookup_error::not_found));
    addrinfo hints{};
    hints.ai_family = !family ? AF_UNSPEC : *family == endpoint::family::ipv4 ? AF_INET : AF_INET6;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = is_passive ? AI_PASSIVE : 0;
    const char* const port = service.empty() ? "0" : service.c_str();
    addrinfo* found = nullptr;
    int result = ::getaddrinfo(null_if_empty(host), port, &hints, &found);
    if (result == EAI_SERVICE) {
        // Some services are there for datagrams only.
        hints.ai_socktype = SOCK_DGRAM;
        result = ::getaddrinfo(null_if_empty(host), port, &hints, &found);
    }
    if (result != 0)
        return std::unexpected(error_of(result));
    const std::unique_ptr<addrinfo, list_end> owned(found);
    std::vector<endpoint> endpoints;
    for (const addrinfo* at = found; at != nullptr; at = at->ai_next) {
        native_address native{};
        native.size = std::min<socklen_t>(at->ai_addrlen, native_address::size_max);
        std::memcpy(&native.local, at->ai_addr, native.size);
        if (!native.is_internet())
            continue;
        const endpoint each = endpoint_of(native);
        if (std::ranges::find(endpoints, each) == endpoints.end())
            endpoints.push_back(each);
    }
    if (endpoints.empty())
        return std::unexpected(io::make_error_code(io::lookup_error::not_found));
    return endpoints;
}

std::expected<io::endpoint_names, std::error_code> posix_names::look_up_names(const endpoint& of) {
    const native_address native = address_of(of);
    std::array<char, NI_MAXHOST> host{};
    std::array<char, NI_MAXSERV> service{};
    const int result =
        ::getnameinfo(&native.any, native.size, host.data(), host.size(), service.data(), service.size(), 0);
    if (result != 0)
        return std::unexpected(error_of(result));
    return io::endpoint_names{host.data(), service.data()};
}

std::vector<io::network_interface> posix_names::interfaces() {
    ifaddrs* list = nullptr;
    if (::getifaddrs(&list) != 0)
        throw std::system_error(errno, std::system_category(), "list network interfaces");
    const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(list, &::freeifaddrs);
    std::vector<io::network_interface> all;
    for (const ifaddrs* each = list; each != nullptr; each = each->ifa_next)
        add_address(of_name(all, *each), each->ifa_addr);
    return all;
}

}  // namespace

io::names& posix_name_lookup() noexcept {
    static posix_names only;
    return only;
}

}  // namespace eddy::backends
