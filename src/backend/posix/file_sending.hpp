#pragma once

#include <cstdint>
#include <string_view>

namespace eddy::backends {

/// As io::sockets::send_file().
[[nodiscard]] std::int64_t send_file(int connection, std::string_view first, int file, std::uint64_t offset,
                                     std::uint64_t size) noexcept;

}  // namespace eddy::backends
