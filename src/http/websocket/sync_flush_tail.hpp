#pragma once

#include <string_view>

namespace eddy::http {

/// The end of a sync flush, which the sender of a compressed message takes off (RFC 7692 section 7.2.1).
inline constexpr std::string_view sync_flush_tail("\x00\x00\xff\xff", 4);

}  // namespace eddy::http
