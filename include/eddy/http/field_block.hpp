#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace eddy::http {

/// A field of an answer. Refers to its texts.
class answer_field {
public:
    answer_field(std::string_view name, std::string_view value) noexcept : name_(name), value_(value) {}

    [[nodiscard]] std::string_view name() const noexcept { return name_; }
    [[nodiscard]] std::string_view value() const noexcept { return value_; }

private:
    std::string_view name_;
    std::string_view value_;
};

/// Fields that many answers have in common, checked and laid out once.
class field_block {
public:
    field_block() = default;

    /// Throws std::invalid_argument for a name that is no token or a value with control characters.
    field_block& add(std::string_view name, std::string_view value);
    field_block& add(const field_block& other) {
        text_ += other.text_;
        return *this;
    }
    void clear() noexcept { text_.clear(); }

    /// Whole field lines.
    [[nodiscard]] std::string_view text() const noexcept { return text_; }

private:
    std::string text_;
};

/// The fields of one answer: a block, single ones, or both. Refers to them.
class answer_fields {
public:
    answer_fields() noexcept = default;
    answer_fields(std::span<const answer_field> single) noexcept : single_(single) {}
    template <std::size_t Count>
    answer_fields(const std::array<answer_field, Count>& single) noexcept : single_(single) {}
    answer_fields(const field_block& block, std::span<const answer_field> single = {}) noexcept
        : block_(block.text()), single_(single) {}

    [[nodiscard]] std::string_view block() const noexcept { return block_; }
    [[nodiscard]] std::span<const answer_field> single() const noexcept { return single_; }

private:
    std::string_view block_;
    std::span<const answer_field> single_;
};

}  // namespace eddy::http
