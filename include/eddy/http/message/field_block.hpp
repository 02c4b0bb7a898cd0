#pragma once

#include <eddy/detail/build.hpp>
#include <eddy/http/message/detail/field_characters.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace eddy::http {

/// A field of a response. Refers to its texts.
class response_field {
public:
    /// Views, which outlive the response.
    constexpr response_field(std::string_view name, std::string_view value) noexcept
        : name_(name), value_(value) {}
    /// Of literals. What HTTP does not allow does not compile, and is not looked for when it is sent.
    [[nodiscard]] static consteval response_field literal(std::string_view name, std::string_view value) {
        if (!detail::is_field_name(name))
            throw "the name of a field is a token (RFC 9110 5.6.2)";
        if (!detail::is_field_value(value))
            throw "the value of a field has no control characters (RFC 9110 5.5)";
        response_field made(name, value);
        made.is_literal_ = true;
        return made;
    }

    /// The name.
    [[nodiscard]] constexpr std::string_view name() const noexcept { return name_; }
    /// The value.
    [[nodiscard]] constexpr std::string_view value() const noexcept { return value_; }
    /// Whether it was made by literal().
    [[nodiscard]] constexpr bool is_literal() const noexcept { return is_literal_; }

private:
    std::string_view name_;
    std::string_view value_;
    bool is_literal_ = false;
};

class response_fields;

/// Fields that many responses have in common, checked and laid out once.
class field_block {
public:
    field_block() = default;
    /// A copy of all fields of a response. Throws std::invalid_argument as add() does.
    explicit field_block(const response_fields& fields);

    /// Throws std::invalid_argument for a name that is no token or a value with control characters.
    field_block& add(std::string_view name, std::string_view value);
    field_block& add(const field_block& other) {
        text_ += other.text_;
        return *this;
    }
    /// Removes all fields.
    void clear() noexcept { text_.clear(); }

    /// Whole field lines.
    [[nodiscard]] std::string_view text() const noexcept { return text_; }

private:
    std::string text_;
};

/// The fields of one response: a block, single ones, or both. Refers to them.
class response_fields {
public:
    /// From a block of lines, single fields, or both. Views: does not own them.
    response_fields() noexcept = default;
    response_fields(std::span<const response_field> single) noexcept : single_(single) {}
    template <std::size_t Count>
    response_fields(const std::array<response_field, Count>& single) noexcept : single_(single) {}
    response_fields(const field_block& block, std::span<const response_field> single = {}) noexcept
        : block_(block.text()), single_(single) {}

    /// The lines that are sent as they are.
    [[nodiscard]] std::string_view block() const noexcept { return block_; }
    /// The single fields.
    [[nodiscard]] std::span<const response_field> single() const noexcept { return single_; }

private:
    std::string_view block_;
    std::span<const response_field> single_;
};

}  // namespace eddy::http
