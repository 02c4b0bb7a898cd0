#include "http/message/characters.hpp"
#include "http/message/field_syntax.hpp"

#include <eddy/http/message/field_list.hpp>

#include <algorithm>
#include <stdexcept>

namespace eddy::http {

void field_list::add(std::string_view name, std::string_view value) {
    if (!is_field(name, value))
        throw std::invalid_argument("a field that HTTP does not allow");
    lines_.emplace_back(std::string(name), std::string(value));
}

void field_list::set(std::string_view name, std::string_view value) {
    if (!is_field(name, value))
        throw std::invalid_argument("a field that HTTP does not allow");
    line made{std::string(name), std::string(value)};
    remove(name);
    lines_.push_back(std::move(made));
}

void field_list::remove(std::string_view name) noexcept {
    std::erase_if(lines_, [name](const line& here) { return equal_ignoring_case(here.name(), name); });
}

std::optional<std::string_view> field_list::find(std::string_view name) const noexcept {
    for (const line& here : lines_)
        if (equal_ignoring_case(here.name(), name))
            return here.value();
    return std::nullopt;
}

}  // namespace eddy::http
