#pragma once

#include <cstddef>
#include <filesystem>
#include <iterator>

namespace eddy::test {

/// How many descriptors this process has open.
inline std::size_t open_descriptors() {
    const std::filesystem::directory_iterator listed("/proc/self/fd");
    // One of them is the listing's own.
    return static_cast<std::size_t>(std::distance(begin(listed), end(listed))) - 1;
}

}  // namespace eddy::test
