#pragma once

#include "loop.hpp"
#include "tcp.hpp"

#include <system_error>
#include <utility>

namespace lab {

/// Sends back what the client sends, until it has sent all.
inline task<> echo(stream client) {
    try {
        for (;;) {
            const lease received = co_await client.read();
            if (received.empty())
                co_return;
            co_await client.write_all(received.bytes());
        }
    } catch (const std::system_error&) {
        // The client has gone: only this session ends.
    }
}

/// Serves every client that connects. Does not end by itself.
inline task<> serve_echo(listener& from) {
    for (;;)
        loop::current().spawn(echo(co_await from.accept()));
}

}  // namespace lab
