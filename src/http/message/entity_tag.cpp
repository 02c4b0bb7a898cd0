#include "http/message/characters.hpp"
#include "http/message/coded_tag.hpp"

#include <eddy/http/message/entity_tag.hpp>

#include <charconv>

namespace eddy::http {
namespace {

constexpr std::string_view weak_mark = "W/";

// Takes a tag off the front of the text.
std::optional<entity_tag_view> take_entity_tag(std::string_view& text) noexcept {
    const bool is_weak = text.starts_with(weak_mark);
    const auto quoted = text.substr(is_weak ? weak_mark.size() : 0);
    if (!quoted.starts_with('"')) {
        return std::nullopt;
    }
    const auto end = quoted.find('"', 1);
    if (end == std::string_view::npos || !all_are(quoted.substr(1, end - 1), character::entity_tag)) {
        return std::nullopt;
    }
    text = quoted.substr(end + 1);
    return entity_tag_view(quoted.substr(0, end + 1), is_weak);
}

// A client that got an encoded form has what the server's plain form is as well.
bool is_form_of(entity_tag_view element, entity_tag_view plain) noexcept {
    return element.is_weak() && !plain.opaque().empty() && is_coded_tag(element.opaque(), plain.opaque());
}

}  // namespace

std::optional<entity_tag_view> parse_entity_tag(std::string_view text) noexcept {
    const auto tag = take_entity_tag(text);
    return text.empty() ? tag : std::nullopt;
}

std::optional<bool> entity_tag_list_has(std::string_view list, entity_tag_view tag,
                                        tag_comparison comparison) noexcept {
    bool is_found = false;
    bool has_elements = false;
    for (list = trim(list); !list.empty(); list = trim(list)) {
        if (list.front() != ',') {
            const auto element = take_entity_tag(list);
            list = trim(list);
            if (!element || (!list.empty() && list.front() != ',')) {
                return std::nullopt;
            }
            has_elements = true;
            is_found |= comparison == tag_comparison::strong
                            ? element->strongly_equals(tag)
                            : element->weakly_equals(tag) || is_form_of(*element, tag);
        }
        list = list.substr(list.empty() ? 0 : 1);
    }
    return has_elements ? std::optional(is_found) : std::nullopt;
}

entity_tag::entity_tag(std::int64_t modified_ns, std::uint64_t size, bool is_weak, char mark) noexcept {
    char* at = text_.data();
    char* const end = at + text_.size();
    at += is_weak ? weak_mark.copy(at, weak_mark.size()) : 0;
    *at++ = '"';
    at = std::to_chars(at, end, static_cast<std::uint64_t>(modified_ns), 16).ptr;
    *at++ = '-';
    at = std::to_chars(at, end, size, 16).ptr;
    if (mark != '\0') {
        *at++ = '-';
        *at++ = mark;
    }
    *at++ = '"';
    size_ = static_cast<std::uint8_t>(at - text_.data());
}

entity_tag_view entity_tag::view() const noexcept {
    const bool is_weak = text().starts_with(weak_mark);
    return {text().substr(is_weak ? weak_mark.size() : 0), is_weak};
}

}  // namespace eddy::http
