#pragma once

#include <string>
#include <string_view>

namespace eddy::apps {

/// What came from strangers, for a terminal: control characters and bytes beyond ASCII as \xNN, a backslash
/// as two.
[[nodiscard]] std::string printable(std::string_view bytes);

}  // namespace eddy::apps
