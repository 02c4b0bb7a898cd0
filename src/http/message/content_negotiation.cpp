#include "http/message/characters.hpp"
#include "http/message/weight.hpp"

#include <eddy/http/message/detail/content_negotiation.hpp>
#include <eddy/http/message/method.hpp>

#include <algorithm>

namespace eddy::http {

namespace {

// A range of a list with its weight.
struct weighted_range {
    std::string_view text;        // without parameters
    std::string_view parameters;  // before q, or all
    unsigned weight = weight_max;
};

std::optional<weighted_range> parse_range(std::string_view element) noexcept {
    weighted_range range;
    const auto semicolon = element.find(';');
    range.text = trim(element.substr(0, semicolon));
    if (range.text.empty())
        return std::nullopt;
    if (semicolon == std::string_view::npos)
        return range;
    const std::string_view all = element.substr(semicolon + 1);
    range.parameters = trim(all);
    std::string_view rest = all;
    while (!rest.empty()) {
        const std::string_view parameter = rest.substr(0, rest.find(';'));
        const std::string_view trimmed = trim(parameter);
        if (trimmed.size() >= 2 && to_lower(trimmed[0]) == 'q' && trimmed[1] == '=') {
            const auto weight = parse_weight(trimmed.substr(2));
            if (!weight)
                return std::nullopt;
            range.weight = *weight;
            const auto before = static_cast<std::size_t>(rest.data() - all.data());
            std::string_view kept = trim(all.substr(0, before));
            if (kept.ends_with(';'))
                kept.remove_suffix(1);
            range.parameters = trim(kept);
            break;
        }
        rest.remove_prefix(std::min(rest.size(), parameter.size() + 1));
    }
    return range;
}

// How specifically a range matches a type: 0 not at all.
using specificity = unsigned (*)(const weighted_range& range, std::string_view offered) noexcept;

unsigned media_specificity(const weighted_range& range, std::string_view offered) noexcept {
    const std::string_view type = trim(offered.substr(0, offered.find(';')));
    const auto slash = type.find('/');
    if (range.text == "*/*")
        return 1;
    if (range.text.ends_with("/*"))
        return equal_ignoring_case(range.text.substr(0, range.text.size() - 2), type.substr(0, slash)) ? 2
                                                                                                       : 0;
    if (!equal_ignoring_case(range.text, type))
        return 0;
    if (range.parameters.empty())
        return 3;
    const auto semicolon = offered.find(';');
    return semicolon != std::string_view::npos &&
                   equal_ignoring_case(trim(offered.substr(semicolon + 1)), range.parameters)
               ? 4
               : 0;
}

unsigned language_specificity(const weighted_range& range, std::string_view offered) noexcept {
    if (range.text == "*")
        return 1;
    if (equal_ignoring_case(range.text, offered))
        return 1000;
    const bool is_prefix = offered.size() > range.text.size() && offered[range.text.size()] == '-' &&
                           equal_ignoring_case(range.text, offered.substr(0, range.text.size()));
    return is_prefix ? 2 + static_cast<unsigned>(std::min<std::size_t>(range.text.size(), 900)) : 0;
}

bool is_media_range(std::string_view text) noexcept {
    const auto slash = text.find('/');
    return slash != std::string_view::npos && is_token(text.substr(0, slash)) &&
           is_token(text.substr(slash + 1));
}

bool is_language_range(std::string_view text) noexcept {
    return is_token(text);
}

// The weight of what is offered; nothing if no range of the list is valid.
std::optional<unsigned> offered_weight(std::string_view list, std::string_view offered, specificity match,
                                       bool (*is_range)(std::string_view) noexcept) noexcept {
    bool has_range = false;
    unsigned best = 0;
    unsigned weight = 0;
    while (!list.empty()) {
        const auto range = parse_range(take_element(list));
        if (!range || !is_range(range->text))
            continue;
        has_range = true;
        if (const unsigned found = match(*range, offered); found > best) {
            best = found;
            weight = range->weight;
        }
    }
    if (!has_range)
        return std::nullopt;
    return weight;
}

std::optional<std::size_t> best_of(std::string_view list, std::span<const std::string_view> offered,
                                   specificity match, bool (*is_range)(std::string_view) noexcept) noexcept {
    std::optional<std::size_t> best;
    unsigned best_weight = 0;
    for (std::size_t index = 0; index < offered.size(); ++index) {
        const unsigned weight = offered_weight(list, offered[index], match, is_range).value_or(weight_max);
        if (weight > best_weight) {
            best = index;
            best_weight = weight;
        }
    }
    return best;
}

}  // namespace

std::optional<std::size_t> best_media_type(std::string_view accept,
                                           std::span<const std::string_view> offered) noexcept {
    return best_of(accept, offered, media_specificity, is_media_range);
}

std::optional<std::size_t> best_language(std::string_view accept_language,
                                         std::span<const std::string_view> offered) noexcept {
    return best_of(accept_language, offered, language_specificity, is_language_range);
}

}  // namespace eddy::http
