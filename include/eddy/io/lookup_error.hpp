#pragma once

#include <eddy/detail/build.hpp>

#include <cstdint>
#include <system_error>

namespace eddy::io {

/// What can go wrong when names are looked up, beside errors of the system.
enum class lookup_error : std::uint8_t {
    not_found = 1,      ///< there is no such host, or it has no address of the kind
    unknown_service,    ///< there is no such service
    temporary_failure,  ///< no server has answered; another try may help
    failure,            ///< a server has refused
};

/// The category of lookup_error.
[[nodiscard]] const std::error_category& lookup_category() noexcept;
/// The error as a std::error_code.
[[nodiscard]] std::error_code make_error_code(lookup_error error) noexcept;

}  // namespace eddy::io

template <>
struct std::is_error_code_enum<eddy::io::lookup_error> : std::true_type {};
