#pragma once

#include <eddy/http/exchange.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace eddy::http {

enum class access_log_format : std::uint8_t {
    brief,     ///< date method target status bytes
    common,    ///< host - user [date] "request line" status bytes
    combined,  ///< the same, then "referer" "user agent"
    json,      ///< one object, with the time taken, the route and the request's id as well
};

/// Puts an answered request into one line, without a line end:
///
///     brief:     2026-01-31T12:00:00Z GET /index.html 200 1024
///     combined:  192.0.2.1 - - [31/Jan/2026:12:00:00 +0000] "GET /a HTTP/1.1" 200 1024 "-" "curl/7.88"
///     json:      {"time":"2026-01-31T12:00:00Z","peer":"192.0.2.1","user":"","method":"GET",...}
///
/// What clients have sent cannot forge lines: everything but printable ASCII is escaped, as are quotes and
/// backslashes. Bytes are those of the body, times are milliseconds from the end of the request's head.
///
/// Thread safety: none. Cost: the line is written into memory that is kept; names of peers and users are
/// strings made for it.
class access_log_line {
public:
    explicit access_log_line(access_log_format format) noexcept : format_(format) {}

    /// Valid until the next call. Throws std::bad_alloc.
    [[nodiscard]] std::string_view write(exchange& answered, unsigned status_code);

private:
    void write_brief(exchange& answered, unsigned status_code);
    void write_common(exchange& answered, unsigned status_code);
    void write_json(exchange& answered, unsigned status_code);

    access_log_format format_;
    std::string line_;
    std::string date_;
    std::int64_t date_second_ = INT64_MIN;
};

}  // namespace eddy::http
