#include <eddy/http/method.hpp>
#include <eddy/http/response.hpp>
#include <eddy/http/server.hpp>
#include <eddy/http/server_metrics.hpp>

#include <chrono>
#include <string>
#include <utility>

namespace eddy::http {

namespace {

// Of what was dropped before it was answered.
constexpr unsigned client_closed_request = 499;

std::string method_label(method asked) {
    return asked == method::other ? "other" : std::string(to_string(asked));
}

std::string route_label(std::string_view route) {
    return route.empty() ? "none" : std::string(route);
}

}  // namespace

server_metrics::server_metrics(std::shared_ptr<metrics_registry> registry)
    : registry_(std::move(registry)),
      in_flight_(registry_->make_gauge("http_requests_in_flight", "Requests that are being answered.")),
      body_bytes_(registry_->make_counter("http_response_body_bytes_total", "Bytes of answers' bodies.")),
      connections_(registry_->make_gauge("http_connections", "Connections that are open.")),
      accepted_(
          registry_->make_counter("http_connections_accepted_total", "Connections that were accepted.")),
      received_(registry_->make_counter("http_received_bytes_total", "Bytes received.")),
      sent_(registry_->make_counter("http_sent_bytes_total", "Bytes sent.")) {}

/// A request that is being answered. Counted when it goes, also if it is dropped.
class server_metrics::visit {
public:
    visit(server_metrics& owner, exchange& asked) : owner_(owner), asked_(asked) { owner_.in_flight_.add(1); }
    visit(const visit&) = delete;
    visit& operator=(const visit&) = delete;
    ~visit() {
        owner_.in_flight_.add(-1);
        try {
            owner_.count(asked_, is_over_ ? to_number(asked_.answered_status()) : client_closed_request);
        } catch (const std::exception&) {
            // Memory is out: a request is not counted.
        }
    }
    void end() noexcept { is_over_ = true; }

private:
    server_metrics& owner_;
    exchange& asked_;
    bool is_over_ = false;
};

prompt_task<> server_metrics::handle(exchange& asked, request_handler& next) {
    prompt_task<> rest = next.handle(asked);
    if (!rest.is_done())
        return finish(asked, std::move(rest));
    count(asked, to_number(asked.answered_status()));
    return {};
}

task<> server_metrics::finish(exchange& asked, prompt_task<> rest) {
    visit here(*this, asked);
    try {
        co_await std::move(rest);
    } catch (...) {
        here.end();
        throw;
    }
    here.end();
}

void server_metrics::count(exchange& asked, unsigned status_code) {
    const method by = asked.request().method();
    const auto method_number = static_cast<std::uint8_t>(by);
    const char* const place = asked.route().data();
    const time_point now = clock::now();

    const auto counter_key = std::tuple(place, method_number, status_code);
    auto counter = requests_.find(counter_key);
    if (counter == requests_.end())
        counter = requests_
                      .emplace(counter_key,
                               registry_->make_counter("http_requests_total", "Requests that were answered.",
                                                       {{"route", route_label(asked.route())},
                                                        {"method", method_label(by)},
                                                        {"status", std::to_string(status_code)}}))
                      .first;
    ++counter->second;

    const route_key seconds_key(place, method_number);
    auto seconds = seconds_.find(seconds_key);
    if (seconds == seconds_.end())
        seconds = seconds_
                      .emplace(seconds_key,
                               registry_->make_histogram(
                                   "http_request_duration_seconds", "From a request's head to its end.",
                                   metrics_registry::latency_bounds(),
                                   {{"route", route_label(asked.route())}, {"method", method_label(by)}}))
                      .first;
    seconds->second.observe(std::chrono::duration<double>(now - asked.began_at()).count());
    body_bytes_.add(asked.body_bytes());
    if (watched_ != nullptr && now - looked_at_ > std::chrono::seconds(1))
        look_at_server(now);
}

void server_metrics::look_at_server(time_point now) {
    looked_at_ = now;
    const server_statistics seen = watched_->statistics();
    connections_.set(static_cast<double>(seen.connections));
    accepted_.add(seen.connections_accepted - std::exchange(accepted_seen_, seen.connections_accepted));
    received_.add(seen.bytes_received - std::exchange(received_seen_, seen.bytes_received));
    sent_.add(seen.bytes_sent - std::exchange(sent_seen_, seen.bytes_sent));
}

prompt_task<> metrics_page::handle(exchange& asked) {
    return response::send(asked, response::with(registry_->text(), metrics_registry::content_type)
                                     .header("Cache-Control", "no-store"));
}

}  // namespace eddy::http
