#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace bench {

// The body length that a reply's header block (status line to empty line, both included) announces, or
// nothing when it is not a well-formed `HTTP/1.1 200` reply with exactly one decimal Content-Length and no
// Transfer-Encoding.
std::optional<std::size_t> parse_reply_header(std::string_view block);

}  // namespace bench
