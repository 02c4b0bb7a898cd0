#include "http/routing/client_closed_request.hpp"

#include <eddy/http/message/method.hpp>
#include <eddy/http/routing/server_metrics.hpp>
#include <eddy/http/server/response.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/runtime/worker.hpp>

#include <array>
#include <chrono>
#include <string>
#include <utility>

namespace eddy::http {

namespace {

struct server_counter {
    const char* name;
    const char* help;
    std::uint64_t server_statistics::* of;
};
constexpr std::array<server_counter, 8> server_counters = {{
    {"http_connections_accepted_total", "Connections that were accepted.",
     &server_statistics::connections_accepted},
    {"http_received_bytes_total", "Bytes received.", &server_statistics::bytes_received},
    {"http_sent_bytes_total", "Bytes sent.", &server_statistics::bytes_sent},
    {"http2_connections_total", "Connections that began with HTTP/2.", &server_statistics::http2_connections},
    {"http2_streams_total", "Requests that began over HTTP/2.", &server_statistics::http2_streams},
    {"http2_streams_reset_total", "Requests over HTTP/2 that clients took back.",
     &server_statistics::http2_streams_reset},
    {"http2_limits_exceeded_total", "Connections and streams of HTTP/2 that were ended for a limit.",
     &server_statistics::http2_limits_exceeded},
    {"http2_goaways_total", "GOAWAY frames sent.", &server_statistics::http2_goaways},
}};

std::string method_label(method requested) {
    return requested == method::other ? "other" : std::string(to_string(requested));
}

std::string route_label(std::string_view route) {
    return route.empty() ? "none" : std::string(route);
}

}  // namespace

server_metrics::server_metrics(std::shared_ptr<metrics_registry> registry)
    : registry_(std::move(registry)),
      in_flight_(registry_->make_gauge("http_requests_in_flight", "Requests that are being answered.")),
      body_bytes_(registry_->make_counter("http_response_body_bytes_total", "Bytes of responses' bodies.")),
      connections_(registry_->make_gauge("http_connections", "Connections that are open.")) {
    for (const server_counter& each : server_counters)
        of_server_.emplace_back(registry_->make_counter(each.name, each.help), 0);
}

/// A request that is being answered. Counted when it goes, also if it is dropped.
class server_metrics::visit {
public:
    visit(server_metrics& owner, exchange& ex) : owner_(owner), requested_(ex) { owner_.in_flight_.add(1); }
    visit(const visit&) = delete;
    visit& operator=(const visit&) = delete;
    ~visit() {
        owner_.in_flight_.add(-1);
        try {
            owner_.count(requested_,
                         is_over_ ? to_number(requested_.response_status()) : client_closed_request);
        } catch (const std::exception&) {
            // Memory is out: a request is not counted.
        }
    }
    void end() noexcept { is_over_ = true; }

private:
    server_metrics& owner_;
    exchange& requested_;
    bool is_over_ = false;
};

ready_or_task<> server_metrics::handle(exchange& ex, request_handler& next) {
    ready_or_task<> rest = next.handle(ex);
    if (!rest.is_done())
        return finish(ex, std::move(rest));
    count(ex, to_number(ex.response_status()));
    return {};
}

task<> server_metrics::finish(exchange& ex, ready_or_task<> rest) {
    visit here(*this, ex);
    try {
        co_await std::move(rest);
    } catch (...) {
        here.end();
        throw;
    }
    here.end();
}

void server_metrics::count(exchange& ex, unsigned status_code) {
    const method by = ex.request().method();
    const auto method_number = static_cast<std::uint8_t>(by);
    const char* const route = ex.route().data();
    const time_point now = worker::current().now();

    const auto counter_key = std::tuple(route, method_number, status_code);
    auto counter = requests_.find(counter_key);
    if (counter == requests_.end())
        counter = requests_
                      .emplace(counter_key,
                               registry_->make_counter("http_requests_total", "Requests that were answered.",
                                                       {{"route", route_label(ex.route())},
                                                        {"method", method_label(by)},
                                                        {"status", std::to_string(status_code)}}))
                      .first;
    ++counter->second;

    const route_key seconds_key(route, method_number);
    auto seconds = seconds_.find(seconds_key);
    if (seconds == seconds_.end())
        seconds = seconds_
                      .emplace(seconds_key,
                               registry_->make_histogram(
                                   "http_request_duration_seconds", "From a request's head to its end.",
                                   metrics_registry::latency_bounds(),
                                   {{"route", route_label(ex.route())}, {"method", method_label(by)}}))
                      .first;
    seconds->second.observe(std::chrono::duration<double>(now - ex.began_at()).count());
    body_bytes_.add(ex.body_bytes());
    if (watched_ != nullptr && now - looked_at_ > std::chrono::seconds(1))
        look_at_server(now);
}

void server_metrics::look_at_server(time_point now) {
    looked_at_ = now;
    const server_statistics seen = watched_->statistics();
    connections_.set(static_cast<double>(seen.connections));
    for (std::size_t at = 0; at < server_counters.size(); ++at) {
        const std::uint64_t count = seen.*server_counters[at].of;
        of_server_[at].first.add(count - std::exchange(of_server_[at].second, count));
    }
}

ready_or_task<> metrics_page::handle(exchange& ex) {
    return response::send(ex, response::with(registry_->text(), metrics_registry::content_type)
                                  .header("Cache-Control", "no-store"));
}

}  // namespace eddy::http
