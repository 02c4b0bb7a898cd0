#pragma once

#include <cstdint>

namespace eddy::curl {

/// How a user proves who it is; the safest that both sides know, for `any`.
enum class login_scheme : std::uint8_t { basic, digest, negotiate, any };

}  // namespace eddy::curl
