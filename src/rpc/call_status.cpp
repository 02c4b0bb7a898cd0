#include "rpc/call_status.hpp"

#include "rpc/wire_metadata.hpp"

#include <eddy/http/message/http_error.hpp>

#include <charconv>
#include <string>

namespace eddy::rpc {

status_code code_from_http(http::status code) noexcept {
    switch (http::to_number(code)) {
        case 400:
            return status_code::internal;
        case 401:
            return status_code::unauthenticated;
        case 403:
            return status_code::permission_denied;
        case 404:
            return status_code::unimplemented;
        case 429:
        case 502:
        case 503:
        case 504:
            return status_code::unavailable;
        default:
            return status_code::unknown;
    }
}

status_code code_from_reset(std::uint32_t reset_code) noexcept {
    switch (reset_code) {
        case 0x7:  // REFUSED_STREAM
            return status_code::unavailable;
        case 0x8:  // CANCEL
            return status_code::cancelled;
        case 0xb:  // ENHANCE_YOUR_CALM
            return status_code::resource_exhausted;
        case 0xc:  // INADEQUATE_SECURITY
            return status_code::permission_denied;
        default:
            return status_code::internal;
    }
}

status status_from(const std::system_error& failure) {
    if (const auto* const reset = dynamic_cast<const http::stream_reset_error*>(&failure))
        return status(code_from_reset(reset->reset_code()), failure.what());
    const std::error_code code = failure.code();
    if (code == http::http_error::malformed_response || code == http::http_error::invalid_request)
        return status(status_code::internal, failure.what());
    if (code == http::http_error::head_too_large || code == http::http_error::body_too_large)
        return status(status_code::resource_exhausted, failure.what());
    return status(status_code::unavailable, failure.what());
}

void status_fields::add(std::string_view name, std::string_view value) {
    if (name == "grpc-status") {
        unsigned number = 0;
        const char* const end = value.data() + value.size();
        const auto parsed = std::from_chars(value.data(), end, number);
        const bool is_known = parsed.ec == std::errc() && parsed.ptr == end && number <= 16;
        code_ = is_known ? static_cast<status_code>(number) : status_code::unknown;
        has_status_ = true;
    } else if (name == "grpc-message") {
        message_ = decode_message(value);
    } else if (name == "grpc-status-details-bin") {
        if (auto bytes = decode_binary(value))
            details_ = std::move(*bytes);
    }
}

}  // namespace eddy::rpc
