#include "rpc/dns_resolver.hpp"

#include <eddy/net/resolver.hpp>

#include <cstddef>
#include <utility>

namespace eddy::rpc {

async_generator<std::vector<endpoint>> dns_resolver::watch(std::string name) {
    const std::size_t colon = name.rfind(':');
    std::string host = name.substr(0, colon);
    if (host.starts_with('['))
        host = host.substr(1, host.size() - 2);
    std::vector<endpoint> found = co_await resolve(std::move(host), name.substr(colon + 1));
    co_yield std::move(found);
}

}  // namespace eddy::rpc
