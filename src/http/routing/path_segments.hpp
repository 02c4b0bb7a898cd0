#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::http::detail {

/// A request's path, segment by segment, decoded: what is between slashes, with an encoded slash within its
/// segment. Nothing is allocated for a path that has no escape and few segments.
class path_segments {
public:
    enum class validity : unsigned char { valid, malformed, too_many };

    path_segments() noexcept {}
    path_segments(const path_segments&) = delete;
    path_segments& operator=(const path_segments&) = delete;

    /// Malformed: no slash in front, a malformed escape, a NUL, or a segment that is "." or "..", in any
    /// spelling. Requires: `path` stays.
    [[nodiscard]] validity split(std::string_view path);

    [[nodiscard]] std::span<const std::string_view> all() const noexcept {
        return more_.empty() ? std::span<const std::string_view>(few_).first(count_)
                             : std::span<const std::string_view>(more_);
    }
    /// Where the segment begins in the path as sent.
    [[nodiscard]] std::size_t offset(std::size_t segment) const noexcept;
    /// The path from this segment on, as sent.
    [[nodiscard]] std::string_view sent_from(std::size_t segment) const noexcept {
        return path_.substr(offset(segment));
    }
    /// The same decoded, but for encoded slashes. Requires: has_escapes().
    [[nodiscard]] std::string decoded_from(std::size_t segment) const;
    [[nodiscard]] bool has_escapes() const noexcept { return !decoded_.empty(); }

    static constexpr std::size_t segments_max = 1000;

private:
    [[nodiscard]] bool decode();

    static constexpr std::size_t few = 16;  // more are rare
    std::string_view path_;
    std::array<std::string_view, few> few_;
    std::size_t count_ = 0;
    std::vector<std::string_view> more_;
    std::vector<std::string> decoded_;  // all segments, if any has an escape
};

}  // namespace eddy::http::detail
