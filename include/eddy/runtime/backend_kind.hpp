#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace eddy {

/// What carries operations out.
enum class backend_kind : std::uint8_t {
    automatic,  ///< what EDDY_BACKEND names, else io_uring if the kernel allows it, else epoll
    io_uring,
    epoll,
};

/// "auto", "io_uring" or "epoll".
[[nodiscard]] std::string_view to_string(backend_kind kind) noexcept;

/// Reads a name as to_string() gives it. The error is a message for the user.
[[nodiscard]] std::expected<backend_kind, std::string> parse_backend_kind(std::string_view name);

}  // namespace eddy
