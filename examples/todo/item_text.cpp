#include "item_text.hpp"

#include <nlohmann/json.hpp>

namespace todo {

namespace {

using nlohmann::json;

json fields_of(const item& kept) {
    return {kept.id,
            kept.title,
            kept.done,
            kept.version,
            kept.added_at.time_since_epoch().count(),
            kept.changed_at.time_since_epoch().count()};
}

item item_of(const json& fields) {
    item made;
    made.id = fields.at(0).get<item_id>();
    made.title = fields.at(1).get<std::string>();
    made.done = fields.at(2).get<bool>();
    made.version = fields.at(3).get<std::int64_t>();
    made.added_at = instant(std::chrono::microseconds(fields.at(4).get<std::int64_t>()));
    made.changed_at = instant(std::chrono::microseconds(fields.at(5).get<std::int64_t>()));
    return made;
}

}  // namespace

std::string text_of(const std::optional<item>& kept) {
    return kept ? fields_of(*kept).dump() : "null";
}

std::string text_of(const page& kept) {
    json items = json::array();
    for (const item& each : kept.items)
        items.push_back(fields_of(each));
    return json({{"items", items}, {"more", kept.has_more}}).dump();
}

std::optional<std::optional<item>> item_from(std::string_view text) {
    try {
        const json parsed = json::parse(text);
        return parsed.is_null() ? std::optional<item>() : item_of(parsed);
    } catch (const json::exception&) {
        return std::nullopt;
    }
}

std::optional<page> page_from(std::string_view text) {
    try {
        const json parsed = json::parse(text);
        page made;
        for (const json& each : parsed.at("items"))
            made.items.push_back(item_of(each));
        made.has_more = parsed.at("more").get<bool>();
        return made;
    } catch (const json::exception&) {
        return std::nullopt;
    }
}

}  // namespace todo
