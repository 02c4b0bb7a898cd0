#include "node_name.hpp"

#include <fmt/format.h>

#include <random>

namespace todo {

std::string make_node_name() {
    std::random_device random;
    return fmt::format("{:08x}{:08x}", random(), random());
}

}  // namespace todo
