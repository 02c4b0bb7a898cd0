#include "rpc/subchannel.hpp"

#include "rpc/call_attempt.hpp"
#include "rpc/health_watch.hpp"
#include "rpc/request_head.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/http/client/detail/client_target.hpp>
#include <eddy/http/h2/http2.hpp>
#include <eddy/http/message/url.hpp>
#include <eddy/net/connect.hpp>
#include <eddy/rpc/health.hpp>
#include <eddy/rpc/status.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/worker.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <limits>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace eddy::rpc::detail {
namespace {

// Without the port.
http::client_target target_of(const endpoint& at) {
    std::string host = at.to_string();
    host.erase(host.rfind(':'));
    if (host.starts_with('['))
        host = host.substr(1, host.size() - 2);
    return {std::move(host), at.port()};
}

}  // namespace

subchannel::subchannel(const channel_options& options, std::string origin, std::vector<endpoint> addresses,
                       bool keeps, std::optional<std::string> watched, std::function<void(bool)> on_change)
    : options_(options),
      origin_(std::move(origin)),
      addresses_(std::move(addresses)),
      keeps_(keeps),
      watched_(std::move(watched)),
      on_change_(std::move(on_change)),
      waits_(options_.reconnect_first(), options_.reconnect_most()),
      client_(options_of_client()),
      route_(client_.pool()->route_to(http::url(origin_))) {}

subchannel::~subchannel() = default;

http::client_options subchannel::options_of_client() {
    http::http2_options http2 = options_.http2();
    http2.prior_knowledge(true).streams_max(std::numeric_limits<std::int32_t>::max());
    http::client_options made;
    made.protocol(http::http2(http2))
        .decompress(false)
        .redirects_max(0)
        .keep_idle(duration::max())
        .pool_time(duration::max())
        .connect_time(options_.connect_time())
        .first_byte_time(duration::max())
        .idle_time(duration::max())
        .user_agent(options_.user_agent());
    if (options_.tls())
        made.tls(*options_.tls());
    if (!addresses_.empty())
        made.transport([this](const http::client_target&) { return dial(*this); });
    else if (options_.transport())
        made.transport(options_.transport());
    return made;
}

connectivity subchannel::state() const noexcept {
    // It takes a turn until the task has seen it.
    return state_ == connectivity::ready && !client_.is_connected() ? connectivity::connecting : state_;
}

void subchannel::connect() {
    if (!keeping_ || keeping_.done())
        keeping_ = spawn(keep_connected(), "subchannel");
}

void subchannel::retire() noexcept {
    keeping_.cancel();
    on_change_ = nullptr;
}

task<exchange_pointer> subchannel::send(call_request& request) {
    was_used_ = true;
    http::carrier_handle carrier =
        co_await client_.pool()->acquire(route_, http::client_pool::choice::any, time_point::max());
    auto made = std::make_unique<call_exchange>(client_.pool(), std::move(carrier));
    try {
        co_await made->ask(request, route_.is_secure());
    } catch (...) {
        request.was_refused = made->was_refused();
        throw;
    }
    co_return made;
}

bool subchannel::change_addresses(const std::vector<endpoint>& now) {
    if (std::ranges::is_permutation(now, addresses_))
        return true;
    if (!connected_to_ || state() != connectivity::ready)
        return false;
    const auto kept = std::ranges::find(now, addresses_[*connected_to_]);
    if (kept == now.end())
        return false;
    connected_to_ = static_cast<std::size_t>(kept - now.begin());
    addresses_ = now;
    return true;
}

void subchannel::enter(connectivity now, bool has_failed) {
    state_ = now;
    if (on_change_)
        on_change_(has_failed);
}

task<> subchannel::keep_connected() {
    for (;;) {
        if (not_before_ > worker::current().turn_time())
            co_await sleep_until(not_before_);
        if (state_ != connectivity::failed)
            enter(connectivity::connecting, false);
        const time_point began = worker::current().turn_time();
        was_used_ = false;
        try {
            co_await try_to_connect();
            failure_ = nullptr;
            if (watched_)
                static_cast<void>(co_await race(client_.disconnected(), follow_health()));
            else
                enter(connectivity::ready, false);
            co_await client_.disconnected();
        } catch (...) {
            failure_ = std::current_exception();
        }
        connected_to_.reset();
        if (was_used_)
            waits_.reset();
        not_before_ = was_used_ ? began : eddy::detail::deadline_after(began, waits_.next());
        if (failure_) {
            enter(connectivity::failed, true);
            continue;
        }
        enter(keeps_ ? connectivity::connecting : connectivity::idle, true);
        if (!keeps_)
            co_return;
    }
}

// Ends where the server knows nothing of health: it is taken for healthy then.
task<> subchannel::follow_health() {
    eddy::detail::growing_wait waits(options_.reconnect_first(), options_.reconnect_most());
    for (;;) {
        bool is_known = true;
        try {
            auto statuses = watch_health(*this, begin_head(options_, origin_, health_watch_path), *watched_);
            while (const auto now = co_await statuses.next()) {
                waits.reset();
                if (*now == serving_status::serving) {
                    enter(connectivity::ready, false);
                } else {
                    failure_ =
                        std::make_exception_ptr(std::runtime_error("the server does not serve " + *watched_));
                    enter(connectivity::failed, false);
                }
            }
        } catch (const error& failed) {
            is_known = failed.code() != status_code::unimplemented;
            failure_ = std::current_exception();
        }
        enter(is_known ? connectivity::failed : connectivity::ready, false);
        if (!is_known)
            co_return;
        co_await sleep_for(waits.next());
    }
}

// An address whose TLS fails makes way for the next one.
task<> subchannel::try_to_connect() {
    for (std::size_t left = std::max<std::size_t>(addresses_.size(), 1);; --left) {
        connected_to_.reset();
        try {
            co_await client_.connect(origin_);
            if (!client_.is_connected())
                throw std::runtime_error("the server does not speak HTTP/2");
            co_return;
        } catch (const std::exception&) {
            if (left <= 1 || !connected_to_)
                throw;
        }
        std::ranges::rotate(addresses_, addresses_.begin() + static_cast<std::ptrdiff_t>(*connected_to_) + 1);
    }
}

task<any_stream> subchannel::dial(subchannel& self) {
    return self.options_.transport() ? self.dial_by_transport() : self.dial_by_system();
}

task<any_stream> subchannel::dial_by_system() {
    tcp_stream made = co_await connect_to_first(in_turns(addresses_));
    const auto found = std::ranges::find(addresses_, made.remote_endpoint());
    if (found != addresses_.end())
        connected_to_ = static_cast<std::size_t>(found - addresses_.begin());
    co_return any_stream(std::move(made));
}

task<any_stream> subchannel::dial_by_transport() {
    std::exception_ptr first;
    for (std::size_t at = 0; at < addresses_.size(); ++at) {
        try {
            any_stream made = co_await options_.transport()(target_of(addresses_[at]));
            connected_to_ = at;
            co_return made;
        } catch (const std::system_error&) {
            if (!first)
                first = std::current_exception();
        }
    }
    std::rethrow_exception(first);
}

}  // namespace eddy::rpc::detail
