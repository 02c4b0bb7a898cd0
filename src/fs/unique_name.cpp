#include "fs/unique_name.hpp"

#include <cstdint>

namespace eddy::detail {

std::string unique_name(io::file_system& files, std::string_view folder) {
    std::string name(folder);
    name += "/.eddy-";
    std::uint64_t bits = files.random();
    for (int digit = 0; digit < 16; ++digit, bits >>= 4)
        name += "0123456789abcdef"[bits & 15];
    return name;
}

}  // namespace eddy::detail
