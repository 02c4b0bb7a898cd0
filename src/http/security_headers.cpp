#include <eddy/http/security_headers.hpp>

namespace eddy::http {

prompt_task<> security_headers::handle(exchange& asked, request_handler& next) {
    const auto add = [&asked](std::string_view name, const std::string& value) {
        if (!value.empty())
            asked.add_field(name, value);
    };
    asked.add_field("X-Content-Type-Options", "nosniff");
    add("X-Frame-Options", frame_options_);
    add("Referrer-Policy", referrer_policy_);
    add("Content-Security-Policy", content_security_policy_);
    if (!strict_transport_.empty() && asked.connection().tls() != nullptr)
        add("Strict-Transport-Security", strict_transport_);
    return next.handle(asked);
}

}  // namespace eddy::http
