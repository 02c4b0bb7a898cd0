#pragma once

#include <eddy/http/routing/middleware.hpp>
#include <eddy/http/server/exchange.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::http {

/// How a line of the log is written.
enum class access_log_format : std::uint8_t {
    brief,     ///< date method target status bytes
    common,    ///< host - user [date] "request line" status bytes
    combined,  ///< the same, then "referer" "user agent"
    json,      ///< one object, with the time taken, the route and the request's id as well
};

/// Formats an answered request as one line, without a line end:
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
    /// Writes lines of this format.
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

/// Logs each request in one line (eddy/http/routing/access_log.hpp) when it has been answered; one that is
/// dropped before that is logged with status 499.
///
/// The sink is called on the worker, must not throw and should not wait; the line is valid during the call.
/// Add it outside of other middleware, so that it sees their responses. See middleware.
class access_log final : public middleware {
public:
    /// Calls `sink` with each line, on the worker of the connection.
    explicit access_log(std::function<void(std::string_view line)> sink,
                        access_log_format format = access_log_format::combined)
        : sink_(std::move(sink)), line_(format) {}

    [[nodiscard]] ready_or_task<> handle(exchange& ex, request_handler& next) override;

private:
    class entry;
    [[nodiscard]] task<> finish(exchange& ex, ready_or_task<> rest);
    void tell(exchange& ex, unsigned status_code);

    std::function<void(std::string_view line)> sink_;
    access_log_line line_;
};

}  // namespace eddy::http
