#pragma once

#include "item.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace todo {

/// What has happened to an item.
struct item_event {
    enum class kind : std::uint8_t { added, changed, removed };
    kind what;
    item about;  ///< as it is now; of a removed one, as it was last
};

[[nodiscard]] std::string_view name_of(item_event::kind what) noexcept;

/// The message of the change feed: {"event": "added", "item": {...}}.
[[nodiscard]] std::string message_of(const item_event& event);

}  // namespace todo
