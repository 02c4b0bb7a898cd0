#include "driver/scenario.hpp"

#include "driver/errors.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bench {
namespace {

template <class T>
bool wanted(const std::vector<T>& filter, T value) {
    return filter.empty() || std::ranges::find(filter, value) != filter.end();
}

}  // namespace

const std::vector<scenario>& all_scenarios() {
    static const std::vector<scenario> scenarios{
        {"echo",
         "each connection sends a message and waits for the same bytes",
         {{service::echo, 128}, {service::echo, 1024}, {service::echo, 16384}},
         {1, 10, 50, 100}},
        {"http",
         "GET on kept connections: 13 bytes from memory (/hello), a file of 1 KiB (/1k.bin)",
         {{service::http_hello, 13}, {service::http_file, 1024}},
         {1, 32, 256}},
    };
    return scenarios;
}

const scenario& find_scenario(const std::string& name) {
    const auto found = std::ranges::find(all_scenarios(), name, &scenario::name);
    if (found == all_scenarios().end())
        throw usage_error(fmt::format("there is no scenario '{}'; --list shows what there is", name));
    return *found;
}

std::vector<configuration> configurations_of(const scenario& s, const std::vector<std::size_t>& sizes,
                                             const std::vector<unsigned>& connections) {
    std::vector<configuration> result;
    for (const payload& p : s.payloads)
        for (unsigned count : s.connections)
            if (wanted(sizes, p.size) && wanted(connections, count))
                result.push_back({s.name, p, count});
    return result;
}

std::string path_of(service s) {
    switch (s) {
        case service::echo:
            return "";
        case service::http_hello:
            return "/hello";
        case service::http_file:
            return "/1k.bin";
    }
    return "";
}

std::string size_text(std::size_t bytes) {
    return bytes % 1024 == 0 ? fmt::format("{} KiB", bytes / 1024) : fmt::format("{} B", bytes);
}

}  // namespace bench
