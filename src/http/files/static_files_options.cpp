#include "http/message/characters.hpp"
#include "http/message/field_syntax.hpp"

#include <eddy/http/files/static_files.hpp>
#include <eddy/http/message/detail/media_type.hpp>

#include <algorithm>
#include <stdexcept>

namespace eddy::http {

namespace {

std::string_view name_of(std::string_view path) noexcept {
    return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

// Goes back to the last "*" only, which suffices: what an earlier one takes more, a later one could take too.
bool matches(std::string_view pattern, std::string_view text) noexcept {
    std::size_t at = 0;
    std::size_t in_pattern = 0;
    std::size_t star = std::string_view::npos;
    std::size_t retry = 0;
    while (at < text.size()) {
        if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
            star = in_pattern++;
            retry = at;
        } else if (in_pattern < pattern.size() && pattern[in_pattern] == text[at]) {
            ++in_pattern;
            ++at;
        } else if (star != std::string_view::npos) {
            in_pattern = star + 1;
            at = ++retry;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', in_pattern) == std::string_view::npos;
}

void require_value(std::string_view name, std::string_view value) {
    if (!is_field(name, value))
        throw std::invalid_argument("'" + std::string(value) + "' is no value of a field");
}

}  // namespace

static_files_options& static_files_options::cache_control(std::string pattern, std::string value) {
    require_value("Cache-Control", value);
    cache_rules_.emplace_back(std::move(pattern), std::move(value));
    return *this;
}

static_files_options& static_files_options::add_field(std::string_view name, std::string_view value) {
    fields_.add(name, value);
    return *this;
}

static_files_options& static_files_options::media_type(std::string_view extension, std::string value) {
    require_value("Content-Type", value);
    std::string folded(extension);
    std::transform(folded.begin(), folded.end(), folded.begin(), to_lower);
    media_types_.emplace_back(std::move(folded), std::move(value));
    return *this;
}

std::string_view static_files_options::cache_control_for(std::string_view path) const noexcept {
    for (const auto& [pattern, value] : cache_rules_) {
        const bool is_rooted = pattern.starts_with('/');
        const bool has_directory = pattern.find('/') != std::string::npos;
        const auto wanted = std::string_view(pattern).substr(is_rooted ? 1 : 0);
        if (matches(wanted, has_directory ? path : name_of(path)))
            return value;
    }
    return {};
}

std::string_view static_files_options::media_type_for(std::string_view path) const noexcept {
    const auto name = name_of(path);
    const auto dot = name.rfind('.');
    if (dot != std::string_view::npos && dot != 0)
        for (const auto& [extension, type] : media_types_)
            if (equal_ignoring_case(extension, name.substr(dot + 1)))
                return type;
    return media_type_of(path);
}

}  // namespace eddy::http
