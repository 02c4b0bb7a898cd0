// Loads a server on 127.0.0.1 with echo messages or HTTP requests and prints one line of JSON.
//   eddy-bench-load --mode echo --port 7000 --connections 50 --size 128 --seconds 3
#include "load/echo.hpp"
#include "load/generator.hpp"
#include "load/http.hpp"
#include "load/options.hpp"

#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>

namespace {

bench::load_result run(const bench::load_options& options) {
    if (options.mode == "echo") {
        bench::echo_protocol protocol(options.message_size);
        return bench::generator(protocol, options).run();
    }
    std::ifstream file(options.expected_body_file, std::ios::binary);
    bench::http_protocol protocol(options.path, std::string(std::istreambuf_iterator<char>(file), {}));
    return bench::generator(protocol, options).run();
}

void print_cpu(const char* name, const bench::cpu_time& cpu) {
    std::printf(",\"%s\":{\"total_ns\":%lu,\"user_ns\":%lu,\"system_ns\":%lu}", name, cpu.total_ns,
                cpu.user_ns, cpu.system_ns);
}

void print(const bench::load_result& result) {
    const bench::latency_histogram& latencies = result.latencies;
    std::printf("{\"requests\":%lu,\"seconds\":%.6f,\"errors\":%lu", latencies.total(),
                static_cast<double>(result.elapsed_ns) / 1e9, result.errors);
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
    try {
        const bench::load_result result = run(options);
        print(result);
        return result.latencies.total() == 0 ? 1 : 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "eddy-bench-load: %s\n", error.what());
        return 1;
    }
}
