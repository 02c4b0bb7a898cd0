#include "rpc/wire_metadata.hpp"

#include <eddy/rpc/metadata.hpp>

#include <algorithm>
#include <stdexcept>

namespace eddy::rpc {
namespace {

bool is_name_character(char each) noexcept {
    return (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9') || each == '-' || each == '_' ||
           each == '.';
}

bool is_value(std::string_view value) noexcept {
    return !value.starts_with(' ') && !value.ends_with(' ') &&
           std::ranges::all_of(value, [](char each) { return each >= 0x20 && each <= 0x7e; });
}

}  // namespace

metadata& metadata::add(std::string_view name, std::string_view value) {
    std::string lower(name);
    for (char& each : lower)
        if (each >= 'A' && each <= 'Z')
            each = static_cast<char>(each - 'A' + 'a');
    if (lower.empty() || !std::ranges::all_of(lower, is_name_character))
        throw std::invalid_argument("metadata have a name of letters, digits, \"-\", \"_\" and \".\"");
    if (is_of_the_protocol(lower))
        throw std::invalid_argument("metadata have a name that is none of the protocol's");
    if (!is_binary(lower) && !is_value(value))
        throw std::invalid_argument(
            "metadata have a value of printable ASCII, or a name that ends with \"-bin\"");
    entries_.emplace_back(std::move(lower), value);
    return *this;
}

metadata& metadata::add_received(std::string_view name, std::string value) {
    entries_.emplace_back(name, std::move(value));
    return *this;
}

std::optional<std::string_view> metadata::find(std::string_view name) const noexcept {
    const auto found = std::ranges::find(entries_, name, &entry::first);
    if (found == entries_.end())
        return std::nullopt;
    return found->second;
}

std::vector<std::string_view> metadata::find_all(std::string_view name) const {
    std::vector<std::string_view> values;
    for (const entry& each : entries_)
        if (each.first == name)
            values.emplace_back(each.second);
    return values;
}

}  // namespace eddy::rpc
