#pragma once

#include "store.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace todo {

// What the cache keeps: items and pages as text, and back again without loss. Reading returns nothing for
// another text, for example of another version of this program.

[[nodiscard]] std::string text_of(const std::optional<item>& kept);
[[nodiscard]] std::string text_of(const page& kept);

[[nodiscard]] std::optional<std::optional<item>> item_from(std::string_view text);
[[nodiscard]] std::optional<page> page_from(std::string_view text);

}  // namespace todo
