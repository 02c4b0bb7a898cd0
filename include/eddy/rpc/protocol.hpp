#pragma once

#include <eddy/http/h2/http2_options.hpp>
#include <eddy/http/message/protocol_choice.hpp>

#include <memory>

namespace eddy::rpc {

/// HTTP/2 as calls need it: clients cancel as often as they like to, and measure the way with PINGs, so that neither
/// ends a connection before there are 10,000 a second; and 1000 streams at a time, of which some last.
[[nodiscard]] http::http2_options http2_options() noexcept;

/// What a server speaks for calls, beside other requests.
///
///     const auto server = http::server_options().protocol(rpc::http2());
[[nodiscard]] std::shared_ptr<const http::protocol_choice> http2(
    const http::http2_options& options = http2_options());

}  // namespace eddy::rpc
