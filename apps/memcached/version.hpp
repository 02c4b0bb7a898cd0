#pragma once

#include <string_view>

namespace eddy::apps::memcached {

/// What clients are told: the memcached whose protocol this is, by which they know what they may ask for, and
/// the program.
inline constexpr std::string_view told_version = "1.6.18-eddy-" EDDY_VERSION;

}  // namespace eddy::apps::memcached
