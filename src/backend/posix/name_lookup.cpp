#include "backend/posix/native_address.hpp"
#include "base/holds_nul.hpp"

#include <eddy/io/name_lookup.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <netdb.h>
#include <new>

namespace eddy::io {

namespace {

class lookup_errors final : public std::error_category {
public:
    const char* name() const noexcept override { return "lookup"; }
    std::string message(int error) const override {
        switch (static_cast<lookup_error>(error)) {
            case lookup_error::not_found:
                return "host not found";
            case lookup_error::unknown_service:
                return "unknown service";
            case lookup_error::temporary_failure:
                return "no name server has answered";
            case lookup_error::failure:
                return "a name server has refused";
        }
        return "unknown error of a lookup";
    }
};

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
            return lookup_error::not_found;
        case EAI_SERVICE:
        case EAI_SOCKTYPE:
            return lookup_error::unknown_service;
        case EAI_AGAIN:
            return lookup_error::temporary_failure;
        default:
            return lookup_error::failure;
    }
}

struct list_end {
    void operator()(addrinfo* list) const noexcept { ::freeaddrinfo(list); }
};

const char* null_if_empty(const std::string& text) noexcept {
    return text.empty() ? nullptr : text.c_str();
}

}  // namespace

const std::error_category& lookup_category() noexcept {
    static const lookup_errors category;
    return category;
}

std::error_code make_error_code(lookup_error error) noexcept {
    return {static_cast<int>(error), lookup_category()};
}

std::expected<std::vector<endpoint>, std::error_code> look_up(const std::string& host,
                                                              const std::string& service,
                                                              std::optional<endpoint::family> family,
                                                              bool is_passive) {
    if (detail::holds_nul(host) || detail::holds_nul(service))
        return std::unexpected(make_error_code(lookup_error::not_found));
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
        backends::native_address native{};
        native.size = std::min<socklen_t>(at->ai_addrlen, backends::native_address::size_max);
        std::memcpy(&native.local, at->ai_addr, native.size);
        if (!native.is_internet())
            continue;
        const endpoint each = backends::endpoint_of(native);
        if (std::ranges::find(endpoints, each) == endpoints.end())
            endpoints.push_back(each);
    }
    if (endpoints.empty())
        return std::unexpected(make_error_code(lookup_error::not_found));
    return endpoints;
}

std::expected<endpoint_names, std::error_code> look_up_names(const endpoint& of) {
    const backends::native_address native = backends::address_of(of);
    std::array<char, NI_MAXHOST> host{};
    std::array<char, NI_MAXSERV> service{};
    const int result =
        ::getnameinfo(&native.any, native.size, host.data(), host.size(), service.data(), service.size(), 0);
    if (result != 0)
        return std::unexpected(error_of(result));
    return endpoint_names{host.data(), service.data()};
}

}  // namespace eddy::io
