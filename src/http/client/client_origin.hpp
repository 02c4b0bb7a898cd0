#pragma once

#include "http/client/client_protocol.hpp"
#include "http/client/http1_carrier.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/sync/semaphore.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace eddy::http {

/// A connection of HTTP/1 that waits for a request, and a task for its end.
struct idle_http1 {
    explicit idle_http1(std::unique_ptr<http1_carrier> made, time_point now) noexcept
        : carrier(std::move(made)), since(now) {}

    std::unique_ptr<http1_carrier> carrier;
    time_point since;
    bool has_ended = false;
    handle<> watch;  // before the connection goes, its reader does
};

/// What a client keeps for an origin while there are requests or connections.
struct client_origin {
    client_origin(std::string name, std::size_t permits_max)
        : key(std::move(name)), permits(std::min<std::uint64_t>(permits_max, semaphore::permits_max)) {}

    /// Lets so many of those go on that wait for room.
    void wake(std::size_t count) noexcept {
        if (waiting != 0 && count != 0)
            room.release(std::min(count, waiting));
    }
    [[nodiscard]] bool is_unused() const noexcept { return users == 0 && idle.empty() && shared.empty(); }
    /// Since when the oldest of the idle connections has been; nothing if there is none.
    [[nodiscard]] std::optional<time_point> idle_since() const noexcept {
        std::optional<time_point> since;
        if (!idle.empty())
            since = idle.front().since;
        for (const auto& each : shared)
            if (each->is_counted)
                since = since ? std::min(*since, each->idle_since) : each->idle_since;
        return since;
    }
    /// Requires: there is one.
    void close_oldest() noexcept {
        const time_point since = *idle_since();
        if (!idle.empty() && idle.front().since == since)
            return idle.pop_front();
        shared.remove_if([is_found = false, since](const auto& each) mutable {
            return !is_found && each->is_counted && (is_found = each->idle_since == since);
        });
    }

    std::string key;
    semaphore permits;
    std::list<idle_http1> idle;  // the last one was used last
    std::list<std::unique_ptr<shared_connection>> shared;
    semaphore room{0};        // one for each that may look again
    std::size_t waiting = 0;  // requests that wait for it
    std::size_t users = 0;    // requests that wait for or have a connection
    bool is_opening = false;  // one that may be shared
    bool is_http1 = false;    // what the last one that could have been shared has turned out to be
};

}  // namespace eddy::http
