#pragma once

#include "contest/contest.hpp"

#include <string>
#include <vector>

namespace bench {

enum class name_match { contained, whole };

// The contests and contenders whose names contain, or are, one of these (none: all). The bases stay, since
// the others are measured against them. Throws usage_error when nothing is left.
std::vector<contest> chosen_contests(const suite& all, const std::vector<std::string>& contests,
                                     const std::vector<std::string>& contenders,
                                     name_match match = name_match::contained);

}  // namespace bench
