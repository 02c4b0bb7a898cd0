#pragma once

#include <eddy/fs/file_path.hpp>

#include <cstdint>

namespace eddy::detail {

// What a negative result becomes: std::system_error with a message that names the paths.

[[noreturn]] void throw_file_error(std::int64_t result, const char* what, const file_path& path);

inline void require_done(std::int64_t result, const char* what, const file_path& path) {
    if (result < 0) [[unlikely]]
        throw_file_error(result, what, path);
}

}  // namespace eddy::detail
