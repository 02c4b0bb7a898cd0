#include "memcached/options.hpp"

#include <eddy/runtime/backend_kind.hpp>

#include <stdexcept>

namespace eddy::apps::memcached {

namespace {

constexpr std::size_t bytes_per_mb = std::size_t{1} << 20;

}  // namespace

void options::add_to(CLI::App& program) {
    constexpr std::size_t memory_mb_max = std::size_t{1} << 20;
    constexpr std::size_t value_bytes_largest = std::size_t{1} << 30;
    constexpr std::size_t workers_max = 1024;
    program.add_option("-p,--port", port,
                       "Port to listen on; 0 chooses one (default: 11211, none with --unix)");
    program.add_option("-l,--host,--address", address, "Numeric address to listen on")->capture_default_str();
    program.add_option("-s,--unix", unix_path, "Path of a local socket to listen on");
    program.add_option("-m,--memory", memory_mb, "MiB for items and what finds them")
        ->check(CLI::Range(std::size_t{1}, memory_mb_max))
        ->capture_default_str();
    program.add_option("-t,--workers", workers, "Threads that serve; 0: as many as CPUs")
        ->check(CLI::Range(std::size_t{0}, workers_max))
        ->capture_default_str();
    program.add_option("-c,--connections", connections_max, "Connections at one time; more are turned away")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    program.add_option("-I,--value-bytes-max", value_bytes_max, "Bytes of the largest value")
        ->check(CLI::Range(store_options::item_bytes_smallest, value_bytes_largest))
        ->capture_default_str();
    program.add_option("--line-bytes-max", line_bytes_max, "Bytes of the longest line, with many keys")
        ->check(CLI::Range(std::size_t{2048}, value_bytes_largest))
        ->capture_default_str();
    program.add_option("--backend", backend, "io_uring, epoll or auto")->capture_default_str();
    program.add_flag("-v", verbosity, "Tell of connections on standard error; -vv: of commands too");
    program.set_version_flag("-V,--version", "eddy-memcached " EDDY_VERSION);
}

std::optional<endpoint> options::where() const {
    if (!port && !unix_path.empty())
        return std::nullopt;
    const auto parsed = endpoint::parse(address, port.value_or(usual_port));
    if (!parsed)
        throw std::invalid_argument("--host: '" + address + "' is not a numeric IPv4 or IPv6 address");
    return *parsed;
}

runtime_options options::runtime() const {
    const auto kind = parse_backend_kind(backend);
    if (!kind)
        throw std::invalid_argument("--backend: " + kind.error());
    return runtime_options().workers(workers).backend(*kind);
}

store_options options::store(std::size_t threads) const {
    return store_options()
        .memory_bytes(memory_mb * bytes_per_mb)
        .value_bytes_max(value_bytes_max)
        .threads(threads);
}

}  // namespace eddy::apps::memcached
