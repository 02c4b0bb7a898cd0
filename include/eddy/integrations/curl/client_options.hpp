#pragma once

#include <eddy/integrations/curl/transfer_options.hpp>

#include <cstddef>
#include <utility>

namespace eddy::curl {

/// What all transfers of a client have in common. A value; setters chain.
class client_options {
public:
    client_options() = default;

    /// Connections at a time, in all (128) and to one host (16). A transfer that finds none waits; a transfer
    /// that is not read keeps its own.
    client_options& connections_max(std::size_t count) noexcept {
        connections_max_ = count;
        return *this;
    }
    /// The most connections to one host; 0 for no limit.
    client_options& connections_per_host_max(std::size_t count) noexcept {
        connections_per_host_max_ = count;
        return *this;
    }
    /// Connections that are kept for later: 32. 0: none.
    client_options& idle_connections_max(std::size_t count) noexcept {
        idle_connections_max_ = count;
        return *this;
    }
    /// Streams at a time over one connection of HTTP/2: 100, or what the server allows if that is less.
    client_options& streams_per_connection_max(std::size_t count) noexcept {
        streams_per_connection_max_ = count;
        return *this;
    }
    /// Keeps what servers set, for all transfers together, and sends it back. Off by default.
    client_options& cookies(bool is_on) noexcept {
        keeps_cookies_ = is_on;
        return *this;
    }
    /// The options of transfers whose requests have none.
    client_options& transfers(transfer_options options) {
        transfers_ = std::move(options);
        return *this;
    }

    [[nodiscard]] std::size_t connections_max() const noexcept { return connections_max_; }
    [[nodiscard]] std::size_t connections_per_host_max() const noexcept { return connections_per_host_max_; }
    [[nodiscard]] std::size_t idle_connections_max() const noexcept { return idle_connections_max_; }
    [[nodiscard]] std::size_t streams_per_connection_max() const noexcept {
        return streams_per_connection_max_;
    }
    [[nodiscard]] bool cookies() const noexcept { return keeps_cookies_; }
    [[nodiscard]] const transfer_options& transfers() const noexcept { return transfers_; }

private:
    std::size_t connections_max_ = 128;
    std::size_t connections_per_host_max_ = 16;
    std::size_t idle_connections_max_ = 32;
    std::size_t streams_per_connection_max_ = 100;
    bool keeps_cookies_ = false;
    transfer_options transfers_;
};

}  // namespace eddy::curl
