#pragma once

#include <eddy/http/message/detail/byte_range.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace eddy::http {

// What follows "bytes=" in a Range value; nothing for another unit.
[[nodiscard]] std::optional<std::string_view> byte_range_specs(std::string_view value) noexcept;

// One range of such a list: "a-b", "a-" or "-n". As parse_byte_range().
[[nodiscard]] byte_range parse_byte_range_spec(std::string_view spec, std::uint64_t size) noexcept;

}  // namespace eddy::http
