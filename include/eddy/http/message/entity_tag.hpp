#pragma once

#include <eddy/detail/build.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace eddy::http {

/// Entity tags (RFC 9110 section 8.8.3) as they stand in messages: views into the parsed text.
class entity_tag_view {
public:
    /// `opaque`: the part with its quotes.
    entity_tag_view(std::string_view opaque, bool is_weak) noexcept : opaque_(opaque), is_weak_(is_weak) {}

    /// The part with its quotes.
    [[nodiscard]] std::string_view opaque() const noexcept { return opaque_; }
    /// Whether W/ stands in front of it.
    [[nodiscard]] bool is_weak() const noexcept { return is_weak_; }

    /// The same bytes: neither may be weak (RFC 9110 section 8.8.3.2).
    [[nodiscard]] bool strongly_equals(entity_tag_view other) const noexcept {
        return !is_weak_ && !other.is_weak_ && opaque_ == other.opaque_;
    }
    /// As good as the same.
    [[nodiscard]] bool weakly_equals(entity_tag_view other) const noexcept {
        return opaque_ == other.opaque_;
    }

private:
    std::string_view opaque_;
    bool is_weak_;
};

/// The whole text as one tag; nothing when it is none.
[[nodiscard]] std::optional<entity_tag_view> parse_entity_tag(std::string_view text) noexcept;

/// How tags are compared.
enum class tag_comparison : std::uint8_t {
    strong,  ///< as If-Match does
    weak,    ///< as If-None-Match does
};

/// Whether a list of tags holds one like `tag`; nothing when it is no list of tags, empty ones included.
/// Weakly, the tag that `compression` gives an encoded form of what has this tag is like it, too: W/"a-gzip"
/// is like "a". The list is read to its end, so that a malformed one never counts. "*" is not a list: see
/// conditional.hpp.
[[nodiscard]] std::optional<bool> entity_tag_list_has(std::string_view list, entity_tag_view tag,
                                                      tag_comparison comparison) noexcept;

/// The tag of a file, from the time of its last change and its size. A value; holds its text inline.
class entity_tag {
public:
    /// Strong, so that ranges may be resumed by it. That is right as long as a file changes its time whenever
    /// it changes, which a file system with coarse times cannot promise for two changes within one tick: make
    /// the tag weak for a file that has only just been written. `mark`: a letter that distinguishes encoded
    /// forms of the file from it.
    [[nodiscard]] static entity_tag strong(std::int64_t modified_ns, std::uint64_t size,
                                           char mark = '\0') noexcept {
        return {modified_ns, size, false, mark};
    }
    /// Weak: forms that are as good as the same have it, too.
    [[nodiscard]] static entity_tag weak(std::int64_t modified_ns, std::uint64_t size,
                                         char mark = '\0') noexcept {
        return {modified_ns, size, true, mark};
    }

    /// As it goes into an ETag field.
    [[nodiscard]] std::string_view text() const noexcept { return {text_.data(), size_}; }
    /// Refers to this object.
    [[nodiscard]] entity_tag_view view() const noexcept;

private:
    entity_tag(std::int64_t modified_ns, std::uint64_t size, bool is_weak, char mark) noexcept;

    std::array<char, 40> text_;  // W/"<16 digits>-<16 digits>-<mark>" at most
    std::uint8_t size_ = 0;
};

}  // namespace eddy::http
