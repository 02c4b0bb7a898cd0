#pragma once

#include <string_view>

namespace eddy::apps::memcached {

/// The version that clients see: the memcached with this protocol, which shows them the supported commands,
/// and the program.
inline constexpr std::string_view told_version = "1.6.18-eddy-" EDDY_VERSION;

}  // namespace eddy::apps::memcached
