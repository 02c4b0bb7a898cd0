#pragma once

#include <eddy/rpc/channel.hpp>

#include <string>
#include <string_view>

namespace eddy::rpc::detail {

/// The front of a head, as HTTP/1 has it: what all calls of a method over a channel have in common. `origin`:
/// "http://host:port". Throws std::system_error with http_error::invalid_request.
[[nodiscard]] std::string begin_head(const channel_options& options, std::string_view origin,
                                     std::string_view path);

/// Adds a field. Throws the same for what HTTP does not allow.
void add_line(std::string& head, std::string_view name, std::string_view value);

/// Ends it.
inline void end_head(std::string& head) {
    head += "\r\n";
}

}  // namespace eddy::rpc::detail
