#include "http/client/client_exchange.hpp"
#include "http/client/fail.hpp"
#include "http/message/characters.hpp"

#include <eddy/http/client/client.hpp>
#include <eddy/http/codec/request_head_writer.hpp>
#include <eddy/http/message/date.hpp>
#include <eddy/http/message/http_error.hpp>
#include <eddy/http/message/percent_encoding.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/worker.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <exception>
#include <system_error>
#include <utility>

namespace eddy::http {
namespace {

// An unread response (of a redirect, say) is read up to this size, so that its connection can be used again.
constexpr std::uint64_t discarded_response_max = 64 * 1024;

// How often a request is sent again that a server of HTTP/2 has refused without processing it.
constexpr unsigned refusals_retried_max = 5;

std::int64_t unix_now() noexcept {
    return eddy::detail::worker_core::current().system().clocks->wall_clock_ns() / 1'000'000'000;
}

bool is_redirect(status code) noexcept {
    return code == status::moved_permanently || code == status::found || code == status::see_other ||
           code == status::temporary_redirect || code == status::permanent_redirect;
}

// RFC 9110 section 15.4.
method method_after(status code, method requested) noexcept {
    const bool turns = code == status::see_other ? requested != method::head
                                                 : to_number(code) <= 302 && requested == method::post;
    return turns ? method::get : requested;
}

// What is known of a connection that ended before the response: nothing of it was seen.
bool is_end_of_connection(std::error_code error) noexcept {
    return error == http_error::connection_closed || error == std::errc::connection_reset ||
           error == std::errc::broken_pipe || error == std::errc::connection_aborted;
}

bool is_worth_retrying(std::error_code error) noexcept {
    return is_end_of_connection(error) || error == std::errc::connection_refused ||
           error == http_error::connect_timed_out || error == std::errc::network_unreachable ||
           error == std::errc::host_unreachable;
}

/// One request of a client, with all the requests that it leads to.
class sending {
public:
    sending(std::shared_ptr<client_pool> pool, client_request wanted)
        : pool_(std::move(pool)),
          wanted_(std::move(wanted)),
          end_(eddy::detail::deadline_after(worker::current().turn_time(),
                                            wanted_.total_time().value_or(options().total_time()))) {}

    task<client_response> run() {
        for (;;) {
            std::unique_ptr<client_exchange> made;
            std::exception_ptr error;
            try {
                made = co_await exchange();
            } catch (const std::system_error& failed) {
                if (!may_retry() || !is_worth_retrying(failed.code()))
                    throw;
                error = std::current_exception();
            }
            if (error) {
                const duration wait = usual_wait();
                if (!may_wait(wait))
                    std::rethrow_exception(error);
                co_await wait_before_retry(wait);
                continue;
            }
            client_response response(std::move(made), wanted_.url());
            const auto wait = wait_asked_for(response);
            if (wait && may_retry() && may_wait(*wait)) {
                static_cast<void>(co_await discard(response));
                co_await wait_before_retry(*wait);
                continue;
            }
            const auto location = location_of(response);
            if (!location)
                co_return response;
            follow(response.status(), *location);
            static_cast<void>(co_await discard(response));
        }
    }

    /// One exchange, repeated once if its connection turns out to have been closed, and some times if the server
    /// has not processed it.
    task<std::unique_ptr<client_exchange>> exchange() {
        const client_route route = pool_->route_to(wanted_.url());
        const bool changes_protocol = wanted_.upgrades() || wanted_.method() == method::connect;
        client_pool::choice wanted =
            changes_protocol ? client_pool::choice::unused_http1 : client_pool::choice::any;
        for (unsigned refusals = 0;;) {
            carrier_handle carrier = co_await pool_->acquire(route, wanted, end_);
            auto made =
                std::make_unique<client_exchange>(pool_, std::move(carrier), wanted_, head_text(route), end_);
            bool is_sent_again = false;
            try {
                co_await made->ask();
            } catch (const std::system_error& error) {
                const bool is_refused = made->can_be_sent_elsewhere() && refusals++ < refusals_retried_max;
                const bool is_stale =
                    made->was_stale() && is_end_of_connection(error.code()) && wanted_.may_be_repeated();
                if (!is_refused && !is_stale)
                    throw;
                is_sent_again = true;
                if (is_stale && wanted == client_pool::choice::any)
                    wanted = client_pool::choice::unused;
            }
            if (is_sent_again)
                continue;
            keep_cookies(made->head());
            co_return made;
        }
    }

private:
    [[nodiscard]] const client_options& options() const noexcept { return pool_->options(); }

