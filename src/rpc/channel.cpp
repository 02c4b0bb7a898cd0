#include "rpc/channel_state.hpp"

#include <eddy/http/h2/http2.hpp>
#include <eddy/http/message/http_error.hpp>
#include <eddy/http/message/url.hpp>
#include <eddy/rpc/channel.hpp>
#include <eddy/runtime/detail/current_system.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/sleep.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <system_error>
#include <utility>

namespace eddy::rpc {
namespace detail {
namespace {

constexpr double wait_growth = 1.6;
constexpr double wait_jitter = 0.2;

std::string origin_of(std::string_view target, bool has_tls) {
    std::string_view authority = target;
    if (target.starts_with("dns:")) {
        authority.remove_prefix(4);
        if (authority.starts_with("//")) {
            // What names the server to ask is left out.
            const std::size_t slash = authority.find('/', 2);
            authority.remove_prefix(slash == std::string_view::npos ? authority.size() : slash + 1);
        }
    } else if (target.find("://") != std::string_view::npos) {
        return std::string(http::url(target).origin());
    }
    return std::string(http::url(std::string(has_tls ? "https://" : "http://").append(authority)).origin());
}

http::client_options options_of_client(const channel_options& options) {
    http::http2_options http2 = options.http2();
    http2.prior_knowledge(true).streams_max(std::numeric_limits<std::int32_t>::max());
    http::client_options made;
    made.protocol(http::http2(http2))
        .decompress(false)
        .redirects_max(0)
        .pool_time(duration::max())
        .connect_time(options.connect_time())
        .first_byte_time(duration::max())
        .idle_time(duration::max())
        .user_agent(options.user_agent());
    if (options.tls())
        made.tls(*options.tls());
    if (options.transport())
        made.transport(options.transport());
    return made;
}

// Whether a request failed because there was no connection for it: what happens on one has an error of HTTP.
bool is_connect_failure(const std::system_error& failure) noexcept {
    const std::error_code code = failure.code();
    if (code.category() == http::http_category())
        return code == http::http_error::connect_timed_out;
    return true;
}

duration scaled(duration length, double factor) noexcept {
    return eddy::detail::saturated(
        std::chrono::duration<double, duration::period>(static_cast<double>(length.count()) * factor));
}

// From 0 to 1.
double random_fraction() {
    return static_cast<double>(eddy::detail::current_system().randomness->bits()) * 0x1p-64;
}

}  // namespace

channel_state::channel_state(std::string_view target, channel_options options)
    : options_(std::move(options)),
      origin_(origin_of(target, options_.tls().has_value())),
      client_(options_of_client(options_)) {}

http::client_request channel_state::request(std::string_view method) const {
    http::client_request made(http::method::post, std::string(origin_).append(method));
    if (!options_.authority().empty())
        made.field("Host", options_.authority());
    return made;
}

task<http::client_response> channel_state::send(http::client_request request, bool waits) {
    if (!waits)
        co_return co_await client_.send(std::move(request));
    for (duration wait = options_.reconnect_first();;) {
        try {
            co_return co_await client_.send(request);
        } catch (const std::system_error& failure) {
            if (!is_connect_failure(failure))
                throw;
        }
        co_await sleep_for(scaled(wait, 1 - wait_jitter + 2 * wait_jitter * random_fraction()));
        wait = std::min(options_.reconnect_most(), scaled(wait, wait_growth));
    }
}

}  // namespace detail

channel::channel(std::string_view target, channel_options options)
    : state_(std::make_shared<detail::channel_state>(target, std::move(options))) {}
channel::channel(channel&&) noexcept = default;
channel& channel::operator=(channel&&) noexcept = default;
channel::~channel() = default;

}  // namespace eddy::rpc
