#include <eddy/http/message/conditional.hpp>
#include <eddy/http/message/date.hpp>

namespace eddy::http {
namespace {

enum class match : std::uint8_t { none, found, malformed };

match match_line(std::string_view line, const validators& current, tag_comparison comparison) noexcept {
    // A tag that equals no other, so that the list is checked where there is nothing to compare with.
    const entity_tag_view tag = current.tag().value_or(entity_tag_view({}, true));
    const auto has = entity_tag_list_has(line, tag, comparison);
    return !has ? match::malformed : *has ? match::found : match::none;
}

// What all lines of a tag list say together. Requires: head.has(id).
match match_lines(const request_head& head, field id, const validators& current,
                  tag_comparison comparison) noexcept {
    if (head.only(id) == "*") {
        return current.exists() ? match::found : match::none;
    }
    match result = match::none;
    head.for_each(id, [&](std::string_view line) {
        const match one = match_line(line, current, comparison);
        if (result != match::malformed && one != match::none) {
            result = one;
        }
    });
    return result;
}

std::optional<std::int64_t> date_of(const request_head& head, field id, std::int64_t now) noexcept {
    const auto text = head.only(id);
    return text ? parse_date(*text, now) : std::nullopt;
}

// Whether the representation has changed after the date of this field. Nothing when there is no usable date.
std::optional<bool> has_changed_since(const request_head& head, field id, const validators& current,
                                      std::int64_t now) noexcept {
    const auto date = date_of(head, id, now);
    const auto modified = current.modified_seconds();
    return date && modified ? std::optional(*modified > *date) : std::nullopt;
}

// Steps 1 and 2: the client's idea of the current state must be right.
bool state_is_as_expected(const request_head& head, const validators& current, std::int64_t now) noexcept {
    if (head.has(field::if_match)) {
        return match_lines(head, field::if_match, current, tag_comparison::strong) == match::found;
    }
    return !has_changed_since(head, field::if_unmodified_since, current, now).value_or(false);
}

}  // namespace

precondition evaluate_preconditions(const request_head& head, const validators& current,
                                    std::int64_t now) noexcept {
    if (!state_is_as_expected(head, current, now)) {
        return precondition::failed;
    }
    const bool is_read = head.method() == method::get || head.method() == method::head;
    if (head.has(field::if_none_match)) {
        switch (match_lines(head, field::if_none_match, current, tag_comparison::weak)) {
            case match::none:
                return precondition::proceed;
            case match::found:
                return is_read ? precondition::not_modified : precondition::failed;
            case match::malformed:
                return is_read ? precondition::proceed : precondition::failed;
        }
    }
    const bool is_unchanged =
        is_read && !has_changed_since(head, field::if_modified_since, current, now).value_or(true);
    return is_unchanged ? precondition::not_modified : precondition::proceed;
}

bool may_send_range(const request_head& head, const validators& current, std::int64_t now) noexcept {
    if (head.method() != method::get || !head.only(field::range) || !current.exists()) {
        return false;
    }
    if (!head.has(field::if_range)) {
        return true;
    }
    const auto condition = head.only(field::if_range);
    if (!condition) {
        return false;
    }
    if (const auto tag = parse_entity_tag(*condition)) {
        return current.tag() && tag->strongly_equals(*current.tag());
    }
    const auto date = parse_date(*condition, now);
    const auto modified = current.modified_seconds();
    return date && modified && *date == *modified && *modified < now;
}

}  // namespace eddy::http
