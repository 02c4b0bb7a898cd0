#pragma once

#include "common/serving.hpp"

#include <eddy/http/files/static_files.hpp>
#include <eddy/http/routing/access_log.hpp>
#include <eddy/http/server/server_options.hpp>
#include <eddy/tls/tls_server_options.hpp>

#include <CLI/CLI.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace eddy::apps {

/// The options of eddy-httpd, from its command line and its configuration file.
struct httpd_options {
    serving_options serving;
    std::string root;

    // What is served, and how. A reload takes these over.
    std::vector<std::string> index_names = {"index.html"};
    bool has_listing = false;
    bool compresses = false;
    bool serves_dot_files = false;
    std::vector<std::string> cache_rules;  // PATTERN=VALUE
    std::vector<std::string> fields;       // NAME: VALUE
    std::vector<std::string> media_types;  // EXTENSION=TYPE
    std::size_t cache_entries_max = 1024;
    std::size_t cache_bytes_max = 64 * 1024 * 1024;
    double revalidate_s = 1;
    std::string metrics_path;
    std::string health_path;
    std::string live_path;  // whether there is a live page is settled when it is started

    // Connections. For these it is started anew.
    std::vector<std::string> certificate_paths;
    std::vector<std::string> key_paths;
    std::string tls_groups;  // empty: the library's
    std::uint16_t redirect_port = 0;
    bool speaks_http2 = true;         // over TLS
    bool speaks_http2_clear = false;  // without
    double head_timeout_s = 10;
    double idle_timeout_s = 75;
    double write_timeout_s = 30;
    double drain_limit_s = 10;
    double drain_delay_s = 0;
    std::size_t connections_max = 100'000;
    std::size_t connections_per_address_max = 0;

    bool logs_accesses = false;
    http::access_log_format log_format = http::access_log_format::brief;
    std::string log_path;
    bool only_checks = false;

    void add_to(CLI::App& options);
    /// Checks the combination of options. Throws std::invalid_argument.
    void check() const;

    /// For one worker.
    [[nodiscard]] http::server_options server() const;
    /// Throws std::invalid_argument.
    [[nodiscard]] http::static_files_options files() const;
    /// The certificates, if there are any.
    [[nodiscard]] std::optional<tls_server_options> tls() const;
    /// Whether there is a port of --redirect-port, or an inherited socket in its place.
    [[nodiscard]] bool redirects() const;
    [[nodiscard]] duration drain_limit() const;
    [[nodiscard]] duration drain_delay() const;
    /// "http" or "https".
    [[nodiscard]] const char* scheme() const noexcept { return certificate_paths.empty() ? "http" : "https"; }
};

}  // namespace eddy::apps
