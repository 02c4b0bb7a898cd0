#include <eddy/http/routing/security_headers.hpp>

namespace eddy::http {

ready_or_task<> security_headers::handle(exchange& ex, request_handler& next) {
    const auto add = [&ex](std::string_view name, const std::string& value) {
        if (!value.empty())
            ex.add_field(name, value);
    };
    ex.add_field("X-Content-Type-Options", "nosniff");
    add("X-Frame-Options", frame_options_);
    add("Referrer-Policy", referrer_policy_);
    add("Content-Security-Policy", content_security_policy_);
    if (!strict_transport_.empty() && ex.connection().tls() != nullptr)
        add("Strict-Transport-Security", strict_transport_);
    return next.handle(ex);
}

}  // namespace eddy::http
