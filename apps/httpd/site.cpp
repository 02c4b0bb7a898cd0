#include "httpd/site.hpp"

#include <eddy/fs/folder.hpp>
#include <eddy/http/status.hpp>

#include <array>

namespace eddy::apps {

namespace {

// Keeps the site until the request has been answered.
task<> finish(std::shared_ptr<site> kept, prompt_task<> rest) {
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

site::site(const httpd_options& options) : files_(folder::open(options.root), options.files()) {}

bool site::is_page(std::string_view path) const noexcept {
    for (const std::string& page : pages_)
        if (path.starts_with(page) && (path.size() == page.size() || path[page.size()] == '/'))
            return true;
    return false;
}

prompt_task<> current_site::handle(http::exchange& asked) {
    prompt_task<> rest = now_->handle(asked);
    if (rest.is_done()) [[likely]]
        return rest;
    return finish(now_, std::move(rest));
}

prompt_task<> https_redirection::handle(http::exchange& asked) {
    return redirect(asked);
}

task<> https_redirection::redirect(http::exchange& asked) const {
    constexpr std::uint16_t usual_port = 443;
    const auto request = asked.request();
    const std::string_view host = host_of(request.authority());
    const bool is_path = request.target().starts_with('/');
    if (host.empty() || !is_path)
        co_return co_await asked.answer(http::status::bad_request, {}, {});
    std::string location = "https://" + std::string(host);
    if (port_ != usual_port)
        location += ":" + std::to_string(port_);
    location += request.target();
    const std::array<http::answer_field, 1> fields = {http::answer_field("Location", location)};
    co_await asked.answer(http::status::permanent_redirect, fields, {});
}

}  // namespace eddy::apps
