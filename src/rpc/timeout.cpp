#include "rpc/timeout.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>

namespace eddy::rpc {
namespace {

constexpr std::int64_t digits_max = 99'999'999;

struct unit {
    char name;
    std::chrono::nanoseconds length;
};
constexpr std::array<unit, 6> units = {
    unit{'n', std::chrono::nanoseconds(1)},  unit{'u', std::chrono::microseconds(1)},
    unit{'m', std::chrono::milliseconds(1)}, unit{'S', std::chrono::seconds(1)},
    unit{'M', std::chrono::minutes(1)},      unit{'H', std::chrono::hours(1)}};

}  // namespace

std::string timeout_text(duration left) {
    const std::int64_t ns = std::max<std::int64_t>(std::chrono::nanoseconds(left).count(), 0);
    for (const unit& each : units) {
        const std::int64_t length = each.length.count();
        const std::int64_t count = ns / length + (ns % length != 0 ? 1 : 0);
        if (count <= digits_max)
            return std::to_string(count) + each.name;
    }
    return std::to_string(digits_max) + units.back().name;
}

std::optional<duration> timeout_from(std::string_view text) noexcept {
    if (text.size() < 2 || text.size() > 9)
        return std::nullopt;
    const auto found = std::ranges::find(units, text.back(), &unit::name);
    std::int64_t count = 0;
    const char* const end = text.data() + text.size() - 1;
    const auto parsed = std::from_chars(text.data(), end, count);
    if (found == units.end() || parsed.ptr != end || parsed.ec != std::errc() || count < 0)
        return std::nullopt;
    const std::int64_t most = duration::max().count() / found->length.count();
    return duration(std::min(count, most) * found->length.count());
}

}  // namespace eddy::rpc
