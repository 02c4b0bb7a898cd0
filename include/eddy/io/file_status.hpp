#pragma once

#include <eddy/detail/build.hpp>

#include <cstdint>

namespace eddy::io {

/// What is known of a file. Times are nanoseconds since 1970-01-01.
struct file_status {
    /// What a path can name.
    enum class file_kind : std::uint8_t {
        /// A file with contents.
        regular,
        /// A directory.
        directory,
        /// A socket or device.
        other,
        /// A symbolic link.
        symbolic_link,
        /// A named pipe.
        pipe,
    };
    /// What it is.
    file_kind kind = file_kind::other;
    /// Its length, in bytes.
    std::uint64_t size = 0;
    std::int64_t modified_ns = 0;  ///< its content
    /// The device that it is on.
    std::uint64_t device = 0;
    /// Its number on the device.
    std::uint64_t inode = 0;
    std::uint32_t permissions = 0;  ///< the bits of chmod(2), 0 to 07777
    std::uint32_t links = 0;        ///< how many names it has
    /// The number of its owner.
    std::uint32_t user = 0;
    /// The number of its group.
    std::uint32_t group = 0;
    /// What it takes on the device, in bytes.
    std::uint64_t allocated_bytes = 0;
    /// When it was last read, in nanoseconds since 1970.
    std::int64_t accessed_ns = 0;
    std::int64_t changed_ns = 0;  ///< its content or a value in this struct
};

}  // namespace eddy::io
