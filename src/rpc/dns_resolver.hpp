#pragma once

#include <eddy/core/async_generator.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/rpc/name_resolver.hpp>

#include <string>
#include <vector>

namespace eddy::rpc {

/// Asks the system. Names are "host:port".
class dns_resolver final : public name_resolver {
public:
    [[nodiscard]] async_generator<std::vector<endpoint>> watch(std::string name) override;
};

}  // namespace eddy::rpc
