#pragma once

#include "memcached/store.hpp"

#include <eddy/io/endpoint.hpp>
#include <eddy/runtime/runtime_options.hpp>

#include <CLI/CLI.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace eddy::apps::memcached {

/// What the command line says.
struct options {
    static constexpr std::uint16_t usual_port = 11211;

    std::optional<std::uint16_t> port;
    std::string address = "127.0.0.1";
    std::string unix_path;
    int unix_mode = 0700;
    std::size_t memory_mb = 64;
    std::size_t workers = 0;
    std::size_t connections_max = 1024;
    std::size_t value_bytes_max = std::size_t{1} << 20;
    std::size_t line_bytes_max = std::size_t{1} << 20;
    std::string backend = "auto";
    bool forbids_flush = false;
    bool in_background = false;
    std::string user;
    std::string process_file_path;
    int verbosity = 0;

    void add_to(CLI::App& program);

    /// Where to listen over TCP; nowhere if only a local socket was requested. Throws std::invalid_argument.
    [[nodiscard]] std::optional<endpoint> where() const;
    /// Throws std::invalid_argument.
    [[nodiscard]] runtime_options runtime() const;
    [[nodiscard]] store_options store(std::size_t threads) const;
};

}  // namespace eddy::apps::memcached
