#include "http/message/parameters.hpp"

#include "http/message/characters.hpp"

#include <eddy/http/message/method.hpp>

#include <algorithm>
#include <utility>

namespace eddy::http {

namespace {

void skip_white_space(std::string_view& text) noexcept {
    while (!text.empty() && is_white_space(text.front()))
        text.remove_prefix(1);
}

// The text behind the opening quote. Clients that send file names escape only the quote and the backslash,
// and some send the backslashes of their paths bare.
std::optional<std::string> take_quoted(std::string_view& text) {
    std::string value;
    while (!text.empty()) {
        const char byte = text.front();
        text.remove_prefix(1);
        if (byte == '"')
            return value;
        if (byte == '\\' && !text.empty() && (text.front() == '"' || text.front() == '\\')) {
            value += text.front();
            text.remove_prefix(1);
        } else {
            value += byte;
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<field_parameter> take_parameter(std::string_view& rest) {
    std::string_view text = rest;
    do {
        skip_white_space(text);
    } while (text.starts_with(';') && (text.remove_prefix(1), true));
    if (text.empty()) {
        rest = text;
        return std::nullopt;
    }
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || !is_token(text.substr(0, equals)))
        return std::nullopt;
    field_parameter parsed{text.substr(0, equals), {}};
    text.remove_prefix(equals + 1);
    if (text.starts_with('"')) {
        text.remove_prefix(1);
        auto value = take_quoted(text);
        if (!value)
            return std::nullopt;
        parsed.value = std::move(*value);
    } else {
        const std::string_view value = trim(text.substr(0, text.find(';')));
        parsed.value = value;
        text.remove_prefix(std::min(text.size(), text.find(';')));
    }
    skip_white_space(text);
    if (!text.empty() && text.front() != ';')
        return std::nullopt;
    rest = text;
    return parsed;
}

}  // namespace eddy::http
