#pragma once

#include "tls/contexts.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/stream/duplex.hpp>
#include <eddy/tls/tls_stream.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>

namespace eddy::test {

/// Both ends of a TLS connection.
template <class Stream>
class tls_pair {
public:
    tls_pair(tls_stream<Stream> accepted, tls_stream<Stream> connected) noexcept
        : server(std::move(accepted)), client(std::move(connected)) {}
    tls_pair(tls_pair&&) noexcept = default;
    tls_pair& operator=(tls_pair&&) noexcept = default;
    ~tls_pair() = default;

    tls_stream<Stream> server;
    tls_stream<Stream> client;
};

/// Makes the handshake between two ends of a stream.
template <class Stream>
task<tls_pair<Stream>> secured(Stream server, Stream client, tls_context server_context,
                               tls_context client_context, tls_target target = tls_target("localhost")) {
    auto both = when_all(tls_accept(std::move(server), std::move(server_context)),
                         tls_connect(std::move(client), std::move(client_context), std::move(target)));
    auto [accepted, connected] = co_await std::move(both);
    co_return tls_pair<Stream>(std::move(accepted), std::move(connected));
}

/// The same over a pipe in memory.
inline task<tls_pair<duplex_stream>> secured_pipe(tls_context server = tls_context(server_options()),
                                                  tls_context client = tls_context(client_options()),
                                                  std::size_t capacity = 65'536) {
    auto [here, there] = duplex(capacity);
    return secured(std::move(here), std::move(there), std::move(server), std::move(client));
}

template <class Source>
task<std::string> read_text(Source& from, std::size_t size_max = 65'536) {
    std::string text(size_max, '\0');
    const std::size_t count = co_await from.read(std::as_writable_bytes(std::span(text)));
    text.resize(count);
    co_return text;
}

/// Reads to the end.
template <class Source>
task<std::string> read_whole(Source& from) {
    std::string whole;
    for (;;) {
        const std::string piece = co_await read_text(from);
        if (piece.empty())
            co_return whole;
        whole += piece;
    }
}

/// The error that a task ends with, or none.
template <class T>
task<std::error_code> error_of(task<T> tried) {
    try {
        co_await std::move(tried);
        co_return std::error_code();
    } catch (const std::system_error& error) {
        co_return error.code();
    }
}

/// What the two ends say of a handshake that should fail: errors, the server's and the client's. What ends
/// with an error closes its stream.
inline task<std::pair<std::error_code, std::error_code>> refusals(tls_context server, tls_context client,
                                                                  tls_target target) {
    auto [here, there] = duplex(65'536);
    auto both = when_all(error_of(tls_accept(std::move(here), std::move(server))),
                         error_of(tls_connect(std::move(there), std::move(client), std::move(target))));
    auto [accepted, connected] = co_await std::move(both);
    co_return std::pair(accepted, connected);
}

template <class Sink>
task<> write_text(Sink& to, std::string text) {
    co_await to.write_all(as_bytes(text));
}

}  // namespace eddy::test
