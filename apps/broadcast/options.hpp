#pragma once

#include "broadcast/receiver.hpp"
#include "common/serving.hpp"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace eddy::apps {

/// The command line of eddy-broadcast.
struct broadcast_options {
    serving_options serving;
    std::optional<std::uint16_t> websocket_port;
    std::size_t lines_max = 10'000;  // as many as another node may send again at once
    slow_policy slow = slow_policy::drop_oldest;
    std::size_t line_bytes_max = 4096;
    std::size_t message_bytes_max = std::size_t{64} << 10;
    std::size_t connections_max = 10'000;
    bool echoes = false;
    double drain_s = 5;
    std::string redis_url;
    std::string redis_channel = "eddy-broadcast";
    std::size_t redis_lines_max = 10'000;

    void add_to(CLI::App& options);

    /// Throws std::invalid_argument if the URL is none.
    void check() const;
    /// Where to listen for WebSocket. Requires: websocket_port. Throws std::invalid_argument.
    [[nodiscard]] endpoint websocket_where() const;
    [[nodiscard]] std::chrono::milliseconds drain_limit() const;
};

}  // namespace eddy::apps
