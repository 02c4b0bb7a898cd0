#include "http/client/client_pool.hpp"

#include "http/message/base64.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/http/codec/request_head_writer.hpp>
#include <eddy/http/message/http_error.hpp>
#include <eddy/http/message/percent_encoding.hpp>
#include <eddy/net/connect.hpp>
#include <eddy/net/local_stream.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/tls/tls_stream.hpp>

#include <algorithm>
#include <system_error>

namespace eddy::http {

struct client_pool::idle_connection {
    explicit idle_connection(std::unique_ptr<client_connection> made, time_point now) noexcept
        : connection(std::move(made)), since(now) {}

    std::unique_ptr<client_connection> connection;
    time_point since;
    bool has_ended = false;
    handle<> watch;  // before the connection goes, its reader does
};

struct client_pool::origin_state {
    origin_state(std::string name, std::size_t permits_max)
        : key(std::move(name)), permits(std::min<std::uint64_t>(permits_max, semaphore::permits_max)) {}

    std::string key;
    semaphore permits;
    std::list<idle_connection> idle;  // the last one was used last
    std::size_t users = 0;            // requests that wait for or have a connection
};

/// Keeps the state of an origin while a request waits there.
class client_pool::origin_use {
public:
    origin_use(client_pool& pool, origin_state& origin) noexcept : pool_(pool), origin_(origin) {
        ++origin_.users;
    }
    origin_use(const origin_use&) = delete;
    origin_use& operator=(const origin_use&) = delete;
    ~origin_use() {
        --origin_.users;
        pool_.remove_unused(origin_);
    }

private:
    client_pool& pool_;
    origin_state& origin_;
};

namespace {

[[noreturn]] void fail(http_error error, const std::string& what = {}) {
    throw std::system_error(make_error_code(error), what);
}

time_point now() noexcept {
    return worker::current().now();
}

task<any_stream> connect_by_system(client_target to) {
    if (to.is_local()) {
        local_stream stream = co_await local_stream::connect(local_endpoint::path(to.local_path()));
        co_return any_stream(std::move(stream));
    }
    tcp_stream stream = co_await connect(to.host(), to.port());
    co_return any_stream(std::move(stream));
}

/// Ends when the server has closed the connection, or has sent unsolicited data.
task<> watch_idle(client_connection& connection, bool& has_ended) {
    // A name of its own: what is awaited must not be a temporary of the conditional.
    const auto arrived = co_await as_result(connection.stream().read_leased());
    static_cast<void>(arrived);
    has_ended = true;
    connection.close();
}

}  // namespace

std::string basic_credentials(const url& of) {
    if (of.user_info().empty())
        return {};
    const auto decoded = percent_decode(of.user_info());
    std::string text = decoded.value_or(std::string(of.user_info()));
    if (!text.contains(':'))
        text.push_back(':');
    return "Basic " + base64_encode(text);
}

client_route::client_route(const url& to, const client_options& options) : origin_(to) {
    const auto scheme = to.scheme();
    const bool is_local = scheme == "http+unix" || scheme == "ws+unix";
    if (!is_local && scheme != "http" && scheme != "https" && scheme != "ws" && scheme != "wss")
        fail(http_error::unsupported_scheme, std::string(scheme));
    proxy_ = options.proxies().proxy_for(to);
    key_ = std::string(is_secure() ? "tls://" : is_local ? "local://" : "tcp://").append(to.authority());
    if (is_secure() && !to.port())
        key_.append(":443");
    if (proxy_)
        key_ = std::string(is_tunnelled() ? key_ : "").append(" by ").append(proxy_->origin());
}

client_target client_route::first_hop() const {
    if (proxy_)
        return {std::string(proxy_->host_name()), proxy_->port_or_default()};
    if (!origin_.scheme().ends_with("+unix"))
        return {std::string(origin_.host_name()), origin_.port_or_default()};
    auto path = percent_decode(origin_.host());
    if (!path || path->empty())
        fail(http_error::malformed_url, "local socket");
    return client_target::local(std::move(*path));
}

std::string client_route::proxy_credentials() const {
    return proxy_ ? basic_credentials(*proxy_) : std::string();
}

client_pool::client_pool(client_options options)
    : options_(std::move(options)),
      cookies_(options_.limit_cookies()),
      tls_(options_.tls()),
      permits_(std::clamp<std::uint64_t>(options_.connections_max(), 1, semaphore::permits_max)) {}

client_pool::~client_pool() {
    sweeper_.cancel();
}

client_pool::origin_state& client_pool::origin_of(const std::string& key) {
    auto& slot = origins_[key];
    if (!slot)
        slot = std::make_unique<origin_state>(
            key, std::max<std::size_t>(options_.connections_per_origin_max(), 1));
    return *slot;
}

void client_pool::remove_unused(origin_state& origin) {
    if (origin.users == 0 && origin.idle.empty())
        origins_.erase(std::string(origin.key));
}

task<pooled_connection> client_pool::acquire(const client_route& route, bool fresh, time_point end) {
    const auto self = shared_from_this();
    origin_state& origin = origin_of(route.key());
    const origin_use used(*this, origin);
    const time_point pool_end =
        std::min(end, eddy::detail::deadline_after(worker::current().turn_time(), options_.pool_time()));
    const http_error late = pool_end == end ? http_error::total_timed_out : http_error::pool_timed_out;
    auto own = co_await as_result(with_deadline(origin.permits.acquire(), pool_end));
    if (!own)
        fail(late);
    auto total = co_await as_result(with_deadline(permits_.acquire(), pool_end));
    if (!total)
        fail(late);
    pooled_connection made(self, origin, std::move(*own), std::move(*total));
    if (!fresh)
        made.connection_ = take_idle(origin);
    if (made.connection_) {
        made.is_reused_ = true;
        co_return made;
    }
    make_room();
    const time_point connect_end =
        std::min(end, eddy::detail::deadline_after(worker::current().turn_time(), options_.connect_time()));
    auto opened = co_await as_result(with_deadline(open(route), connect_end));
    if (!opened) {
        const bool is_late = opened.error() == std::errc::timed_out && now() >= connect_end;
        if (is_late)
            fail(connect_end == end ? http_error::total_timed_out : http_error::connect_timed_out);
        throw std::system_error(opened.error(), "connecting to " + route.key());
    }
    made.connection_ = std::make_unique<client_connection>(std::move(*opened), options_.limits());
    co_return made;
}

std::unique_ptr<client_connection> client_pool::take_idle(origin_state& origin) {
    const time_point oldest =
        now() - std::clamp(options_.keep_idle(), duration::zero(), now().time_since_epoch());
    while (!origin.idle.empty()) {
        idle_connection& last = origin.idle.back();
        const bool is_good = !last.has_ended && last.since >= oldest;
        last.watch.cancel();
        auto taken = std::move(last.connection);
        origin.idle.pop_back();
        --idle_count_;
        if (is_good)
            return taken;
    }
    return nullptr;
}

void client_pool::give_back(origin_state& origin, std::unique_ptr<client_connection> connection) {
    if (options_.keep_idle() <= duration::zero())
        return;
    connection->rest();
    idle_connection& kept = origin.idle.emplace_back(std::move(connection), now());
    ++idle_count_;
    kept.watch = spawn(watch_idle(*kept.connection, kept.has_ended), "idle connection");
    if (!sweeper_ || sweeper_.done())
        sweeper_ = spawn(sweep_now_and_then(), "idle connections");
}

void client_pool::close_idle() {
    for (auto& [key, origin] : origins_) {
        idle_count_ -= origin->idle.size();
        origin->idle.clear();
    }
    std::erase_if(origins_, [](const auto& each) { return each.second->users == 0; });
}

// Idle connections and those in use are no more than allowed in all; the caller has a permit already.
void client_pool::make_room() {
    const std::size_t in_use =
        options_.connections_max() - std::min<std::size_t>(permits_.available(), options_.connections_max());
    while (idle_count_ > 0 && idle_count_ + in_use > options_.connections_max()) {
        origin_state* oldest = nullptr;
        for (auto& [key, origin] : origins_)
            if (!origin->idle.empty() &&
                (oldest == nullptr || origin->idle.front().since < oldest->idle.front().since))
                oldest = origin.get();
        oldest->idle.pop_front();
        --idle_count_;
        remove_unused(*oldest);
    }
}

// Closes what has been idle for too long. Returns when the next connection will have been.
std::optional<time_point> client_pool::sweep(time_point at) {
    std::optional<time_point> next;
    for (auto& [key, origin] : origins_) {
        idle_count_ -= origin->idle.remove_if([&](const idle_connection& each) {
            return each.has_ended || eddy::detail::deadline_after(each.since, options_.keep_idle()) <= at;
        });
        if (!origin->idle.empty()) {
            const time_point ends =
                eddy::detail::deadline_after(origin->idle.front().since, options_.keep_idle());
            next = next ? std::min(*next, ends) : ends;
        }
    }
    std::erase_if(origins_,
                  [](const auto& each) { return each.second->users == 0 && each.second->idle.empty(); });
    return next;
}

task<> client_pool::sweep_now_and_then() {
    for (;;) {
        const auto next = sweep(now());
        if (!next)
            co_return;
        co_await sleep_until(*next);
    }
}

task<any_stream> client_pool::open(const client_route& route) {
    client_target target = route.first_hop();
    // Chosen outside of the await, which g++ 12 needs.
    task<any_stream> opening =
        options_.transport() ? options_.transport()(std::move(target)) : connect_by_system(std::move(target));
    any_stream stream = co_await std::move(opening);
    if (route.is_tunnelled())
        stream = co_await open_tunnel(std::move(stream), route);
    if (!route.is_secure())
        co_return stream;
    tls_target name(std::string(route.origin().host_name()));
    name.alpn({"http/1.1"}).session_scope(std::to_string(route.origin().port_or_default()));
    auto secured = co_await tls_connect(std::move(stream), tls(), std::move(name));
    co_return any_stream(std::move(secured));
}

task<any_stream> client_pool::open_tunnel(any_stream proxy, const client_route& route) {
    const url& to = route.origin();
    const std::string target =
        std::string(to.host()).append(":").append(std::to_string(to.port_or_default()));
    std::string text;
    request_head_writer head(text, "CONNECT", target);
    head.header("Host", target);
    if (const std::string credentials = route.proxy_credentials(); !credentials.empty())
        head.header("Proxy-Authorization", credentials);
    head.finish();

    client_connection requested(std::move(proxy), options_.limits());
    co_await requested.write_all(as_bytes(text));
    requested.begin(method::connect);
    for (;;) {
        const response_head response = co_await requested.read_head();
        if (is_interim(response.status()))
            continue;
        // A server never speaks first where TLS comes next, so what came behind the head is not from it.
        if (to_number(response.status()) / 100 != 2 || requested.has_surplus())
            fail(http_error::proxy_refused, std::to_string(to_number(response.status())));
        co_return std::move(requested.stream());
    }
}

const tls_context& client_pool::tls() {
    if (!tls_)
        tls_.emplace(tls_client_options());
    return *tls_;
}

pooled_connection::pooled_connection(std::shared_ptr<client_pool> pool, client_pool::origin_state& origin,
                                     semaphore_permit own, semaphore_permit total) noexcept
    : pool_(std::move(pool)), origin_(&origin), own_(std::move(own)), total_(std::move(total)) {
    ++origin_->users;
}

pooled_connection::pooled_connection(pooled_connection&& other) noexcept
    : pool_(std::move(other.pool_)),
      origin_(std::exchange(other.origin_, nullptr)),
      connection_(std::move(other.connection_)),
      own_(std::move(other.own_)),
      total_(std::move(other.total_)),
      is_reused_(other.is_reused_) {}

pooled_connection::~pooled_connection() {
    if (origin_ == nullptr)
        return;
    connection_.reset();
    total_.give_back();
    own_.give_back();
    --origin_->users;
    pool_->remove_unused(*origin_);
}

void pooled_connection::give_back() {
    if (connection_)
        pool_->give_back(*origin_, std::move(connection_));
    abandon();
}

void pooled_connection::abandon() {
    connection_.reset();
    total_.give_back();
    own_.give_back();
}

}  // namespace eddy::http
