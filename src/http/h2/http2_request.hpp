#pragma once

#include "http/h2/http2_head.hpp"

#include <eddy/http/message/detail/request_layout.hpp>
#include <eddy/http/message/limits.hpp>
#include <eddy/http/message/request_head.hpp>

#include <cstdint>
#include <string_view>

namespace eddy::http {

/// Makes a request_head of the fields of a HEADERS frame (RFC 9113 section 8.3.1), as request_parser does of
/// lines.
///
/// An extended CONNECT for a WebSocket (RFC 8441) becomes the GET that opens one in HTTP/1.1, so handlers see no
/// difference.
class http2_request : public http2_head {
public:
    enum class verdict : std::uint8_t {
        good,
        refused,    ///< to be answered with error()
        malformed,  ///< a stream error
    };

    http2_request() noexcept {}

    /// Throws std::bad_alloc.
    void add(std::string_view name, std::string_view value, const message_limits& limits);
    /// All fields are there. `is_ended`: there is no body. Throws std::bad_alloc.
    [[nodiscard]] verdict finish(bool is_ended, const message_limits& limits);

    /// Requires: finish() has returned that it is good or refused.
    [[nodiscard]] request_head head() const noexcept { return {layout_, text().data()}; }
    /// Whether the bytes of the stream are a tunnel once the request is granted.
    [[nodiscard]] bool is_connect() const noexcept { return is_connect_; }
    /// Whether it is an extended CONNECT.
    [[nodiscard]] bool has_protocol() const noexcept { return protocol_.size != 0; }

    /// Ready for another request.
    void clear() noexcept;

private:
    void add_pseudo(std::string_view name, std::string_view value);
    [[nodiscard]] bool take_target(const message_limits& limits);
    [[nodiscard]] bool take_authority(const message_limits& limits);
    void take_body(bool is_ended, const message_limits& limits) noexcept;
    void join_cookies();

    request_layout layout_;
    text_range protocol_{};
    bool is_connect_ = false;
};

}  // namespace eddy::http
