#pragma once

#include <eddy/detail/build.hpp>

#include <cstddef>
#include <string>

namespace eddy::rpc::detail {

/// What stands before each message (PROTOCOL-HTTP2.md, Length-Prefixed-Message): a flag and the length.
inline constexpr std::size_t frame_prefix_size = 5;

/// A frame without its message, which is appended, in the memory of `empty`.
[[nodiscard]] inline std::string begin_frame(std::string empty = {}) {
    empty.resize(frame_prefix_size);
    return empty;
}

}  // namespace eddy::rpc::detail
