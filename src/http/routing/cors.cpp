#include <eddy/http/routing/cors.hpp>
#include <eddy/http/server/response.hpp>

#include <algorithm>
#include <stdexcept>

namespace eddy::http {

cors::cors(cors_options options) : options_(std::move(options)) {
    if (options_.any_origin_ && options_.credentials_)
        throw std::invalid_argument("any origin with credentials: name the origins, or give a predicate");
}

bool cors::allows(std::string_view origin) const {
    return options_.any_origin_ || std::ranges::find(options_.origins_, origin) != options_.origins_.end() ||
           (options_.predicate_ && options_.predicate_(origin));
}

ready_or_task<> cors::handle(exchange& ex, request_handler& next) {
    const request_head request = ex.request();
    const auto origin = request.only(field::origin);
    const bool is_allowed = origin && allows(*origin);
    if (!options_.any_origin_)
        ex.add_field("Vary", "Origin");
    if (is_allowed) {
        ex.add_field("Access-Control-Allow-Origin", options_.any_origin_ ? std::string_view("*") : *origin);
        if (options_.credentials_)
            ex.add_field("Access-Control-Allow-Credentials", "true");
    }
    const bool is_preflight =
        origin && request.method() == method::options && request.find("access-control-request-method");
    if (!is_preflight) {
        if (is_allowed && !options_.exposed_.empty())
            ex.add_field("Access-Control-Expose-Headers", options_.exposed_);
        return next.handle(ex);
    }
    // An origin that is not allowed gets no fields, which is how the browser knows.
    response answered(status::no_content);
    if (is_allowed)
        answered.header("Access-Control-Allow-Methods", options_.methods_)
            .header("Access-Control-Allow-Headers", options_.headers_)
            .header("Access-Control-Max-Age", std::to_string(options_.max_age_.count()));
    return response::send(ex, std::move(answered));
}

}  // namespace eddy::http
