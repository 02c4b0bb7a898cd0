#pragma once

#include <string_view>

namespace eddy::apps {

/// The version of the project, which is that of every program.
inline constexpr std::string_view version = EDDY_VERSION;

}  // namespace eddy::apps
