#pragma once

#include <eddy/io/endpoint.hpp>
#include <eddy/io/endpoint_names.hpp>
#include <eddy/io/network_interface.hpp>

#include <expected>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace eddy::io {

/// What the system knows of hosts, services and its own interfaces.
///
/// Thread safety: any thread; it outlives the runtime. Throws std::bad_alloc.
class names {
public:
    names() = default;
    names(const names&) = delete;
    names& operator=(const names&) = delete;

    /// Which endpoints a host and a service have: the system's answer (/etc/hosts, nsswitch.conf(5), DNS), best
    /// first (RFC 6724), each once. An empty host: the loopback addresses, or the addresses of every interface if
    /// it is `passive`. A service: a port or a name. Waits, for seconds where servers do not answer.
    /// Errors: lookup_error, or the system's.
    [[nodiscard]] virtual std::expected<std::vector<endpoint>, std::error_code> look_up(
        const std::string& host, const std::string& service, std::optional<endpoint::family> family,
        bool is_passive) = 0;
    /// As look_up().
    [[nodiscard]] virtual std::expected<endpoint_names, std::error_code> look_up_names(
        const endpoint& of) = 0;
    /// The network interfaces, in the system's order. Does not wait. Throws std::system_error.
    [[nodiscard]] virtual std::vector<network_interface> interfaces() = 0;

protected:
    ~names() = default;
};

}  // namespace eddy::io
