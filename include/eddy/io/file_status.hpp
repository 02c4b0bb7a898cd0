#pragma once

#include <eddy/detail/build.hpp>

#include <cstdint>

namespace eddy::io {

/// What is known of a file. Times are nanoseconds since 1970-01-01.
struct file_status {
    enum class file_kind : std::uint8_t { regular, directory, other, symbolic_link, pipe };
    file_kind kind = file_kind::other;
    std::uint64_t size = 0;
    std::int64_t modified_ns = 0;  ///< its content
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint32_t permissions = 0;  ///< the bits of chmod(2), 0 to 07777
    std::uint32_t links = 0;        ///< how many names it has
    std::uint32_t user = 0;
    std::uint32_t group = 0;
    std::uint64_t allocated_bytes = 0;
    std::int64_t accessed_ns = 0;
    std::int64_t changed_ns = 0;  ///< its content or a value in this struct
};

}  // namespace eddy::io
