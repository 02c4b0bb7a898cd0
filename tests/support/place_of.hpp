#pragma once

#include <filesystem>
#include <string>

namespace eddy::test {

/// Where a program is that others have written, or nothing if it is not installed.
inline std::string place_of(const char* program) {
    for (const char* folder : {"/usr/sbin/", "/usr/bin/", "/usr/local/sbin/", "/usr/local/bin/"})
        if (const std::string path = std::string(folder) + program; std::filesystem::exists(path))
            return path;
    return {};
}

}  // namespace eddy::test
