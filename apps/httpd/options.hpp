#pragma once

#include "common/serving.hpp"

#include <eddy/http/file_cache.hpp>
#include <eddy/http/server_options.hpp>

#include <CLI/CLI.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace eddy::apps {

/// What eddy-httpd is told on its command line.
struct httpd_options {
    serving_options serving;
    std::string root;
    bool logs_accesses = false;
    double head_timeout_s = 10;
    double idle_timeout_s = 75;
    double write_timeout_s = 30;
    double drain_limit_s = 10;
    double revalidate_s = 1;
    std::size_t connections_max = 100'000;

    void add_to(CLI::App& options);

    /// For one worker.
    [[nodiscard]] http::server_options server() const;
    [[nodiscard]] http::file_cache_options cache() const;
    [[nodiscard]] duration drain_limit() const;
};

}  // namespace eddy::apps
