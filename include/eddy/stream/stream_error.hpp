#pragma once

#include <eddy/detail/build.hpp>

#include <system_error>
#include <type_traits>

namespace eddy {

/// What reading and writing streams may end with, beside the errors of the system.
enum class stream_error {
    unexpected_end = 1,  ///< the stream ended in the middle of the requested data
    limit_exceeded,      ///< the requested data is longer than its limit
    write_was_dropped,   ///< a write was dropped before, and how far it had come is not known
};

/// The category of stream_error.
[[nodiscard]] const std::error_category& stream_category() noexcept;

/// The error as a std::error_code.
[[nodiscard]] inline std::error_code make_error_code(stream_error error) noexcept {
    return {static_cast<int>(error), stream_category()};
}

}  // namespace eddy

template <>
struct std::is_error_code_enum<eddy::stream_error> : std::true_type {};
