#include "service.hpp"

#include "log.hpp"
#include "page.hpp"
#include "problem.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/http/http2.hpp>
#include <eddy/http/message/limits.hpp>
#include <eddy/http/routing/access_log.hpp>
#include <eddy/http/routing/json.hpp>
#include <eddy/http/routing/request_id.hpp>
#include <eddy/http/routing/request_timeout.hpp>
#include <eddy/http/routing/security_headers.hpp>
#include <eddy/http/server/server_options.hpp>
#include <eddy/net/tcp_listener.hpp>

#include <chrono>
#include <exception>
#include <system_error>
#include <utility>

namespace todo {

namespace {

namespace http = eddy::http;
using namespace std::chrono_literals;

// How long the last changes may take to reach other nodes.
constexpr auto farewell_limit = 1s;

void log_failure(const http::exchange& ex, const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const std::exception& error) {
        log_line(std::string(ex.route()) + ": " + error.what());
    } catch (...) {
        log_line(std::string(ex.route()) + ": an unknown exception");
    }
}

}  // namespace

service::service(opened_store kept, const std::optional<eddy::redis::options>& redis, bool logs_requests)
    : registry_(std::make_shared<http::metrics_registry>()),
      requests_(std::make_shared<http::server_metrics>(registry_)),
      kept_(std::move(kept)),
      measured_(*kept_.items, *registry_, kept_.kind),
      feed_(*registry_),
      announced_(redis ? use_redis(*redis) : measured_, [this](const item_event& made) { announce(made); }),
      api_(announced_) {
    for (const auto each : {item_event::kind::added, item_event::kind::changed, item_event::kind::removed})
        changes_.emplace(each, registry_->make_counter("todo_changes_total", "Changes made through this node",
                                                       {{"event", std::string(name_of(each))}}));
    add_routes(logs_requests);
}

store& service::use_redis(const eddy::redis::options& server) {
    cache_.emplace(server, *registry_);
    link_.emplace(server, *registry_, [this](std::string_view message) {
        if (message.empty())
            feed_.tell_reset();
        else
            feed_.tell(std::string(message));
    });
    return cached_.emplace(measured_, *cache_);
}

void service::announce(const item_event& made) {
    ++changes_.at(made.what);
    std::string message = message_of(made);
    if (link_)
        link_->tell(message);
    feed_.tell(std::move(message));
}

void service::add_routes(bool logs_requests) {
    if (logs_requests)
        routes_.use(http::access_log(log_line));
    routes_.use(requests_);
    routes_.use(http::request_ids());
    routes_.use(http::security_headers().content_security_policy(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"));
    routes_.not_found([] { return problem(http::status::not_found, "there is nothing here"); });
    routes_.on_error([](http::exchange& ex, const std::exception_ptr& error) { log_failure(ex, error); });
    api_.add_to(routes_);
    add_page_to(routes_);
    routes_.get("/feed", [this](http::exchange& ex) { return feed_.serve(ex); });
    routes_.get("/health", [this] { return health(); });
    routes_.add("GET", "/metrics", std::make_unique<http::metrics_page>(registry_));
}

void service::open(eddy::endpoint where, const std::optional<eddy::tls_context>& tls) {
    http::server_options how;
    // What is a little too large is answered by the handlers, in their way.
    how.limits(http::message_limits().body_bytes_max(4 * body_bytes_max)).protocol(http::http2());
    if (tls)
        how.tls(*tls);
    server_.emplace(eddy::tcp_listener::bind(where), routes_, how);
    requests_->watch(*server_);
}

eddy::task<> service::run(eddy::duration drain_limit) {
    eddy::handle<> linking;
    if (link_)
        linking = eddy::spawn(link_->run(), "node link");
    co_await server_->run();
    const std::size_t cut_off = co_await server_->join(drain_limit);
    if (cut_off != 0)
        log_line(std::to_string(cut_off) + " connections were cut off");
    co_await announced_.finish();
    if (link_) {
        link_->close();
        co_await eddy::as_result(eddy::with_timeout(linking, farewell_limit));
    }
}

void service::drain() noexcept {
    is_draining_ = true;
    server_->drain();
    feed_.close();
}

eddy::task<http::response> service::health() {
    bool has_responded = false;
    try {
        co_await eddy::with_timeout(measured_.check(), 2s);
        has_responded = true;
    } catch (const store_unavailable&) {
        // It reports that itself.
    } catch (const std::system_error&) {
        // It takes too long.
    }
    const bool is_ready = has_responded && !is_draining_;
    nlohmann::json reported = {{"status", is_ready       ? "ready"
                                          : is_draining_ ? "draining"
                                                         : "not ready"},
                               {"store", has_responded ? "up" : "down"}};
    if (cache_) {  // without which it is slower, and as right
        reported["cache"] = cache_->is_up() ? "up" : "down";
        reported["node_link"] = link_->is_up() ? "up" : "down";
    }
    co_return http::json_response(reported)
        .status(is_ready ? http::status::ok : http::status::service_unavailable)
        .header("Cache-Control", "no-store");
}

}  // namespace todo
