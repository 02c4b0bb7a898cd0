#pragma once

#include <eddy/http/message/field_list.hpp>
#include <eddy/http/message/status.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace eddy::http {

/// Changes a response on its way out, for example compresses it. Passed to exchange::filter_response() before
/// the response begins. Calls come in this order: begin() once; then, if it returned true and the response
/// has a body to send, append() and flush() any number of times; then finish() once, unless the response is
/// cut short. An exception thrown by any of them fails the response.
class response_filter {
public:
    virtual ~response_filter() = default;

    /// Returns whether the filter transforms this body. `fields`: those of the handler and of add_field(),
    /// without the ones that the server adds; they may be changed in either case. `size`: that of the body,
    /// if it is known; a response to HEAD counts as having its body. The server sets Content-Length and
    /// Transfer-Encoding.
    [[nodiscard]] virtual bool begin(status code, field_list& fields, std::optional<std::uint64_t> size) = 0;

    /// Takes a piece of the body, and adds to `out` what is to be sent by now, if anything.
    virtual void append(std::span<const std::byte> piece, std::string& out) = 0;
    /// Adds what is needed for the client to see all pieces so far.
    virtual void flush(std::string& out) { static_cast<void>(out); }
    /// Adds what ends the body.
    virtual void finish(std::string& out) = 0;
};

}  // namespace eddy::http
