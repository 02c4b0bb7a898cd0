#pragma once

#include "http/message/characters.hpp"

#include <optional>
#include <string_view>

namespace eddy::http {

/// Reads a Sec-WebSocket-Extensions field (RFC 6455 section 9.1) from left to right:
///
///     extension-list = 1#( token *( ";" token [ "=" ( token / quoted-string that holds a token ) ] ) )
class extension_list {
public:
    explicit extension_list(std::string_view text) noexcept : left_(text) {}

    class parameter {
    public:
        parameter(std::string_view name, std::optional<std::string_view> value) noexcept
            : name_(name), value_(value) {}
        [[nodiscard]] std::string_view name() const noexcept { return name_; }
        [[nodiscard]] std::optional<std::string_view> value() const noexcept { return value_; }

    private:
        std::string_view name_;
        std::optional<std::string_view> value_;
    };

    /// The name of the next extension; nothing at the end, or if what comes is none: see is_valid(). What is
    /// left of the one before is passed over.
    [[nodiscard]] std::optional<std::string_view> next_extension() noexcept {
        while (next_parameter()) {
        }
        if (!is_valid_)
            return std::nullopt;
        // Empty elements are allowed in lists (RFC 9110 section 5.6.1).
        do
            skip_space();
        while (take(','));
        if (left_.empty())
            return std::nullopt;
        return take_token();
    }
    /// The next parameter of this extension.
    [[nodiscard]] std::optional<parameter> next_parameter() noexcept {
        skip_space();
        if (left_.empty() || left_.front() == ',' || !is_valid_ || is_at_start_)
            return is_at_start_ = false, std::nullopt;
        if (!take(';'))
            return is_valid_ = false, std::nullopt;
        skip_space();
        const auto name = take_token();
        if (!name)
            return std::nullopt;
        skip_space();
        if (!take('='))
            return parameter(*name, std::nullopt);
        skip_space();
        const bool is_quoted = take('"');
        const auto value = take_token();
        if (!value || (is_quoted && !take('"')))
            return is_valid_ = false, std::nullopt;
        return parameter(*name, value);
    }
    /// Whether all that was read follows the grammar.
    [[nodiscard]] bool is_valid() const noexcept { return is_valid_; }

private:
    void skip_space() noexcept {
        while (!left_.empty() && is_white_space(left_.front()))
            left_.remove_prefix(1);
    }
    bool take(char wanted) noexcept {
        if (left_.empty() || left_.front() != wanted)
            return false;
        left_.remove_prefix(1);
        return true;
    }
    std::optional<std::string_view> take_token() noexcept {
        std::size_t size = 0;
        while (size < left_.size() && is(left_[size], character::token))
            ++size;
        const std::string_view token = left_.substr(0, size);
        left_.remove_prefix(size);
        if (token.empty())
            return is_valid_ = false, std::nullopt;
        return token;
    }

    std::string_view left_;
    bool is_valid_ = true;
    bool is_at_start_ = true;
};

}  // namespace eddy::http
