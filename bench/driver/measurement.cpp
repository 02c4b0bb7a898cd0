#include "driver/measurement.hpp"

#include "driver/errors.hpp"
#include "driver/load_command.hpp"
#include "driver/port.hpp"
#include "driver/process.hpp"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace bench {
namespace {

namespace fs = std::filesystem;

std::string contents_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> server_arguments(const configuration& c, const peer& p,
                                          const measurement_settings& settings, const server_place& place) {
    std::vector<std::string> result = settings.server_prefix;
    const std::vector<std::string> own = find_command(p, c)->arguments(place);
    result.insert(result.end(), own.begin(), own.end());
    return result;
}

measurement read_measurement(const nlohmann::json& raw) {
    const double requests = raw.at("requests"), window_ns = raw.at("seconds").get<double>() * 1e9;
    const nlohmann::json &cpu = raw.at("server_cpu"), &latency = raw.at("latency_ns");
    const auto per_request_us = [&](const char* part) { return cpu.at(part).get<double>() / requests / 1e3; };
    return {.requests_per_second = requests / window_ns * 1e9,
            .errors = raw.at("errors"),
            .p50_us = latency.at("p50").get<double>() / 1e3,
            .p99_us = latency.at("p99").get<double>() / 1e3,
            .p999_us = latency.at("p99.9").get<double>() / 1e3,
            .cpu_us = per_request_us("total_ns"),
            .user_us = per_request_us("user_ns"),
            .system_us = per_request_us("system_ns"),
            .server_busy = cpu.at("total_ns").get<double>() / window_ns,
            .load_busy = raw.at("load_cpu").at("total_ns").get<double>() / window_ns,
            .raw = raw};
}

}  // namespace

measurement measure(const configuration& c, const peer& p, const measurement_settings& settings,
                    const fs::path& temporary) {
    const server_place place{claim_port(settings.port), settings.programs, temporary / "root", temporary,
                             c.threads};
    const std::vector<int>& shared = settings.server_cores;
    const fs::path server_output = temporary / "server.log", load_output = temporary / "load.json";
    try {
        process server(server_arguments(c, p, settings, place),
                       c.shares_cores ? shared : std::vector{settings.server_core}, server_output);
        wait_for_server(server, place.port, first_request(c.payload.service));
        process load(load_arguments(c, settings, place, server.family()),
                     c.shares_cores ? shared : std::vector{settings.load_core}, load_output);
        const auto time = std::chrono::duration<double>(settings.warmup_seconds + settings.seconds + 10);
        load.wait_until(std::chrono::steady_clock::now() +
                        std::chrono::duration_cast<std::chrono::steady_clock::duration>(time));
        if (!load.has_succeeded())
            throw failure("the load generator failed: " + contents_of(load_output));
        return read_measurement(nlohmann::json::parse(contents_of(load_output)));
    } catch (const failure& error) {
        throw failure(
            fmt::format("{} ({}): {}\n{}", p.name, text_of(c), error.what(), contents_of(server_output)));
    }
}

}  // namespace bench
