#include "driver/statistics.hpp"

#include <algorithm>

namespace bench {

double median(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double spread(const std::vector<double>& values) {
    const auto [smallest, largest] = std::ranges::minmax_element(values);
    const double middle = median(values);
    return middle == 0 ? 0 : (*largest - *smallest) / middle;
}

double median_ratio(const std::vector<double>& values, const std::vector<double>& base) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (base[i] != 0)
            ratios.push_back(values[i] / base[i]);
    return ratios.empty() ? 0 : median(ratios);
}

}  // namespace bench
