#include "http/routing/path_segments.hpp"
#include "http/routing/route_tree.hpp"

#include <eddy/detail/assert.hpp>
#include <eddy/http/routing/router.hpp>
#include <eddy/http/server/request_error.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <system_error>

namespace eddy::http {

struct router::impl {
    detail::route_tree tree;
    std::vector<std::unique_ptr<http::route>> routes;
    std::vector<router*> mounted;  // patterns of those begin with a prefix of this one
    std::vector<std::string> mounted_at;
    std::string prefix;
};

/// What the router's own middleware leads to.
class router::dispatcher final : public request_handler {
public:
    explicit dispatcher(router& owner) noexcept : owner_(owner) {}
    [[nodiscard]] ready_or_task<> handle(exchange& ex) override { return owner_.dispatch(ex); }

private:
    router& owner_;
};

/// The innermost handler behind a route's middleware: turns exceptions of the route's handler into responses
/// before the middleware sees them.
class router::guard final : public request_handler {
public:
    guard(router& owner, request_handler& guarded) noexcept : owner_(owner), guarded_(guarded) {}
    [[nodiscard]] ready_or_task<> handle(exchange& ex) override { return owner_.call(ex, guarded_); }

private:
    router& owner_;
    request_handler& guarded_;
};

router::router()
    : impl_(std::make_unique<impl>()),
      dispatcher_(std::make_unique<dispatcher>(*this)),
      chain_(*dispatcher_) {}

router::~router() = default;

// ---- adding routes ----

http::route& router::add(std::string_view method_name, std::string_view pattern,
                         std::unique_ptr<request_handler> handler) {
    if (!method_name.empty() && !is_token(method_name))
        throw std::invalid_argument("route " + std::string(pattern) + ": the method is no token");
    const detail::route_pattern parsed(pattern);
    return keep(std::make_unique<http::route>(std::string(method_name), std::string(pattern), parsed.names(),
                                              std::move(handler)),
                pattern);
}

http::route& router::mount(std::string_view prefix, request_handler& handler) {
    std::string_view shown = prefix;
    while (prefix.ends_with('/'))
        prefix.remove_suffix(1);
    if (!prefix.empty() && (!prefix.starts_with('/') || prefix.find("...}") != std::string_view::npos))
        throw std::invalid_argument("mount " + std::string(shown) + ": a prefix begins with a slash");
    const std::string below = std::string(prefix) + "/{rest...}";
    const detail::route_pattern parsed(below);
    http::route& added =
        keep(std::make_unique<http::route>(std::string(below), parsed.names(), handler), below);
    if (auto* const inner = dynamic_cast<router*>(&handler)) {
        impl_->mounted.push_back(inner);
        impl_->mounted_at.emplace_back(prefix);
        inner->note_prefix(impl_->prefix + std::string(prefix));
    }
    return added;
}

http::route& router::mount(std::string_view prefix, std::unique_ptr<request_handler> handler) {
    http::route& added = mount(prefix, *handler);
    added.owned_ = std::move(handler);
    return added;
}

http::route& router::keep(std::unique_ptr<http::route> made, std::string_view added_pattern) {
    const auto number = static_cast<std::uint32_t>(impl_->routes.size());
    made->full_pattern_ = impl_->prefix + made->pattern_;
    try {
        impl_->tree.add(detail::route_pattern(added_pattern), made->method_name_, number);
    } catch (const detail::route_tree::conflict_error& conflict) {
        const auto shown = [](const http::route& each) {
            return (each.method_name_.empty() ? "any method" : each.method_name_) + " " + each.pattern_;
        };
        throw std::invalid_argument("route " + shown(*made) + " conflicts with " +
                                    shown(*impl_->routes[conflict.route]));
    }
    made->guard_ = std::make_unique<guard>(*this, made->handler_);
    made->chain_.lead_to(*made->guard_);
    return *impl_->routes.emplace_back(std::move(made));
}

void router::note_prefix(std::string_view prefix) {
    impl_->prefix = prefix;
    for (const auto& each : impl_->routes)
        each->full_pattern_ = impl_->prefix + each->pattern_;
    for (std::size_t index = 0; index < impl_->mounted.size(); ++index)
        impl_->mounted[index]->note_prefix(impl_->prefix + impl_->mounted_at[index]);
}

// ---- answering ----

namespace {

std::string joined(const std::vector<const detail::route_methods*>& allowed) {
    std::vector<std::string_view> names;
    for (const detail::route_methods* const each : allowed)
        each->add_names(names);
    std::string text;
    for (const std::string_view name : names)
        text.append(text.empty() ? "" : ", ").append(name);
    return text;
}

// The path with a slash at its end, or without the one that it has.
std::string with_other_slash(request_head request) {
    std::string location(request.path());
    if (location.ends_with('/'))
        location.pop_back();
    else
        location += '/';
    // Two slashes in front would name another host.
    location.erase(0, std::min(location.find_first_not_of('/'), location.size()));
    location.insert(0, "/");
    if (!request.query().empty())
        location.append("?").append(request.query());
    return location;
}

ready_or_task<> respond_allowed(exchange& ex, status code, const std::string& allowed) {
    response answered = code == status::no_content ? response(code) : response::plain(code);
    answered.header("Allow", allowed);
    return response::send(ex, std::move(answered));
}

void add_parameters(exchange& ex, const detail::path_segments& segments,
                    const detail::route_tree::match& found, const std::vector<std::string>& names) {
    path_parameters& parameters = ex.parameters();
    const auto all = segments.all();
    for (std::size_t index = 0; index < found.parameter_count; ++index) {
        const std::string_view value = all[found.parameters[index]];
        if (segments.has_escapes())
            parameters.add(names[index], std::string(value));
        else
            parameters.add(names[index], value);
    }
    if (!found.has_rest)
        return;
    if (segments.has_escapes())
        parameters.add(names.back(), segments.decoded_from(found.rest_from));
    else
        parameters.add(names.back(), segments.sent_from(found.rest_from));
}

}  // namespace

namespace {

// False if the client announces more.
bool limit_body(exchange& ex, std::uint64_t bytes_max) {
    const body_framing framing = ex.request().framing();
    if (framing.kind() == body_kind::length && framing.length() > bytes_max)
        return false;
    if (framing.kind() != body_kind::none)
        ex.body().limit(bytes_max);
    return true;
}

}  // namespace

/// Looks for the route of a request.
class router::found_route {
public:
    found_route(const impl& routes, method requested, std::string_view method_name) noexcept
        : routes_(routes), method_(requested), method_name_(method_name) {}

