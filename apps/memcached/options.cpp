#include "memcached/options.hpp"

#include "common/version.hpp"
#include "memcached/other_options.hpp"

#include <eddy/runtime/runtime_options.hpp>

#include <charconv>
#include <stdexcept>
#include <system_error>

namespace eddy::apps::memcached {

namespace {

constexpr std::size_t bytes_per_mb = std::size_t{1} << 20;

// Of CLI11: changes the text to the number in decimal digits, or returns what is wrong with it.
std::string from_octal(std::string& text) {
    constexpr int octal = 8;
    constexpr unsigned most = 0777;
    unsigned mode = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mode, octal);
    if (error != std::errc() || end != text.data() + text.size() || mode > most)
        return "'" + text + "' is no mode in octal digits";
    text = std::to_string(mode);
    return {};
}

}  // namespace

void options::add_to(CLI::App& program) {
    constexpr std::size_t memory_mb_max = std::size_t{1} << 20;
    constexpr std::size_t value_bytes_largest = std::size_t{1} << 30;
    constexpr std::size_t workers_max = 1024;
    program.add_option("-p,--port", port,
                       "Port to listen on; 0 chooses one (default: 11211, none with --unix)");
    program.add_option("-l,--host,--address,--listen", address, "Numeric address to listen on")
        ->capture_default_str();
    program.add_option("-s,--unix,--unix-socket", unix_path, "Path of a local socket to listen on");
    program.add_option("-a,--unix-mask", unix_mode, "Its mode bits, in octal")
        ->transform(CLI::Validator(&from_octal, "OCTAL"))
        ->default_str("700");
    program.add_option("-m,--memory,--memory-limit", memory_mb, "MiB for items and what finds them")
        ->check(CLI::Range(std::size_t{1}, memory_mb_max))
        ->capture_default_str();
    program.add_option("-t,--workers,--threads", workers, "Threads that serve; 0: as many as CPUs")
        ->check(CLI::Range(std::size_t{0}, workers_max))
        ->capture_default_str();
    program
        .add_option("-c,--connections,--conn-limit", connections_max,
                    "Connections at one time; more are turned away")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    program
        .add_option("-I,--value-bytes-max,--max-item-size", value_bytes_max,
                    "Bytes of the largest value; 2k, 2m: so many KiB, MiB")
        ->transform(CLI::AsSizeValue(false))
        ->check(CLI::Range(store_options::item_bytes_smallest, value_bytes_largest))
        ->capture_default_str();
    program.add_option("--line-bytes-max", line_bytes_max, "Bytes of the longest line, with many keys")
        ->check(CLI::Range(std::size_t{2048}, value_bytes_largest))
        ->capture_default_str();
    program.add_option("--backend", backend, "io_uring, epoll or auto")->capture_default_str();
    program.add_flag("-F,--disable-flush-all", forbids_flush, "Refuse flush_all");
    program.add_flag("-d,--daemon", in_background, "Go into the background");
    program.add_option("-u,--user", user, "Whom to become if root runs it");
    program.add_option("-P,--pidfile", process_file_path, "File for the number of the process");
    program.add_flag("-v,--verbose", verbosity,
                     "Tell of connections on standard error; -vv: of commands too");
    program.set_version_flag("-V,--version", "eddy-memcached " + std::string(version));
    add_other_options(program);
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
