#include "item.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <nlohmann/json.hpp>

namespace todo {

namespace {

// "2026-11-22T18:12:58.123456Z"
std::string time_text(instant at) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(at);
    const auto rest = std::chrono::duration_cast<std::chrono::microseconds>(at - seconds);
    return fmt::format("{:%FT%T}.{:06}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)),
                       rest.count());
}

}  // namespace

void to_json(nlohmann::json& made, const item& from) {
    made = {{"id", from.id},
            {"title", from.title},
            {"done", from.done},
            {"version", from.version},
            {"added_at", time_text(from.added_at)},
            {"changed_at", time_text(from.changed_at)}};
}

}  // namespace todo
