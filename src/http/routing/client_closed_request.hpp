#pragma once

namespace eddy::http {

/// The status, as other servers log it, of what was dropped before it was answered.
inline constexpr unsigned client_closed_request = 499;

}  // namespace eddy::http
