#pragma once

#include <eddy/http/message/entity_tag.hpp>
#include <eddy/http/message/request_head.hpp>

#include <cstdint>
#include <optional>

namespace eddy::http {

/// What a request's conditions are measured against: the selected representation, if there is one, with the
/// tag and the time of last change (seconds since 1970) that it has. A value; refers to the tag's text.
class validators {
public:
    /// There is no representation (the file does not exist).
    validators() noexcept {}
    validators(std::optional<entity_tag_view> tag, std::optional<std::int64_t> modified_seconds) noexcept
        : tag_(tag), modified_seconds_(modified_seconds), exists_(true) {}

    /// Whether there is a current representation.
    [[nodiscard]] bool exists() const noexcept { return exists_; }
    /// Its entity tag, if it has one.
    [[nodiscard]] const std::optional<entity_tag_view>& tag() const noexcept { return tag_; }
    /// When it was changed, in seconds since 1970, if that is known.
    [[nodiscard]] std::optional<std::int64_t> modified_seconds() const noexcept { return modified_seconds_; }

private:
    std::optional<entity_tag_view> tag_;
    std::optional<std::int64_t> modified_seconds_;
    bool exists_ = false;
};

/// What the conditions of a request come to (RFC 9110, section 13).
enum class precondition : std::uint8_t {
    /// Respond as if there was no condition.
    proceed,
    /// Respond with 304: the client has it.
    not_modified,
    /// Respond with 412, and do nothing.
    failed,
};

/// Evaluates If-Match, If-Unmodified-Since, If-None-Match and If-Modified-Since in the order of RFC 9110
/// section 13.2.2. Call it when the response would otherwise be a 2xx. `now`: seconds since 1970.
///
/// Several lines of a tag list count as one. A list that is malformed, or has "*" beside a tag, fails
/// If-Match; in If-None-Match it is passed over for GET and HEAD (the response is sent) and fails for other
/// methods (nothing is overwritten). A date that is malformed or came twice is passed over, as the RFC asks.
[[nodiscard]] precondition evaluate_preconditions(const request_head& head, const validators& current,
                                                  std::int64_t now) noexcept;

/// Whether the Range field may be acted on (step 5 of the same section, and section 13.1.5): the request is a
/// GET with one Range field, and If-Range, if it is there, names the current representation by a strong tag,
/// or by exactly its time of last change where that is at least a second before `now`. Otherwise the range is
/// passed over and the whole is sent. Requires: the preconditions said proceed.
[[nodiscard]] bool may_send_range(const request_head& head, const validators& current,
                                  std::int64_t now) noexcept;

}  // namespace eddy::http
