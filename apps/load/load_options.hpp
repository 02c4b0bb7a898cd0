#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/runtime/runtime_options.hpp>

#include <CLI/CLI.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace eddy::apps {

/// The options of eddy-load's command line.
struct load_options {
    std::string url;
    std::uint64_t connections = 50;
    double seconds = 10;
    std::uint64_t requests = 0;  ///< of all connections together; 0: as many as the time allows
    double rate = 0;             ///< a second, of all connections together; 0: as many as the server takes
    std::size_t workers = 1;
    std::string backend = "auto";
    std::string method;
    std::vector<std::string> fields;
    std::string body;
    std::string body_file;
    double timeout_s = 10;
    bool closes = false;  ///< a connection for each request
    bool speaks_http2 = false;
    std::uint64_t streams = 1;  ///< of each connection, with HTTP/2
    std::size_t message_bytes = 64;
    bool is_insecure = false;
    std::string authority_file;
    std::string json_file;
    bool is_quiet = false;
    std::vector<std::string> compared;

    void add_to(CLI::App& options);

    /// Throws std::invalid_argument.
    [[nodiscard]] runtime_options runtime() const;
    [[nodiscard]] bool compares() const noexcept { return !compared.empty(); }
    /// How long the run lasts at most; nothing if only the number of requests ends it.
    [[nodiscard]] std::optional<duration> length() const;
};

}  // namespace eddy::apps
