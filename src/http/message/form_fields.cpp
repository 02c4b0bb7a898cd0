#include <eddy/http/message/detail/form_encoding.hpp>
#include <eddy/http/message/form_fields.hpp>

#include <algorithm>

namespace eddy::http {

namespace {

std::unexpected<message_error> too_much(std::string_view what) noexcept {
    return std::unexpected(message_error(status::content_too_large, what));
}

}  // namespace

std::expected<form_fields, message_error> form_fields::parse(std::string_view text,
                                                             const form_limits& limits) {
    if (text.size() > limits.bytes_max())
        return too_much("too many bytes in a form");
    form_fields parsed;
    while (!text.empty()) {
        const std::string_view field = text.substr(0, text.find('&'));
        text.remove_prefix(std::min(text.size(), field.size() + 1));
        if (field.empty())
            continue;
        if (parsed.items_.size() == limits.fields_max())
            return too_much("too many fields in a form");
        const auto equals = field.find('=');
        item& added = parsed.items_.emplace_back();
        const bool is_valid =
            append_form_decoded(added.first, field.substr(0, equals)) &&
            (equals == std::string_view::npos || append_form_decoded(added.second, field.substr(equals + 1)));
        if (!is_valid)
            return std::unexpected(message_error(status::bad_request, "malformed escape in a query or form"));
    }
    return parsed;
}

std::optional<std::string_view> form_fields::find(std::string_view name) const noexcept {
    const auto found = std::ranges::find(items_, name, &item::first);
    if (found == items_.end())
        return std::nullopt;
    return found->second;
}

std::vector<std::string_view> form_fields::find_all(std::string_view name) const {
    std::vector<std::string_view> values;
    for (const item& each : items_)
        if (each.first == name)
            values.emplace_back(each.second);
    return values;
}

std::string form_fields::encoded() const {
    std::string text;
    for (const item& each : items_) {
        if (!text.empty())
            text += '&';
        append_form_encoded(text, each.first);
        text += '=';
        append_form_encoded(text, each.second);
    }
    return text;
}

}  // namespace eddy::http
