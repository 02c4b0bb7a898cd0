#pragma once

#include <eddy/detail/build.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <system_error>

namespace eddy::io {

// Results of the system: a number that is not negative, or the negative number of an error. Their
// conversions, to an exception and to std::expected.

/// The error of a negative result.
[[nodiscard]] inline std::error_code error_of(std::int32_t result) noexcept {
    return {-result, std::system_category()};
}

/// Throws the error of a negative result as std::system_error.
[[noreturn]] void throw_error(std::int32_t result, const char* what);

/// Throws the error, if it is one.
inline void require_done(std::int32_t result, const char* what) {
    if (result < 0) [[unlikely]]
        throw_error(result, what);
}
/// The number; throws the error, if it is one.
[[nodiscard]] inline std::size_t require_count(std::int32_t result, const char* what) {
    require_done(result, what);
    return static_cast<std::size_t>(result);
}

/// The same as values.
[[nodiscard]] inline std::expected<void, std::error_code> expected_done(std::int32_t result) noexcept {
    if (result < 0)
        return std::unexpected(error_of(result));
    return {};
}
[[nodiscard]] inline std::expected<std::size_t, std::error_code> expected_count(
    std::int32_t result) noexcept {
    if (result < 0)
        return std::unexpected(error_of(result));
    return static_cast<std::size_t>(result);
}

}  // namespace eddy::io