    // The text of the whole head.
    [[nodiscard]] std::string head_text(const client_route& route) const {
        const url& to = wanted_.url();
        std::string text;
        const bool is_connect = wanted_.method() == method::connect;
        request_head_writer head(text, wanted_.method_name(),
                                 is_connect           ? to.authority()
                                 : route.asks_proxy() ? to.absolute_target()
                                                      : to.target());
        const auto add = [&](std::string_view name, std::string_view value) {
            if (!value.empty() && !wanted_.has_field(name))
                head.header(name, value);
        };
        add("Host", host_field(to));
        for (const auto& [name, value] : wanted_.fields())
            head.header(name, value);
        add("User-Agent", options().user_agent());
        add("Accept", "*/*");
        if (options().decompress() && !wanted_.has_field("Range"))
            add("Accept-Encoding", "gzip, deflate, br");
        add("Authorization", basic_credentials(to));
        if (options().cookies())
            add("Cookie", pool_->cookies().header_for(to, unix_now()));
        if (route.asks_proxy())
            add("Proxy-Authorization", route.proxy_credentials());
        frame_body(head);
        head.finish();
        return text;
    }

    void frame_body(request_head_writer& head) const {
        const outgoing_body& body = wanted_.body();
        const method requested = wanted_.method();
        const bool expects_a_body =
            requested == method::post || requested == method::put || requested == method::patch;
        if (!body.size())
            head.transfer_chunked();
        else if (*body.size() != 0 || body.is_stream() || expects_a_body)
            head.content_length(*body.size());
        if (wanted_.expects_continue() && !body.empty())
            head.header("Expect", "100-continue");
    }

    void keep_cookies(response_head head) {
        if (options().cookies())
            head.for_each(field::set_cookie, [this](std::string_view value) {
                pool_->cookies().set(wanted_.url(), value, unix_now());
            });
    }

    [[nodiscard]] bool may_retry() const noexcept {
        return retries_ < options().retries_max() && wanted_.may_be_repeated();
    }

    // Twice as long each time.
    [[nodiscard]] duration usual_wait() const noexcept {
        using exact = std::chrono::duration<long double, duration::period>;
        return eddy::detail::saturated(exact(options().retry_wait()) * (1U << std::min(retries_, 16U)));
    }
    [[nodiscard]] bool may_wait(duration wait) const noexcept {
        return wait <= options().retry_wait_max() &&
               eddy::detail::deadline_after(worker::current().turn_time(), wait) < end_;
    }
    task<> wait_before_retry(duration wait) {
        ++retries_;
        co_await sleep_for(wait);
    }

    // The delay that the server requests; nothing if the response is not a temporary refusal.
    [[nodiscard]] std::optional<duration> wait_asked_for(const client_response& response) const {
        if (response.status() != status::too_many_requests &&
            response.status() != status::service_unavailable)
            return std::nullopt;
        const auto text = response.head().only(field::retry_after);
        if (!text)
            return usual_wait();
        std::uint64_t count = 0;
        const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), count);
        if (end == text->data() + text->size() && error == std::errc::result_out_of_range)
            return duration::max();
        if (end == text->data() + text->size() && error == std::errc())
            return eddy::detail::saturated(std::chrono::duration<std::uint64_t>(count));
        const auto now = unix_now();
        if (const auto date = parse_date(*text, now))
            return eddy::detail::saturated(std::chrono::seconds(std::max<std::int64_t>(*date - now, 0)));
        return usual_wait();
    }

