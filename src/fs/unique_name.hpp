#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace eddy::detail {

/// A unique path in the directory, by random bits. It is not made from another name, which may
/// be as long as a name can be.
[[nodiscard]] std::string unique_name(std::string_view directory, std::uint64_t bits);

}  // namespace eddy::detail
