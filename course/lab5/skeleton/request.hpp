#pragma once

#include "support/todo.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lab {

/// The head of an HTTP request. The views lead into the bytes that were parsed.
struct request {
    std::string_view method;
    std::string_view target;
    /// Whether the client expects to send another request afterwards.
    bool keeps_alive = true;
    /// How many bytes the head takes, its empty line included.
    std::size_t head_bytes = 0;
};

/// What is wrong with a request: the status of the response.
struct bad_request {
    int status;
};

/// Parses what stands at the front of `bytes`. Nothing: the head is not complete yet. Throws bad_request: 400 for what is
/// no HTTP/1 request for a path, 501 for a body, 505 for another version. RFC 9112.
[[nodiscard]] inline std::optional<request> parse_request(std::string_view bytes) {
    static_cast<void>(bytes);
    course::todo("step 6: parse_request");
}

/// The path below a root that a target names: decoded, without its query and its first slash. Nothing where it is no
/// path, or where one of its parts is "..", wherever that would lead.
[[nodiscard]] inline std::optional<std::string> path_of(std::string_view target) {
    static_cast<void>(target);
    course::todo("step 6: path_of");
}

}  // namespace lab
