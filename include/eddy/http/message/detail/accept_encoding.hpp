#pragma once

#include <eddy/http/message/detail/content_coding.hpp>
#include <eddy/http/message/request_head.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace eddy::http {

/// The codings that a client accepts (Accept-Encoding, RFC 9110 section 12.5.3). A value; refers to nothing.
///
/// An element that is malformed, or names a coding that is not known here, is passed over. Of a coding that
/// is named twice the first counts.
class accepted_codings {
public:
    /// A client that sends no such field: any coding will do, and identity is the safe choice.
    accepted_codings() noexcept = default;
    explicit accepted_codings(const request_head& request) noexcept {
        request.for_each(field::accept_encoding, [this](std::string_view line) { add(line); });
    }

    /// One line of the field; several count as one list. An empty one asks for identity.
    void add(std::string_view line) noexcept;

    /// Whether the client has sent the field.
    [[nodiscard]] bool is_stated() const noexcept { return is_stated_; }

    /// Whether this coding may be sent. Identity may unless it was excluded, by name or by "*;q=0".
    [[nodiscard]] bool accepts(content_coding coding) const noexcept;

    /// The client's weight for it, in thousandths. 0 for a coding that it has not named (identity may then
    /// still be accepted).
    [[nodiscard]] unsigned weight(content_coding coding) const noexcept;

private:
    static constexpr std::uint16_t unnamed = 0xffff;
    [[nodiscard]] std::uint16_t stated(content_coding coding) const noexcept;

    std::array<std::uint16_t, content_coding_count> weights_{unnamed, unnamed, unnamed, unnamed};
    std::uint16_t any_weight_ = unnamed;  // of "*"
    bool is_stated_ = false;
};

/// The coding to send: the one of `offered` with the greatest weight; of several the one that is offered
/// first. Nothing if it accepts none of them, which is what 406 Not Acceptable is for. Identity for a client
/// that sends no such field, where that is offered.
[[nodiscard]] std::optional<content_coding> negotiate_coding(
    const accepted_codings& accepted, std::span<const content_coding> offered) noexcept;

}  // namespace eddy::http
