#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/net/tcp_stream.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace eddy {

/// How long connect() tries one address alone before it also tries the next (RFC 8305, section 5).
inline constexpr duration connection_attempt_delay = std::chrono::milliseconds(250);

/// Connects to a host by its name: resolves it, then tries its addresses as RFC 8305 says ("happy eyeballs"),
/// IPv6 and IPv4 in turn. Each has 250 ms, or less if it fails, before the next is tried beside it; the first
/// connection that comes about is taken and the other attempts are dropped.
///
/// - Cancellation: dropped, all attempts are, and their descriptors are closed.
/// - Options: each attempt is made as they say. If they name an endpoint to connect from, only addresses of
///   its family are tried.
/// - Errors: resolve()'s; or, if no address answers, the error of the first that has failed;
///   address_family_not_supported if there is none of the family to connect from; std::bad_alloc at once. No
///   limit of time of its own: wrap it in with_timeout().
/// - Cost: resolve()'s, and a task for each attempt.
///
/// Requires: awaited on a worker.
[[nodiscard]] task<tcp_stream> connect(std::string host, std::uint16_t port, connect_options options = {});

/// The same for endpoints that are known, in this order. Requires: there is one. Dropped: as connect().
[[nodiscard]] task<tcp_stream> connect_to_first(std::vector<endpoint> candidates,
                                                duration attempt_delay = connection_attempt_delay,
                                                connect_options options = {});

/// The order in which addresses are tried: the first stays the first, and the families take turns while there
/// are addresses of both (RFC 8305, section 4).
[[nodiscard]] std::vector<endpoint> in_turns(const std::vector<endpoint>& sorted);

}  // namespace eddy
