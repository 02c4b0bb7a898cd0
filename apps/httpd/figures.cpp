#include "httpd/figures.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

namespace eddy::apps {

namespace {

void append(std::string& out, std::string_view name, std::string_view type, std::string_view help,
            std::uint64_t value) {
    fmt::format_to(std::back_inserter(out), "# HELP {0} {1}\n# TYPE {0} {2}\n{0} {3}\n", name, help, type,
                   value);
}

}  // namespace

std::string figures_text(const http::server_statistics& all, bool is_draining) {
    std::string text;
    const auto counter = [&](std::string_view name, std::string_view help, std::uint64_t value) {
        append(text, name, "counter", help, value);
    };
    counter("eddy_http_connections_accepted_total", "Connections accepted.", all.connections_accepted);
    counter("eddy_http_connections_refused_total", "Connections refused.", all.connections_refused);
    append(text, "eddy_http_connections", "gauge", "Connections that are open.", all.connections);
    counter("eddy_http_requests_total", "Requests with a valid head.", all.requests);
    counter("eddy_http_refusals_total", "Heads that were malformed, too large or too slow.", all.refusals);
    counter("eddy_http_handler_failures_total", "Requests whose handler failed.", all.handler_failures);
    counter("eddy_http_upgrades_total", "Connections that changed their protocol.", all.upgrades);
    counter("eddy_http_received_bytes_total", "Bytes of plaintext received.", all.bytes_received);
    counter("eddy_http_sent_bytes_total", "Bytes of plaintext sent.", all.bytes_sent);
    counter("eddy_http2_connections_total", "Connections that began with HTTP/2.", all.http2_connections);
    counter("eddy_http2_streams_total", "Requests that began over HTTP/2.", all.http2_streams);
    counter("eddy_http2_streams_reset_total", "Requests over HTTP/2 that clients took back.",
            all.http2_streams_reset);
    counter("eddy_http2_limits_exceeded_total", "Connections and streams of HTTP/2 ended for a limit.",
            all.http2_limits_exceeded);
    counter("eddy_http2_goaways_total", "GOAWAY frames sent.", all.http2_goaways);
    text +=
        "# HELP eddy_http_responses_total Answers by the hundreds of their status.\n"
        "# TYPE eddy_http_responses_total counter\n";
    for (std::size_t hundreds = 1; hundreds < all.answers.size(); ++hundreds)
        fmt::format_to(std::back_inserter(text), "eddy_http_responses_total{{status=\"{}xx\"}} {}\n",
                       hundreds, all.answers[hundreds]);
    append(text, "eddy_http_draining", "gauge", "1 while the server drains.", is_draining ? 1 : 0);
    return text;
}

void add_to(http::server_statistics& sum, const http::server_statistics& one) noexcept {
    sum.connections_accepted += one.connections_accepted;
    sum.connections_refused += one.connections_refused;
    sum.connections += one.connections;
    sum.requests += one.requests;
    sum.refusals += one.refusals;
    sum.upgrades += one.upgrades;
    sum.handler_failures += one.handler_failures;
    sum.http2_connections += one.http2_connections;
    sum.http2_streams += one.http2_streams;
    sum.http2_streams_reset += one.http2_streams_reset;
    sum.http2_limits_exceeded += one.http2_limits_exceeded;
    sum.http2_goaways += one.http2_goaways;
    sum.bytes_received += one.bytes_received;
    sum.bytes_sent += one.bytes_sent;
    for (std::size_t hundreds = 0; hundreds < sum.answers.size(); ++hundreds)
        sum.answers[hundreds] += one.answers[hundreds];
}

}  // namespace eddy::apps
