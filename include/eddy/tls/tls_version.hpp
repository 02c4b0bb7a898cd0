#pragma once

#include <cstdint>
#include <string_view>

namespace eddy {

/// The versions of TLS that are spoken; older ones are refused (RFC 8996).
enum class tls_version : std::uint16_t {
    tls_1_2 = 0x0303,  ///< RFC 5246
    tls_1_3 = 0x0304,  ///< RFC 8446
};

/// "TLSv1.2" or "TLSv1.3".
[[nodiscard]] constexpr std::string_view name_of(tls_version version) noexcept {
    return version == tls_version::tls_1_3 ? "TLSv1.3" : "TLSv1.2";
}

}  // namespace eddy
