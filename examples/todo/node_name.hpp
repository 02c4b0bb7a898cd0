#pragma once

#include <string>

namespace todo {

/// A name that no other process has, nor this one if it is started again.
[[nodiscard]] std::string make_node_name();

}  // namespace todo
