#pragma once

#include <eddy/io/endpoint.hpp>
#include <eddy/runtime/runtime_options.hpp>

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>

namespace eddy::apps {

/// A multicast group, by its address. Throws std::invalid_argument.
[[nodiscard]] endpoint parse_group(const std::string& address, std::uint16_t port);

/// A sender, by its address. Throws std::invalid_argument.
[[nodiscard]] endpoint parse_source(const std::string& address);

/// What sending and receiving have in common.
struct group_options {
    std::uint16_t port = 0;
    std::string interface;
    std::string backend = "auto";

    /// --port, --interface, --backend.
    void add_to(CLI::App& options);
    /// 0: the system's choice. Throws std::invalid_argument.
    [[nodiscard]] unsigned interface_index() const;
    /// One worker. Throws std::invalid_argument.
    [[nodiscard]] runtime_options runtime() const;
};

}  // namespace eddy::apps
