#pragma once

#include <eddy/detail/build.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace eddy::http {

/// The media type on offer that the client prefers, by the value of its Accept field (RFC 9110 section
/// 12.5.1): the index of the type, or nothing if the client accepts none of them (406). The most specific
/// range that matches a type decides its weight; of equal weights the first on offer wins. An empty value
/// accepts anything. Parameters other than q are compared as text. What is malformed in the list is left out;
/// a list of which nothing is left accepts anything. Allocates nothing; accepts any bytes.
///
/// Requires: the types on offer are "type/subtype", perhaps with parameters, in lower case.
[[nodiscard]] std::optional<std::size_t> best_media_type(std::string_view accept,
                                                         std::span<const std::string_view> offered) noexcept;

/// The same for languages and Accept-Language (section 12.5.4, by lookup of RFC 4647 section 3.3.1: a range
/// "de" takes "de" and "de-CH").
[[nodiscard]] std::optional<std::size_t> best_language(std::string_view accept_language,
                                                       std::span<const std::string_view> offered) noexcept;

}  // namespace eddy::http
