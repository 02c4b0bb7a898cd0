#pragma once

#include <string>
#include <utility>
#include <vector>

namespace bench {

// What the figures were taken on and with, as pairs of a name and a text, in the order to print them.
std::vector<std::pair<std::string, std::string>> describe_machine();

}  // namespace bench