    [[nodiscard]] bool find(std::span<const std::string_view> segments) {
        return routes_.tree.find(segments, method_, method_name_, match, nullptr);
    }
    /// The methods that a path has routes for.
    [[nodiscard]] std::vector<const detail::route_methods*> allowed(
        std::span<const std::string_view> segments) {
        std::vector<const detail::route_methods*> all;
        static_cast<void>(routes_.tree.find(segments, method_, method_name_, match, &all));
        return all;
    }
    /// Whether the path has routes, for any method, if its slash at the end were there or not there.
    [[nodiscard]] bool has_other_slash(std::span<const std::string_view> segments) {
        std::vector<std::string_view> other(segments.begin(), segments.end());
        if (!other.back().empty())
            other.emplace_back();
        else if (other.size() > 1)
            other.pop_back();
        else
            return false;
        detail::route_tree::match ignored;
        std::vector<const detail::route_methods*> all;
        return routes_.tree.find(other, method_, method_name_, ignored, &all) || !all.empty();
    }

    detail::route_tree::match match;

private:
    const impl& routes_;
    method method_;
    std::string_view method_name_;
};

ready_or_task<> router::handle(exchange& ex) {
    if (chain_.empty()) [[likely]]
        return dispatch(ex);
    return chain_.handle(ex);
}

ready_or_task<> router::dispatch(exchange& ex) {
    const request_head request = ex.request();
    const bool has_path = !request.path().empty();
    if (!has_path && request.method() == method::options)
        return respond_allowed(ex, status::no_content, joined(impl_->tree.all_methods()));
    if (!has_path)
        return response::send(ex, response::plain(status::not_implemented));

    const std::string_view path = ex.path();
    const std::uint32_t literal = impl_->tree.find_literal(path, request.method(), request.method_name());
    if (literal != detail::route_methods::none) [[likely]]
        return call(ex, *impl_->routes[literal]);
    return dispatch_by_segments(ex, path);
}

ready_or_task<> router::dispatch_by_segments(exchange& ex, std::string_view path) {
    const request_head request = ex.request();
    detail::path_segments segments;
    using validity = detail::path_segments::validity;
    if (const validity split = segments.split(path); split != validity::valid) [[unlikely]]
        return response::send(
            ex, response::plain(split == validity::too_many ? status::uri_too_long : status::bad_request));

    found_route found(*impl_, request.method(), request.method_name());
    if (!found.find(segments.all())) [[unlikely]]
        return respond_missing(ex, segments.all());

    http::route& taken = *impl_->routes[found.match.route];
    if (taken.is_mount_) {
        found.match.has_rest = false;
        ex.strip_prefix(segments.offset(found.match.rest_from) - 1);
    }
    if (!taken.names_.empty())
        add_parameters(ex, segments, found.match, taken.names_);
    return call(ex, taken);
}

ready_or_task<> router::call(exchange& ex, http::route& taken) {
    ex.set_route(taken.full_pattern_);
    if (taken.body_bytes_max_ && !limit_body(ex, *taken.body_bytes_max_)) [[unlikely]]
        return response::send(ex, response::plain(status::content_too_large));
    if (taken.chain_.empty()) [[likely]]
        return call(ex, taken.handler_);
    return call(ex, taken.chain_);  // middleware may throw, too
}

ready_or_task<> router::respond_missing(exchange& ex, std::span<const std::string_view> segments) {
    const request_head request = ex.request();
    found_route found(*impl_, request.method(), request.method_name());
    if (const auto methods = found.allowed(segments); !methods.empty()) {
        const std::string allowed = joined(methods);
        if (request.method() == method::options)
            return respond_allowed(ex, status::no_content, allowed);
        return respond_allowed(
            ex, request.method() == method::other ? status::not_implemented : status::method_not_allowed,
            allowed);
    }
    if (slashes_ == trailing_slash::redirect && found.has_other_slash(segments))
        return response::send(ex, response::redirect(with_other_slash(request), status::permanent_redirect));
    if (not_found_)
        return call(ex, *not_found_);
    return response::send(ex, response::plain(status::not_found));
}

ready_or_task<> router::call(exchange& ex, request_handler& handler) {
    try {
        ready_or_task<> rest = handler.handle(ex);
        if (rest.is_done()) [[likely]]
            return {};
        return finish(ex, std::move(rest));
    } catch (...) {
        return respond_with_error(ex, std::current_exception());
    }
}

task<> router::finish(exchange& ex, ready_or_task<> rest) {
    std::exception_ptr error;
    try {
        co_await std::move(rest);
    } catch (...) {
        error = std::current_exception();
    }
    if (error)
        co_await respond_with_error(ex, error);
}

ready_or_task<> router::respond_with_error(exchange& ex, const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const request_error& refused) {
        if (ex.has_responded())
            throw;
        return response::send(ex, response::plain(refused.status(), refused.what()));
    } catch (...) {
        if (on_error_)
            on_error_(ex, error);
        ex.report_failure(error, static_cast<bool>(on_error_));
        if (ex.has_responded())
            throw;
        return response::send(ex, response::plain(status::internal_server_error));
    }
}

}  // namespace eddy::http
