#pragma once

#include <eddy/integrations/redis/options.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/runtime/runtime_options.hpp>
#include <eddy/tls/tls_context.hpp>

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace todo {

/// The command line.
struct options {
    std::uint16_t port = 0;
    std::string address = "127.0.0.1";
    std::string backend = "auto";
    std::string database = "sqlite:todo.db";
    std::string redis;
    bool starts_servers = false;
    std::string directory;
    std::string postgres_programs;
    double drain_limit_s = 10;
    bool logs_requests = false;
    std::string certificate;
    std::string key;

    void add_to(CLI::App& program);

    /// Where to listen. Throws std::invalid_argument.
    [[nodiscard]] eddy::endpoint where() const;
    /// For HTTPS, if there is a certificate. Throws std::system_error if it cannot be read.
    [[nodiscard]] std::optional<eddy::tls_context> tls() const;
    /// Throws std::invalid_argument.
    [[nodiscard]] eddy::runtime_options runtime() const;
    [[nodiscard]] eddy::duration drain_limit() const;
    /// Throws std::invalid_argument.
    [[nodiscard]] std::optional<eddy::redis::options> redis_server() const;
};

}  // namespace todo
