#pragma once

#include <cstdlib>
#include <sstream>
#include <string>
#include <unistd.h>

namespace eddy::test {

/// Where a program is that others have written, or nothing if it is not installed. Servers are in directories
/// that the PATH of an ordinary user lacks.
inline std::string place_of(const char* program) {
    const char* const set = std::getenv("PATH");
    std::istringstream directories(std::string(set != nullptr ? set : "/usr/bin") +
                                   ":/usr/sbin:/usr/local/sbin");
    for (std::string directory; std::getline(directories, directory, ':');)
        if (std::string path = directory + '/' + program; ::access(path.c_str(), X_OK) == 0)
            return path;
    return {};
}

}  // namespace eddy::test
