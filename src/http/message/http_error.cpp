#include <eddy/http/message/http_error.hpp>

#include <string>

namespace eddy::http {
namespace {

const char* message_of(http_error error) noexcept {
    switch (error) {
        case http_error::malformed_url:
            return "malformed URL";
        case http_error::unsupported_scheme:
            return "unsupported URL scheme";
        case http_error::invalid_request:
            return "the request holds what HTTP does not allow";
        case http_error::pool_timed_out:
            return "no connection came free in time";
        case http_error::connect_timed_out:
            return "no connection came about in time";
        case http_error::first_byte_timed_out:
            return "the response did not begin in time";
        case http_error::idle_timed_out:
            return "the connection was idle for too long";
        case http_error::total_timed_out:
            return "the exchange took too long";
        case http_error::connection_closed:
            return "the connection ended before the response";
        case http_error::truncated:
            return "the connection ended within the response";
        case http_error::malformed_response:
            return "malformed response";
        case http_error::head_too_large:
            return "the head of the response is over the limit";
        case http_error::body_too_large:
            return "the body of the response is over the limit";
        case http_error::malformed_content:
            return "the content coding of the response is malformed";
        case http_error::too_many_redirects:
            return "too many redirects";
        case http_error::redirect_refused:
            return "redirect refused";
        case http_error::body_not_replayable:
            return "the body of the request cannot be sent again";
        case http_error::body_size_wrong:
            return "the body of the request is not as long as announced";
        case http_error::proxy_refused:
            return "the proxy refused the tunnel";
        case http_error::upgrade_refused:
            return "the upgrade was refused";
        case http_error::stream_reset:
            return "the server has reset the stream";
    }
    return "unknown HTTP error";
}

class http_error_category final : public std::error_category {
public:
    [[nodiscard]] const char* name() const noexcept override { return "http"; }
    [[nodiscard]] std::string message(int value) const override {
        return message_of(static_cast<http_error>(value));
    }
    [[nodiscard]] std::error_condition default_error_condition(int value) const noexcept override {
        switch (static_cast<http_error>(value)) {
            case http_error::pool_timed_out:
            case http_error::connect_timed_out:
            case http_error::first_byte_timed_out:
            case http_error::idle_timed_out:
            case http_error::total_timed_out:
                return std::errc::timed_out;
            default:
                return {value, *this};
        }
    }
};

}  // namespace

const std::error_category& http_category() noexcept {
    static const http_error_category the_category;
    return the_category;
}

}  // namespace eddy::http
