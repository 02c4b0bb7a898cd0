#include "http/message/characters.hpp"

#include <eddy/http/routing/extract.hpp>

namespace eddy::http {

namespace detail {

void refuse_value(status code, std::string_view where, std::string_view name, bool is_missing) {
    std::string reason(where);
    reason.append(" \"").append(name).append(is_missing ? "\" is missing" : "\" is malformed");
    throw request_error(code, reason);
}

form_fields parse_query(request_head request) {
    auto parsed = form_fields::parse(request.query());
    if (!parsed)
        throw request_error(status::bad_request, std::string(parsed.error().reason()));
    return std::move(*parsed);
}

}  // namespace detail

bool has_media_type(request_head request, std::string_view type) noexcept {
    const std::string_view sent = request.only(field::content_type).value_or(std::string_view());
    return equal_ignoring_case(trim(sent.substr(0, sent.find(';'))), type);
}

task<form> read_form(exchange& ex, form_limits limits) {
    if (!has_media_type(ex.request(), "application/x-www-form-urlencoded"))
        throw request_error(status::unsupported_media_type, "not application/x-www-form-urlencoded");
    const std::string text = co_await ex.body().read_all(limits.bytes_max());
    auto parsed = form_fields::parse(text, limits);
    if (!parsed)
        throw request_error(parsed.error().status(), std::string(parsed.error().reason()));
    co_return form(std::move(*parsed));
}

task<body_text> extractor<body_text>::from(exchange& ex) {
    std::string text = co_await ex.body().read_all(body_text::bytes_max);
    co_return body_text(std::move(text));
}

}  // namespace eddy::http
