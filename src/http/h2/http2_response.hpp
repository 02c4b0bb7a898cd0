#pragma once

#include "http/h2/http2_head.hpp"

#include <eddy/http/message/detail/response_layout.hpp>
#include <eddy/http/message/method.hpp>
#include <eddy/http/message/response_head.hpp>

#include <string_view>

namespace eddy::http {

/// Makes a response_head of the fields of a HEADERS frame (RFC 9113 section 8.3.2), as response_parser does of
/// lines.
class http2_response : public http2_head {
public:
    http2_response() noexcept {}

    /// Throws std::bad_alloc.
    void add(std::string_view name, std::string_view value, const message_limits& limits);
    /// All fields are there. `is_ended`: there is no body. False: error() says what is wrong.
    [[nodiscard]] bool finish(method requested, bool is_ended, const message_limits& limits) noexcept;

    [[nodiscard]] http::status status() const noexcept { return layout_.status; }
    /// Requires: finish() has returned true. The same holds for what follows.
    [[nodiscard]] response_head head() const noexcept { return {layout_, text().data()}; }
    [[nodiscard]] std::string_view bytes() const noexcept { return text(); }
    [[nodiscard]] const response_layout& layout() const noexcept { return layout_; }

    /// Ready for another response.
    void clear() noexcept;

private:
    response_layout layout_;
};

}  // namespace eddy::http
