#include "httpd/site.hpp"

#include <eddy/fs/directory.hpp>
#include <eddy/http/message/status.hpp>

#include <array>

namespace eddy::apps {

namespace {

// Keeps the site until the request has been answered.
task<> finish(std::shared_ptr<site> kept, ready_or_task<> rest) {
    static_cast<void>(kept);
    co_await std::move(rest);
}

// The host of an authority, without its port.
std::string_view host_of(std::string_view authority) noexcept {
    const auto colon = authority.rfind(':');
    const bool has_port =
        colon != std::string_view::npos && authority.find(']', colon) == std::string_view::npos;
    return has_port ? authority.substr(0, colon) : authority;
}

}  // namespace

site::site(const httpd_options& options) : files_(directory::open(options.root), options.files()) {}

bool site::is_page(std::string_view path) const noexcept {
    for (const std::string& page : pages_)
        if (path.starts_with(page) && (path.size() == page.size() || path[page.size()] == '/'))
            return true;
    return false;
}

ready_or_task<> current_site::handle(http::exchange& ex) {
    ready_or_task<> rest = now_->handle(ex);
    if (rest.is_done()) [[likely]]
        return rest;
    return finish(now_, std::move(rest));
}

ready_or_task<> https_redirection::handle(http::exchange& ex) {
    return redirect(ex);
}

task<> https_redirection::redirect(http::exchange& ex) const {
    constexpr std::uint16_t usual_port = 443;
    const auto request = ex.request();
    if (request.target() == "*") {
        // About the server, not about a place that is elsewhere by HTTPS (RFC 9110 section 9.3.7).
        const std::array<http::response_field, 1> fields = {
            http::response_field("Allow", "GET, HEAD, OPTIONS")};
        co_return co_await ex.respond(http::status::no_content, fields, {});
    }
    const std::string_view host = host_of(request.authority());
    if (host.empty() || request.method() == http::method::connect)
        co_return co_await ex.respond(http::status::bad_request, {}, {});
    std::string location = "https://" + std::string(host);
    if (port_ != usual_port)
        location += ":" + std::to_string(port_);
    // Of an absolute form the path may be empty (RFC 9112 section 3.2.2).
    location += request.path().empty() ? "/" : request.path();
    if (!request.query().empty())
        location.append("?").append(request.query());
    const std::array<http::response_field, 1> fields = {http::response_field("Location", location)};
    co_await ex.respond(http::status::permanent_redirect, fields, {});
}

}  // namespace eddy::apps