    // The URL to follow; nothing if this is the final response.
    [[nodiscard]] std::optional<url> location_of(const client_response& response) const {
        const auto location = response.head().only(field::location);
        if (!is_redirect(response.status()) || !location || options().redirects_max() == 0)
            return std::nullopt;
        const url& from = wanted_.url();
        auto to = from.resolve(percent_encode_invalid(*location));
        if (!to)
            fail(http_error::redirect_refused, "to what is no URL");
        if (!to->fragment() && from.fragment())
            to = url(to->text() + "#" + std::string(*from.fragment()));
        const bool is_web = to->scheme() == "http" || to->scheme() == "https";
        // A server elsewhere has no say about local sockets.
        if (!is_web && to->origin() != from.origin())
            fail(http_error::redirect_refused, "to another scheme");
        if (from.is_secure() && !to->is_secure() && !options().allow_downgrade())
            fail(http_error::redirect_refused, "from https to http");
        return to;
    }

    void follow(status code, url to) {
        if (++redirects_ > options().redirects_max())
            fail(http_error::too_many_redirects);
        const method next = method_after(code, wanted_.method());
        if (next == wanted_.method() && wanted_.body().is_stream())
            fail(http_error::body_not_replayable);
        wanted_.redirect(std::move(to), next);
    }

    // Reads what is left of a response that is not returned to the caller; if that fails, its connection is
    // closed.
    static task<bool> discard(client_response& response) {
        try {
            co_return co_await response.body().discard(discarded_response_max);
        } catch (const std::system_error&) {
            co_return false;
        }
    }

    std::shared_ptr<client_pool> pool_;
    client_request wanted_;
    time_point end_;
    unsigned redirects_ = 0;
    unsigned retries_ = 0;
};

task<client_response> send_by(std::shared_ptr<client_pool> pool, client_request wanted) {
    sending all(std::move(pool), std::move(wanted));
    co_return co_await all.run();
}

task<upgraded_stream> upgrade_by(std::shared_ptr<client_pool> pool, client_request wanted) {
    const bool is_connect = wanted.method() == method::connect;
    sending all(std::move(pool), std::move(wanted));
    auto made = co_await all.exchange();
    const status code = made->head().status();
    const bool is_agreed = is_connect ? to_number(code) / 100 == 2 : code == status::switching_protocols;
    if (!is_agreed)
        fail(http_error::upgrade_refused, std::to_string(to_number(code)));
    any_stream stream = made->take_stream();
    co_return upgraded_stream(std::move(made), std::move(stream));
}

task<> connect_by(std::shared_ptr<client_pool> pool, url to) {
    const client_route route = pool->route_to(to);
    carrier_handle made = co_await pool->acquire(route, client_pool::choice::any, time_point::max());
    if (made->can_be_used_again())
        made.release()->give_back();
}

task<> disconnected_by(std::shared_ptr<client_pool> pool) {
    while (pool->is_connected())
        co_await pool->connection_lost();
}

}  // namespace

client::client(client_options options) : pool_(std::make_shared<client_pool>(std::move(options))) {}
client::client(client&&) noexcept = default;
client& client::operator=(client&&) noexcept = default;
client::~client() = default;

task<client_response> client::send(client_request wanted) {
    return send_by(pool_, std::move(wanted));
}

task<client_response> client::get(std::string_view to) {
    return send(client_request(method::get, to));
}

task<client_response> client::head(std::string_view to) {
    return send(client_request(method::head, to));
}

task<client_response> client::post(std::string_view to, outgoing_body body, std::string_view type) {
    client_request wanted(method::post, to);
    wanted.content(std::move(body), type);
    return send(std::move(wanted));
}

task<upgraded_stream> client::upgrade(client_request wanted) {
    return upgrade_by(pool_, std::move(wanted));
}

task<> client::connect(std::string_view to) {
    return connect_by(pool_, url(to));
}

bool client::is_connected() const noexcept {
    return pool_->is_connected();
}

task<> client::disconnected() {
    return disconnected_by(pool_);
}

cookie_jar& client::cookies() noexcept {
    return pool_->cookies();
}

std::size_t client::idle_connections() const noexcept {
    return pool_->idle_connections();
}

void client::close_idle_connections() {
    pool_->close_idle();
}

task<client_response> get(std::string_view to, client_options options) {
    return client(std::move(options)).get(to);
}

task<client_response> post(std::string_view to, outgoing_body body, std::string_view type,
                           client_options options) {
    return client(std::move(options)).post(to, std::move(body), type);
}

}  // namespace eddy::http
