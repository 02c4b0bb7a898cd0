#include "common/serving.hpp"

#include "common/inherited.hpp"

#include <eddy/runtime/runtime_options.hpp>

#include <stdexcept>

namespace eddy::apps {

void serving_options::add_to(CLI::App& options) {
    constexpr long workers_max = 1024;
    add_place_to(options);
    options.get_option("--port")->required(!has_inherited_socket());
    options.add_option("--workers", workers, "Threads that serve; 0: as many as CPUs")
        ->check(CLI::Range(0L, workers_max))
        ->capture_default_str();
}

void serving_options::add_place_to(CLI::App& options) {
    options.add_option("--port", port, "Port to listen on; 0 chooses one")->required();
    options.add_option("--address", address, "Numeric address to listen on")->capture_default_str();
    options.add_option("--backend", backend, "io_uring, epoll or auto")->capture_default_str();
}

void serving_options::open(shared_listeners& opened) const {
    if (!adopt_inherited(opened))
        opened.open(where());
}

endpoint serving_options::where() const {
    const auto parsed = endpoint::parse(address, port);
    if (!parsed)
        throw std::invalid_argument("--address: '" + address + "' is not a numeric IPv4 or IPv6 address");
    return *parsed;
}

runtime_options serving_options::runtime() const {
    const auto kind = parse_backend_kind(backend);
    if (!kind)
        throw std::invalid_argument("--backend: " + kind.error());
    return runtime_options().workers(workers).backend(*kind);
}

}  // namespace eddy::apps
