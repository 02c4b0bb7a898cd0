#include <eddy/io/detail/endpoint_text.hpp>
#include <eddy/io/detail/names.hpp>
#include <eddy/net/resolver.hpp>
#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/worker.hpp>

#include <system_error>
#include <utility>

namespace eddy {

namespace {

// The endpoint, if nothing need be looked up.
std::optional<endpoint> spelt_out(const std::string& host, const std::string& service,
                                  const resolve_options& options) {
    const auto port = service.empty() ? std::optional<std::uint16_t>(0) : detail::port_from_text(service);
    if (!port)
        return std::nullopt;
    const auto parsed = endpoint::parse(host, *port);
    if (!parsed || (options.family() && parsed->address_family() != *options.family()))
        return std::nullopt;
    return *parsed;
}

}  // namespace

task<std::vector<endpoint>> resolve(std::string host, std::string service, resolve_options options) {
    if (const auto known = spelt_out(host, service, options))
        co_return std::vector<endpoint>(1, *known);
    const auto look_up = [names = detail::worker_core::current().system().names](
                             const std::string& searched, const std::string& wanted,
                             std::optional<endpoint::family> family, bool is_passive) {
        return names->look_up(searched, wanted, family, is_passive);
    };
    auto requested =
        offload(work_kind::long_running, look_up, host, service, options.family(), options.passive());
    auto found = co_await std::move(requested);
    if (!found)
        throw std::system_error(found.error(), "cannot resolve " + host + ":" + service);
    co_return std::move(*found);
}

task<io::endpoint_names> resolve_names(endpoint of) {
    const auto look_up = [names = detail::worker_core::current().system().names](const endpoint& named) {
        return names->look_up_names(named);
    };
    auto requested = offload(work_kind::long_running, look_up, of);
    auto found = co_await std::move(requested);
    if (!found)
        throw std::system_error(found.error(), "cannot resolve " + of.to_string());
    co_return std::move(*found);
}

}  // namespace eddy
