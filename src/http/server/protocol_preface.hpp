#pragma once

#include "http/server/address_counts.hpp"
#include "http/server/server_state.hpp"

#include <eddy/core/task.hpp>
#include <eddy/http/server/connection_info.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/stream/any_stream.hpp>

#include <memory>

namespace eddy::http {

/// Serves a client that has agreed on no protocol: its first bytes show which it speaks. Throws nothing.
/// Requires: the server has another protocol.
[[nodiscard]] task<void> serve_by_preface(server_state& shared, tcp_stream accepted,
                                          address_counts::slot slot);
[[nodiscard]] task<void> serve_by_preface(server_state& shared, any_stream stream,
                                          std::unique_ptr<connection_info> info);

}  // namespace eddy::http
