#pragma once

#include <eddy/integrations/pq/converter.hpp>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::pq {

/// json and jsonb as nlohmann::json. A program that includes this header links nlohmann_json. Numbers beyond
/// what it holds exactly are rounded, as it does.
template <>
struct converter<nlohmann::json> {
    static constexpr const char* name = "JSON";
    /// Bytes that are no UTF-8 are replaced (U+FFFD).
    static void to_text(const nlohmann::json& value, std::string& out) {
        out += value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    }
    static std::optional<nlohmann::json> from_text(std::string_view text) {
        nlohmann::json value = nlohmann::json::parse(text, nullptr, false);
        if (value.is_discarded())
            return std::nullopt;
        return std::optional<nlohmann::json>(std::in_place, std::move(value));
    }
};

}  // namespace eddy::pq
