#include "integrations/curl/answer_head.hpp"

#include <algorithm>
#include <charconv>

namespace eddy::curl {

namespace {

char lower(char letter) noexcept {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool is_same_name(std::string_view one, std::string_view other) noexcept {
    return std::ranges::equal(one, other, {}, lower, lower);
}

std::string_view without_spaces(std::string_view text) noexcept {
    constexpr std::string_view spaces = " \t\r\n";
    const auto first = text.find_first_not_of(spaces);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

}  // namespace

answer_head::step answer_head::add(std::string_view line) {
    if (line.size() > bytes_left_)
        return step::too_large;
    bytes_left_ -= line.size();
    if (begin(line))
        return step::more;
    const std::string_view text = without_spaces(line);
    if (text.empty())
        return step::head_ended;
    if (const auto colon = text.find(':'); colon != std::string_view::npos && colon != 0) {
        field_list& list = is_finished_ ? trailers_ : fields_;
        list.emplace_back(text.substr(0, colon), without_spaces(text.substr(colon + 1)));
    }
    return step::more;
}

bool answer_head::begin(std::string_view line) {
    if (!line.starts_with("HTTP/"))
        return false;
    const auto space = line.find(' ');
    if (space == std::string_view::npos)
        return false;
    fields_.clear();
    trailers_.clear();
    status_ = 0;
    is_finished_ = false;
    const std::string_view code = line.substr(space + 1);
    std::from_chars(code.data(), code.data() + code.size(), status_);
    return true;
}

std::optional<std::string_view> answer_head::find(std::string_view name) const noexcept {
    const auto found =
        std::ranges::find_if(fields_, [&](const auto& field) { return is_same_name(field.first, name); });
    if (found == fields_.end())
        return std::nullopt;
    return found->second;
}

}  // namespace eddy::curl
