#pragma once

#include "pipeline/upstream_options.hpp"
#include "pipeline/upstream_result.hpp"

#include <cstdint>

namespace eddy::apps {

/// A connection to the upstream service that its thread waits for: one call at a time, and nothing else runs
/// on the thread meanwhile. What the other ways are measured against.
class blocking_client {
public:
    explicit blocking_client(const upstream_options& options) noexcept : options_(options) {}
    blocking_client(const blocking_client&) = delete;
    blocking_client& operator=(const blocking_client&) = delete;
    ~blocking_client() { disconnect(); }

    /// Sends a request and blocks until the response has come or the time-out has passed. Connects if
    /// necessary.
    [[nodiscard]] upstream_result call(std::uint64_t value);

private:
    void connect();
    void disconnect() noexcept;
    [[nodiscard]] std::uint64_t ask(std::uint64_t value);

    const upstream_options& options_;
    int descriptor_ = -1;
    std::uint64_t last_id_ = 0;
};

}  // namespace eddy::apps
