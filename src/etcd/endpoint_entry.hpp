#pragma once

#include <eddy/io/endpoint.hpp>

#include <optional>
#include <string>

namespace eddy::etcd::detail {

/// The value of a registered endpoint, in JSON, as etcd's client for Go writes it.
[[nodiscard]] std::string entry_of(const endpoint& at);
/// Nothing for what is no such value, or has no numeric address.
[[nodiscard]] std::optional<endpoint> endpoint_of(const std::string& entry);

}  // namespace eddy::etcd::detail
