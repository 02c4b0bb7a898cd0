#pragma once

#include <eddy/http/field_list.hpp>
#include <eddy/http/status.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace eddy::http {

/// Changes an answer on its way out, whoever writes it: compression, say. Given to exchange::filter_answer()
/// before the answer begins, and asked in this order: begin() once, then, if that gave true and the answer
/// has a body to send, append() and flush() any number of times, and finish() once unless the answer is cut
/// short. An exception of any of them fails the answer.
class answer_filter {
public:
    virtual ~answer_filter() = default;

    /// Whether it takes part in this answer. `fields`: those of the handler and of add_field(), without the
    /// ones that the server adds; they may be changed in either case. `size`: that of the body, if it is
    /// known; what HEAD is told counts as a body. Content-Length and Transfer-Encoding are the server's.
    [[nodiscard]] virtual bool begin(status code, field_list& fields, std::optional<std::uint64_t> size) = 0;

    /// Takes a piece of the body, and adds to `out` what is to be sent by now, if anything.
    virtual void append(std::span<const std::byte> piece, std::string& out) = 0;
    /// Adds what is needed for the client to see all pieces so far.
    virtual void flush(std::string& out) { static_cast<void>(out); }
    /// Adds what ends the body.
    virtual void finish(std::string& out) = 0;
};

}  // namespace eddy::http
