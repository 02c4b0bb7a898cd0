#include "fs/unique_name.hpp"

namespace eddy::detail {

std::string unique_name(std::string_view directory, std::uint64_t bits) {
    std::string name(directory);
    name += "/.eddy-";
    for (int digit = 0; digit < 16; ++digit, bits >>= 4)
        name += "0123456789abcdef"[bits & 15];
    return name;
}

}  // namespace eddy::detail
