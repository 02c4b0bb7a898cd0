#pragma once

#include "contest/contest.hpp"

#include <string>
#include <vector>

namespace bench {

// The contests and contenders whose names contain one of these parts (no parts: all). The bases stay, since
// the others are measured against them. Throws usage_error when nothing is left.
std::vector<contest> chosen_contests(const suite& all, const std::vector<std::string>& contests,
                                     const std::vector<std::string>& contenders);

}  // namespace bench
