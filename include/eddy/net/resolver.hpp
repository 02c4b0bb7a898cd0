#pragma once

#include <eddy/core/task.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/io/endpoint_names.hpp>
#include <eddy/io/lookup_error.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace eddy {

/// What is looked up. Setters chain.
class resolve_options {
public:
    resolve_options() noexcept = default;

    /// Endpoints of one family only; both by default.
    resolve_options& family(endpoint::family only) noexcept {
        family_ = only;
        return *this;
    }
    /// An empty host means every interface, to listen there, instead of the loopback.
    resolve_options& passive(bool is_on) noexcept {
        is_passive_ = is_on;
        return *this;
    }

    [[nodiscard]] std::optional<endpoint::family> family() const noexcept { return family_; }
    [[nodiscard]] bool passive() const noexcept { return is_passive_; }

private:
    std::optional<endpoint::family> family_;
    bool is_passive_ = false;
};

/// The endpoints of a host and a service, best first (RFC 6724), each once; never none. The host: a name that
/// the system resolves (/etc/hosts, nsswitch.conf(5), DNS), or an address, with a scope by number or by
/// interface ("fe80::1%eth0"). The service: a port or a name (services(5)); empty: port 0.
///
/// - Thread: names are looked up on the offload pool, as long work, so as many at once as that may have
///   threads; an address with a port needs no look-up.
/// - Cancellation and time: dropping it never waits; the look-up continues in the background and its result
///   is discarded. The system's own time-outs are tens of seconds: wrap it in with_timeout().
/// - Errors: std::system_error, with io::lookup_error or an error of the system.
///
/// Requires: awaited on a worker.
[[nodiscard]] task<std::vector<endpoint>> resolve(std::string host, std::string service,
                                                  resolve_options options = {});

/// The host name and the service's name of an endpoint; numbers where there is none. As resolve(). Dropped:
/// nothing waits.
[[nodiscard]] task<io::endpoint_names> resolve_names(endpoint of);

}  // namespace eddy
