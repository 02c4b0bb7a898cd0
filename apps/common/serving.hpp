#pragma once

#include <eddy/io/endpoint.hpp>
#include <eddy/net/shared_listeners.hpp>
#include <eddy/runtime/runtime_options.hpp>

#include <CLI/CLI.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace eddy::apps {

/// The options that every server has.
struct serving_options {
    std::string address = "127.0.0.1";
    std::uint16_t port = 0;
    std::size_t workers = 0;
    std::string backend = "auto";

    /// --port, --address, --workers, --backend. There need be no --port where there is an inherited socket.
    void add_to(CLI::App& options);
    /// The same without --workers, for programs that count them in another way.
    void add_place_to(CLI::App& options);

    /// Opens listeners on the inherited socket, or else where the options say. Throws std::invalid_argument and
    /// std::system_error. Requires: the caller is on a worker.
    void open(shared_listeners& opened) const;

    /// Where to listen. Throws std::invalid_argument.
    [[nodiscard]] endpoint where() const;
    /// Throws std::invalid_argument.
    [[nodiscard]] runtime_options runtime() const;
};

}  // namespace eddy::apps
