#pragma once

#include <vector>

namespace bench {

// The middle value, or the mean of the two in the middle. Requires: not empty.
double median(std::vector<double> values);

// (largest - smallest) / median, as a share. 0 when the median is 0. Requires: not empty.
double spread(const std::vector<double>& values);

// The median of values[i] / base[i]: what changes from round to round cancels. Rounds whose base is 0 do
// not count; 0 when none is left. Requires: equal lengths.
double median_ratio(const std::vector<double>& values, const std::vector<double>& base);

}  // namespace bench
