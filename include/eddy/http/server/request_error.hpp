#pragma once

#include <eddy/http/message/status.hpp>

#include <stdexcept>
#include <string>

namespace eddy::http {

/// Why a request cannot be answered as it was meant: the status for the client and a text that it may read.
/// If a handler lets one pass, its own or that of a request_body, the server responds with it, with the text
/// as text/plain, unless a response has begun.
class request_error : public std::runtime_error {
public:
    /// Requires: a status of 400 or above.
    request_error(http::status code, const std::string& reason) : std::runtime_error(reason), status_(code) {}

    /// The status to respond with.
    [[nodiscard]] http::status status() const noexcept { return status_; }

private:
    http::status status_;
};

}  // namespace eddy::http
