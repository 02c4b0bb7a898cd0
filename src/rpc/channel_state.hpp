#pragma once

#include <eddy/core/task.hpp>
#include <eddy/http/client/client.hpp>
#include <eddy/http/client/client_request.hpp>
#include <eddy/http/client/client_response.hpp>
#include <eddy/rpc/channel.hpp>

#include <string>
#include <string_view>

namespace eddy::rpc::detail {

/// What the calls of a channel share.
class channel_state {
public:
    channel_state(std::string_view target, channel_options options);
    channel_state(const channel_state&) = delete;
    channel_state& operator=(const channel_state&) = delete;
    ~channel_state() = default;

    [[nodiscard]] const channel_options& options() const noexcept { return options_; }
    /// Without a body.
    [[nodiscard]] http::client_request request(std::string_view method) const;
    /// Sends a request. `waits`: a connection that does not come about is tried again.
    [[nodiscard]] task<http::client_response> send(http::client_request request, bool waits);

private:
    channel_options options_;
    std::string origin_;
    http::client client_;
};

}  // namespace eddy::rpc::detail
