#pragma once

#include <eddy/io/endpoint.hpp>

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace eddy::io {

/// What can go wrong when names are looked up, beside errors of the system.
enum class lookup_error : std::uint8_t {
    not_found = 1,      ///< there is no such host, or it has no address of the kind
    unknown_service,    ///< there is no such service
    temporary_failure,  ///< no server has answered; another try may help
    failure,            ///< a server has refused
};

/// The category of lookup_error.
[[nodiscard]] const std::error_category& lookup_category() noexcept;
[[nodiscard]] std::error_code make_error_code(lookup_error error) noexcept;

/// Which endpoints a host and a service have: the system's answer (/etc/hosts, nsswitch.conf(5), DNS), best
/// first (RFC 6724), each once. An empty host: the loopback addresses, or the addresses of every interface if
/// it is `passive`. A service: a port or a name. Waits, for seconds where servers do not answer.
///
/// Thread safety: any thread. Throws std::bad_alloc.
[[nodiscard]] std::expected<std::vector<endpoint>, std::error_code> look_up(
    const std::string& host, const std::string& service, std::optional<endpoint::family> family,
    bool is_passive);

/// The names of an endpoint. Where there is none, the host is the address and the service the port. As
/// look_up().
struct endpoint_names {
    std::string host;
    std::string service;
};
[[nodiscard]] std::expected<endpoint_names, std::error_code> look_up_names(const endpoint& of);

}  // namespace eddy::io

template <>
struct std::is_error_code_enum<eddy::io::lookup_error> : std::true_type {};
