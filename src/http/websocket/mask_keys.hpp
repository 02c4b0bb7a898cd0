#pragma once

#include <eddy/http/websocket/detail/mask.hpp>

namespace eddy::http {

/// An unpredictable key (RFC 6455 section 5.3), from a supply of this thread's. Throws
/// std::system_error if there are no random bytes.
[[nodiscard]] websocket_mask_key next_mask_key();

}  // namespace eddy::http
