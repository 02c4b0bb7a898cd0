#pragma once

#include <eddy/http/message/method.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace eddy::http {

/// Writes the head of a request (RFC 9112 sections 3 and 5) behind what the string holds.
///
///     request_head_writer(text, "GET", to.target()).header("Host", to.authority()).finish();
///
/// It writes exactly one head, whatever its arguments: a method that is no token, a target with anything but
/// visible ASCII, a name that is no token, a value with CR, LF, NUL or another control character, framing set
/// twice, and Content-Length or Transfer-Encoding as plain fields throw std::system_error with
/// http_error::invalid_request. After that the string holds a partial head, which must not be sent.
///
/// Refers to the string. Requires: it outlives the writer. Throws std::bad_alloc.
class request_head_writer {
public:
    /// Begins with the request line, behind what `out` has. `out` outlives the writer.
    request_head_writer(std::string& out, std::string_view method_name, std::string_view target);

    /// Adds a field.
    request_head_writer& header(std::string_view name, std::string_view value);

    /// At most one of these two.
    request_head_writer& content_length(std::uint64_t bytes);
    /// Adds Transfer-Encoding: chunked.
    request_head_writer& transfer_chunked();

    /// Ends the head with its empty line.
    void finish() { out_.append("\r\n"); }

private:
    void frame(std::string_view name, std::string_view value);

    std::string& out_;
    bool framed_ = false;
};

}  // namespace eddy::http
