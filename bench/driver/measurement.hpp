#pragma once

#include "driver/peer.hpp"
#include "driver/scenario.hpp"

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bench {

// How every measurement of a campaign is made.
struct measurement_settings {
    double seconds = 3;
    double warmup_seconds = 0.5;
    int server_core = 0;
    int load_core = 1;
    std::vector<int> server_cores;  // of servers with several threads, and of their load
    std::uint16_t port = 0;         // 0: any free one
    std::filesystem::path programs;
    std::uint64_t requests_each = 0;         // of each connection, instead of the window; 0: the window
    std::vector<std::string> server_prefix;  // what runs the server: a tool that counts or records
};

// One peer under one configuration, once.
struct measurement {
    double requests_per_second = 0;
    std::uint64_t errors = 0;
    double p50_us = 0, p99_us = 0, p999_us = 0;
    double cpu_us = 0, user_us = 0, system_us = 0;  // of the server, per request
    double server_busy = 0, load_busy = 0;          // share of the window that each one's CPU time makes
    nlohmann::json raw;                             // what the load generator said
};

// Starts the server, loads it, stops it. Throws failure or interrupted.
measurement measure(const configuration& c, const peer& p, const measurement_settings& settings,
                    const std::filesystem::path& temporary);

}  // namespace bench
