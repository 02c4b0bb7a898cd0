#include "server_names.hpp"

#include <algorithm>

namespace eddy::detail {

std::optional<std::size_t> server_names::find(std::string_view name) const {
    if (name.ends_with('.'))
        name.remove_suffix(1);
    std::string lower(name);
    std::ranges::transform(lower, lower.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    if (const auto exact = names_.find(lower); exact != names_.end())
        return exact->second;
    const std::size_t dot = lower.find('.');
    if (dot == std::string::npos || dot == 0)
        return std::nullopt;
    const auto wildcard = names_.find("*" + lower.substr(dot));
    if (wildcard == names_.end())
        return std::nullopt;
    return wildcard->second;
}

}  // namespace eddy::detail
