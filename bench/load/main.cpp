// Loads a server on 127.0.0.1 with echo messages, HTTP requests, messages to WebSockets, TLS handshakes or
// memcached's commands and prints one line of JSON.
//   eddy-bench-load --mode echo --port 7000 --connections 50 --size 128 --seconds 3
#include "common/descriptor_limit.hpp"
#include "load/echo.hpp"
#include "load/generator.hpp"
#include "load/http.hpp"
#include "load/memcached.hpp"
#include "load/options.hpp"
#include "load/tls.hpp"
#include "load/websocket.hpp"

#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

namespace {

template <class Protocol>
bench::load_result load_with(Protocol protocol, const bench::load_options& options) {
    return bench::generator(protocol, options).run();
}

std::string expected_body(const bench::load_options& options) {
    std::ifstream file(options.expected_body_file, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

bench::memcached_work memcached_work_of(const std::string& mode) {
    if (mode == "memcached_get")
        return bench::memcached_work::get;
    if (mode == "memcached_set")
        return bench::memcached_work::set;
    return mode == "memcached_pairs" ? bench::memcached_work::pairs : bench::memcached_work::pipelined_gets;
}

bench::load_result run(const bench::load_options& options) {
    if (options.mode == "echo")
        return load_with(bench::echo_protocol(options.message_size), options);
    if (options.mode == "websocket")
        return load_with(bench::websocket_protocol(options.path, options.message_size), options);
    if (options.mode.starts_with("memcached_"))
        return load_with(bench::memcached_protocol(memcached_work_of(options.mode), options.message_size),
                         options);
    if (options.mode == "handshake")
        return load_with(bench::handshake_protocol(), options);
    if (options.mode == "post") {
        // Its answer is the body's length.
        return load_with(bench::http_protocol(bench::post_request(options.path, options.message_size),
                                              std::to_string(options.message_size)),
                         options);
    }
    bench::http_protocol http(bench::get_request(options.path), expected_body(options));
    if (options.mode == "https")
        return load_with(bench::tls_protocol(http), options);
    return load_with(std::move(http), options);
}

void print_cpu(const char* name, const bench::cpu_time& cpu) {
    std::printf(",\"%s\":{\"total_ns\":%lu,\"user_ns\":%lu,\"system_ns\":%lu}", name, cpu.total_ns,
                cpu.user_ns, cpu.system_ns);
}

void print(const bench::load_result& result) {
    const bench::latency_histogram& latencies = result.latencies;
    std::printf("{\"requests\":%lu,\"seconds\":%.6f,\"errors\":%lu",
                latencies.total() * result.requests_at_once, static_cast<double>(result.elapsed_ns) / 1e9,
                result.errors);
    std::printf(",\"latency_ns\":{\"p50\":%lu,\"p90\":%lu,\"p99\":%lu,\"p99.9\":%lu,\"max\":%lu}",
                latencies.percentile_ns(0.5), latencies.percentile_ns(0.9), latencies.percentile_ns(0.99),
                latencies.percentile_ns(0.999), latencies.largest_ns());
    print_cpu("load_cpu", result.own_cpu);
    print_cpu("server_cpu", result.measured_cpu);
    std::printf("}\n");
}

}  // namespace

int main(int argc, char** argv) {
    const bench::load_options options = bench::parse_load_options(argc, argv);
    bench::raise_descriptor_limit();
    try {
        const bench::load_result result = run(options);
        print(result);
        return result.latencies.total() == 0 ? 1 : 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "eddy-bench-load: %s\n", error.what());
        return 1;
    }
}
