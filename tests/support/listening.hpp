#pragma once

#include <eddy/core/as_result.hpp>
#include <eddy/core/task.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/os/child.hpp>
#include <eddy/runtime/sleep.hpp>

#include <chrono>
#include <cstdint>
#include <stdexcept>

namespace eddy::test {

/// Waits until a server takes connections at a port of 127.0.0.1. Throws if it has ended before.
inline task<> until_listening(child& server, std::uint16_t port) {
    for (;;) {
        const auto probe = co_await as_result(tcp_stream::connect(endpoint::loopback_ipv4(port)));
        if (probe)
            co_return;
        if (server.poll())
            throw std::runtime_error("a server does not start");
        co_await sleep_for(std::chrono::milliseconds(2));
    }
}

}  // namespace eddy::test
