#pragma once

#include "http/client/client_carrier.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/http/message/limits.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/sync/semaphore.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace eddy::http {

class client_pool;
struct client_origin;

/// A connection that several exchanges share; the pool owns it. It reports to the pool when it has changed, and
/// when it has ended.
class shared_connection {
public:
    shared_connection() = default;
    shared_connection(const shared_connection&) = delete;
    shared_connection& operator=(const shared_connection&) = delete;
    virtual ~shared_connection() = default;

    /// How many more exchanges can begin now.
    [[nodiscard]] virtual std::size_t room() const noexcept = 0;
    /// Whether more may be possible later on.
    [[nodiscard]] virtual bool is_usable() const noexcept = 0;
    /// Whether there is no exchange.
    [[nodiscard]] virtual bool is_idle() const noexcept = 0;
    /// Requires: room() != 0. Throws std::bad_alloc.
    [[nodiscard]] virtual carrier_handle begin_exchange() = 0;
    /// No exchange will begin any more: it ends with the last of them.
    virtual void retire() noexcept = 0;

    // -- the pool's part --

    client_pool* pool = nullptr;
    client_origin* origin = nullptr;
    semaphore_permit own_permit;  // while it has exchanges
    semaphore_permit total_permit;
    time_point idle_since{};
    bool is_counted = false;  // as an idle one that can be used
};

/// What a client speaks beside HTTP/1: made for each client by a protocol_choice.
class client_protocol {
public:
    virtual ~client_protocol() = default;

    /// What servers call it in ALPN.
    [[nodiscard]] virtual std::string name() const = 0;
    /// Whether servers are spoken to like this in clear, without a question.
    [[nodiscard]] virtual bool is_spoken_in_clear() const noexcept = 0;
    /// Requires: it outlives the connection. Throws std::bad_alloc.
    [[nodiscard]] virtual std::unique_ptr<shared_connection> make(any_stream stream, client_pool& pool,
                                                                  client_origin& origin) = 0;
};

}  // namespace eddy::http
