#pragma once

#include <eddy/io/endpoint.hpp>
#include <eddy/rpc/channel.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::rpc {

/// What a channel's target says.
struct channel_target {
    /// Throws std::system_error with http_error::malformed_url, or unsupported_scheme.
    channel_target(std::string_view text, const channel_options& options);

    std::string origin;                       ///< of the URLs that are requested
    std::shared_ptr<name_resolver> resolver;  ///< null: there is nothing to find out
    std::string name;                         ///< for the resolver
    std::vector<endpoint> addresses;          ///< without a resolver; none: of the origin's host
};

}  // namespace eddy::rpc
