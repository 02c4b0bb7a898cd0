#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace todo {

using item_id = std::int64_t;
using instant = std::chrono::sys_time<std::chrono::microseconds>;

/// Something to be done, as it is kept.
struct item {
    item_id id = 0;  ///< never used again, even when the item is gone
    std::string title;
    bool done = false;
    std::int64_t version = 1;  ///< grows with each change
    instant added_at;
    instant changed_at;
};

/// What clients see: the fields above, with times as ISO 8601 in UTC.
void to_json(nlohmann::json& made, const item& from);

}  // namespace todo
