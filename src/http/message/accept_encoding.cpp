#include "http/message/characters.hpp"
#include "http/message/weight.hpp"

#include <eddy/http/message/detail/accept_encoding.hpp>

#include <algorithm>

namespace eddy::http {

namespace {

// The weight that follows a coding: `text` begins behind the name.
std::optional<std::uint16_t> weight_of(std::string_view text) noexcept {
    text = trim(text);
    if (text.empty())
        return weight_max;
    if (text.front() != ';')
        return std::nullopt;
    text = trim(text.substr(1));
    if (!equal_ignoring_case(text.substr(0, 2), "q="))
        return std::nullopt;
    return parse_weight(text.substr(2));
}

}  // namespace

void accepted_codings::add(std::string_view line) noexcept {
    is_stated_ = true;
    while (!line.empty()) {
        const auto element = take_element(line);
        const auto name = trim(element.substr(0, element.find(';')));
        const auto weight = weight_of(element.substr(std::min(element.find(';'), element.size())));
        if (!weight)
            continue;
        std::uint16_t* const named = [&]() -> std::uint16_t* {
            if (name == "*")
                return &any_weight_;
            const auto coding = content_coding_from(name);
            return coding ? &weights_[static_cast<std::size_t>(*coding)] : nullptr;
        }();
        if (named != nullptr && *named == unnamed)
            *named = *weight;
    }
}

std::uint16_t accepted_codings::stated(content_coding coding) const noexcept {
    const std::uint16_t own = weights_[static_cast<std::size_t>(coding)];
    return own == unnamed ? any_weight_ : own;
}

bool accepted_codings::accepts(content_coding coding) const noexcept {
    const std::uint16_t weight = stated(coding);
    if (weight == unnamed)
        return !is_stated_ || coding == content_coding::identity;
    return weight != 0;
}

unsigned accepted_codings::weight(content_coding coding) const noexcept {
    const std::uint16_t weight = stated(coding);
    return weight == unnamed ? 0 : weight;
}

std::optional<content_coding> negotiate_coding(const accepted_codings& accepted,
                                               std::span<const content_coding> offered) noexcept {
    if (!accepted.is_stated() &&
        std::find(offered.begin(), offered.end(), content_coding::identity) != offered.end())
        return content_coding::identity;
    std::optional<content_coding> best;
    for (const content_coding one : offered) {
        if (accepted.accepts(one) && (!best || accepted.weight(one) > accepted.weight(*best)))
            best = one;
    }
    return best;
}

}  // namespace eddy::http
