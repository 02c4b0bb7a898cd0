#pragma once

#include <eddy/detail/build.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace eddy::http {

// HTTP dates (RFC 9110 section 5.6.7) to and from seconds since 1970 in UTC. Nothing here reads a clock.

/// The length of a date in a field, in bytes.
inline constexpr std::size_t date_size = 29;  // "Sun, 06 Nov 1994 08:49:37 GMT"

/// Writes the preferred form (IMF-fixdate). Times outside the years 1 to 9999 are brought to the nearest
/// second inside.
void format_date(std::int64_t unix_seconds, std::span<char, date_size> out) noexcept;

/// Reads any of the three forms: IMF-fixdate, RFC 850 and asctime. `now` decides the century of the two-digit
/// year of RFC 850: a year over 50 ahead is the last one past with those digits. The
/// weekday must be a name of one, but need not be the right one. Nothing for anything malformed; 23:59:60, a
/// leap second, is read as the second after.
[[nodiscard]] std::optional<std::int64_t> parse_date(std::string_view text, std::int64_t now) noexcept;

/// The text of a Date field, made at most once a second. One for each thread that answers requests.
class date_cache {
public:
    date_cache() noexcept {}

    /// Valid until the next call with another second.
    [[nodiscard]] std::string_view at(std::int64_t unix_seconds) noexcept {
        if (unix_seconds != seconds_) {
            seconds_ = unix_seconds;
            format_date(unix_seconds, text_);
        }
        return {text_.data(), text_.size()};
    }

private:
    std::int64_t seconds_ = INT64_MIN;
    std::array<char, date_size> text_{'M', 'o', 'n', ',', ' ', '0', '1', ' ', 'J', 'a',
                                      'n', ' ', '0', '0', '0', '1', ' ', '0', '0', ':',
                                      '0', '0', ':', '0', '0', ' ', 'G', 'M', 'T'};
};

}  // namespace eddy::http
