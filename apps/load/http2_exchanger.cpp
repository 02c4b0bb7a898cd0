#include "load/http2_exchanger.hpp"

#if EDDY_LOAD_HTTP2
#include <eddy/http/http2.hpp>
#endif

#include <stdexcept>
#include <utility>

namespace eddy::apps {

namespace {

constexpr int http2_version = 2;

http::client_options options_for(const load_target& target) {
    http::client_options chosen;
    chosen.connections_per_origin_max(1).redirects_max(0).decompress(false).user_agent("eddy-load");
#if EDDY_LOAD_HTTP2
    constexpr std::uint32_t streams_max = 1'000'000;  // past those of any load
    chosen.protocol(http::http2(http::http2_options().prior_knowledge(true).streams_max(streams_max)));
#endif
    if (target.tls())
        chosen.tls(*target.tls());
    return chosen;
}

}  // namespace

http2_connection::http2_connection(const load_target& target)
    : target_(target),
      client_(options_for(target).transport([this](const http::client_target&) { return connect(); })) {}

task<any_stream> http2_connection::connect() {
    any_stream made = co_await target_.connect_without_tls();
    ++made_;
    co_return made;
}

std::uint64_t http2_connection::take_made() noexcept {
    return std::exchange(made_, 0);
}

http2_exchanger::http2_exchanger(const load_target& target, std::shared_ptr<http2_connection> shared)
    : target_(target), shared_(std::move(shared)), request_(target.client_request()) {}

task<> http2_exchanger::exchange(load_result& counted) {
    http::client_response response = co_await shared_->by().send(request_);
    counted.connections_made += shared_->take_made();
    if (response.head().major_version() != http2_version)
        throw std::runtime_error("the server does not speak HTTP/2");
    counted.sent_bytes += target_.request().size();
    for (;;) {
        const auto piece = co_await response.body().read_leased();
        if (piece.empty())
            break;
        counted.received_bytes += piece.size();
    }
    ++counted.statuses[http::to_number(response.status())];
}

}  // namespace eddy::apps
