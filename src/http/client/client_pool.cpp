#include "http/client/client_pool.hpp"

#include "http/client/client_origin.hpp"
#include "http/client/fail.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/http/codec/request_head_writer.hpp>
#include <eddy/http/message/http_error.hpp>
#include <eddy/net/connect.hpp>
#include <eddy/net/local_stream.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/tls/tls_stream.hpp>

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

namespace eddy::http {

struct client_pool::held_permits {
    held_permits() noexcept = default;
    held_permits(semaphore_permit of_origin, semaphore_permit of_client) noexcept
        : own(std::move(of_origin)), total(std::move(of_client)) {}

    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(total); }

    semaphore_permit own;
    semaphore_permit total;
};

struct client_pool::opened {
    opened(any_stream made, bool shared) noexcept : stream(std::move(made)), is_shared(shared) {}

    any_stream stream;
    bool is_shared;
};

/// Keeps the state of an origin while a request waits there.
class client_pool::origin_use {
public:
    origin_use(client_pool& pool, client_origin& origin) noexcept : pool_(pool), origin_(origin) {
        pool_.enter(origin_);
    }
    origin_use(const origin_use&) = delete;
    origin_use& operator=(const origin_use&) = delete;
    ~origin_use() { pool_.leave(origin_); }

private:
    client_pool& pool_;
    client_origin& origin_;
};

/// While a request opens a connection that may be shared, or waits for permits to do so, the others of its origin
/// wait.
class client_pool::opening_turn {
public:
    opening_turn() noexcept = default;
    opening_turn(const opening_turn&) = delete;
    opening_turn& operator=(const opening_turn&) = delete;
    ~opening_turn() { end(); }

    [[nodiscard]] bool has_begun() const noexcept { return origin_ != nullptr; }
    void begin(client_origin& origin) noexcept {
        origin_ = &origin;
        origin.is_opening = true;
    }
    void end() noexcept {
        if (client_origin* const origin = std::exchange(origin_, nullptr)) {
            origin->is_opening = false;
            origin->wake(origin->is_http1 ? origin->waiting : 1);
        }
    }

private:
    client_origin* origin_ = nullptr;
};

namespace {

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

class counted {
public:
    counted(std::size_t& count, std::size_t by) noexcept : count_(count), by_(by) { count_ += by_; }
    counted(const counted&) = delete;
    counted& operator=(const counted&) = delete;
    ~counted() { count_ -= by_; }

private:
    std::size_t& count_;
    std::size_t by_;
};

/// Ends when the server has closed the connection, or has sent unsolicited data.
task<> watch_idle(client_connection& connection, bool& has_ended) {
    // A name of its own: what is awaited must not be a temporary of the conditional.
    const auto arrived = co_await as_result(connection.stream().read_leased());
    static_cast<void>(arrived);
    has_ended = true;
    connection.close();
}

}  // namespace

client_pool::client_pool(client_options options)
    : options_(std::move(options)),
      cookies_(options_.limit_cookies()),
      tls_(options_.tls()),
      permits_(std::clamp<std::uint64_t>(options_.connections_max(), 1, semaphore::permits_max)) {}

client_pool::~client_pool() {
    sweeper_.cancel();
}

client_origin& client_pool::origin_of(const std::string& key) {
    auto& slot = origins_[key];
    if (!slot)
        slot = std::make_unique<client_origin>(
            key, std::max<std::size_t>(options_.connections_per_origin_max(), 1));
    return *slot;
}

void client_pool::enter(client_origin& origin) noexcept {
    ++origin.users;
}

void client_pool::leave(client_origin& origin) noexcept {
    --origin.users;
    remove_unused(origin);
}

void client_pool::remove_unused(client_origin& origin) noexcept {
    if (origin.is_unused())
        origins_.erase(origins_.find(origin.key));
}

bool client_pool::may_share(const client_route& route, choice wanted) {
    if (options_.protocol() == nullptr || wanted == choice::unused_http1)
        return false;
    if (!protocol_)
        protocol_ = options_.protocol()->make_for_client();
    return route.is_secure() || (protocol_->is_spoken_in_clear() && !route.asks_proxy());
}

client_route client_pool::route_to(const url& to) const {
    return client_route(to, options_);
}

task<carrier_handle> client_pool::acquire(const client_route& route, choice wanted, time_point end) {
    client_origin& origin = origin_of(route.key());
    const origin_use used(*this, origin);
    const time_point pool_end =
        std::min(end, eddy::detail::deadline_after(worker::current().turn_time(), options_.pool_time()));
    const bool offers_shared = may_share(route, wanted);
    opening_turn turn;
    held_permits permits;
    while (!permits) {
        if (offers_shared) {
            if (carrier_handle joined = join(origin, permits))
                co_return joined;
            if (!origin.is_opening && !origin.is_http1)
                turn.begin(origin);
        }
        const bool waits_for_room = offers_shared && !origin.is_http1;
        // Counted before the wait begins, so that no call to wake() is missed.
        const counted waiting(origin.waiting, waits_for_room ? 1 : 0);
        // Chosen outside of the await, which g++ 12 needs.
        task<held_permits> wait = !waits_for_room    ? permits_of(origin)
                                  : turn.has_begun() ? permits_or_room(origin)
                                                     : room_of(origin);
        auto got = co_await as_result(with_deadline(std::move(wait), pool_end));
        if (!got)
            fail(pool_end == end ? http_error::total_timed_out : http_error::pool_timed_out);
        permits = std::move(*got);
    }
    if (offers_shared)
        if (carrier_handle joined = join(origin, permits))
            co_return joined;
    if (wanted == choice::any)
        if (auto taken = take_idle(origin))
            co_return http1_carrier::use(std::move(taken), *this, origin, std::move(permits.own),
                                         std::move(permits.total), true);
    co_return co_await connect(route, origin, std::move(permits), offers_shared, end);
}

task<client_pool::held_permits> client_pool::permits_of(client_origin& origin) {
    semaphore_permit own = co_await origin.permits.acquire();
    semaphore_permit total = co_await permits_.acquire();
    co_return held_permits(std::move(own), std::move(total));
}

// Returns none: it is time to look for room.
task<client_pool::held_permits> client_pool::room_of(client_origin& origin) {
    semaphore_permit seen = co_await origin.room.acquire();
    seen.release();
    co_return held_permits();
}

task<client_pool::held_permits> client_pool::permits_or_room(client_origin& origin) {
    if (held_permits now = permits_at_once(origin))
        co_return now;
    auto got = co_await race(room_of(origin), permits_of(origin));
    co_return got.index() == 0 ? std::get<0>(std::move(got)) : std::get<1>(std::move(got));
}

client_pool::held_permits client_pool::permits_at_once(client_origin& origin) noexcept {
    semaphore_permit own = origin.permits.try_acquire();
    if (!own)
        return {};
    return {std::move(own), permits_.try_acquire()};
}

// Begins an exchange on a connection that has room: one that is in use, or an idle one if there are permits.
carrier_handle client_pool::join(client_origin& origin, held_permits& permits) {
    for (const auto& each : origin.shared)
        if (each->own_permit && each->room() != 0)
            return each->begin_exchange();
    for (const auto& each : origin.shared) {
        if (each->own_permit || each->room() == 0)
            continue;
        if (!permits)
            permits = permits_at_once(origin);
        if (!permits)
            return nullptr;
        carrier_handle begun = each->begin_exchange();
        each->own_permit = std::move(permits.own);
        each->total_permit = std::move(permits.total);
        forget_idle(*each);
        return begun;
    }
    return nullptr;
}

task<carrier_handle> client_pool::connect(const client_route& route, client_origin& origin,
                                          held_permits permits, bool offers_shared, time_point end) {
    make_room();
    const time_point connect_end =
        std::min(end, eddy::detail::deadline_after(worker::current().turn_time(), options_.connect_time()));
    auto made = co_await as_result(with_deadline(open(route, offers_shared), connect_end));
    if (!made) {
        const bool is_late = made.error() == std::errc::timed_out && now() >= connect_end;
        if (is_late)
            fail(connect_end == end ? http_error::total_timed_out : http_error::connect_timed_out);
        throw std::system_error(made.error(), "connecting to " + route.key());
    }
    if (!made->is_shared) {
        origin.is_http1 = origin.is_http1 || offers_shared;
        co_return http1_carrier::use(
            std::make_unique<http1_carrier>(std::move(made->stream), options_.limits()), *this, origin,
            std::move(permits.own), std::move(permits.total), false);
    }
    origin.is_http1 = false;
    shared_connection& shared =
        *origin.shared.emplace_back(protocol_->make(std::move(made->stream), *this, origin));
    shared.own_permit = std::move(permits.own);
    shared.total_permit = std::move(permits.total);
    carrier_handle first;
    try {
        first = shared.begin_exchange();
    } catch (...) {
        changed(shared);
        throw;
    }
    origin.wake(shared.room());
    co_return first;
}

std::unique_ptr<http1_carrier> client_pool::take_idle(client_origin& origin) {
    const time_point oldest =
        now() - std::clamp(options_.keep_idle(), duration::zero(), now().time_since_epoch());
    while (!origin.idle.empty()) {
        idle_http1& last = origin.idle.back();
        const bool is_good = !last.has_ended && last.since >= oldest;
        last.watch.cancel();
        auto taken = std::move(last.carrier);
        origin.idle.pop_back();
        --idle_count_;
        if (is_good)
            return taken;
    }
    return nullptr;
}

void client_pool::keep(client_origin& origin, std::unique_ptr<http1_carrier> connection) {
    if (options_.keep_idle() <= duration::zero())
        return;
    connection->connection.rest();
    idle_http1& kept = origin.idle.emplace_back(std::move(connection), now());
    ++idle_count_;
    kept.watch = spawn(watch_idle(kept.carrier->connection, kept.has_ended), "idle connection");
    start_sweeping();
}

void client_pool::changed(shared_connection& connection) noexcept {
    client_origin& origin = *connection.origin;
    if (connection.is_idle() && connection.own_permit) {
        connection.total_permit.give_back();
        connection.own_permit.give_back();
        connection.idle_since = now();
        connection.is_counted = true;
        ++idle_count_;
        try {
            start_sweeping();
        } catch (const std::bad_alloc&) {
            connection.retire();  // it could not be closed later on
        }
        if (options_.keep_idle() <= duration::zero())
            connection.retire();
    }
    if (!connection.is_usable()) {
        forget_idle(connection);
        note_loss();
    }
    origin.wake(connection.is_usable() ? connection.room() : 1);
}

void client_pool::ended(shared_connection& connection) noexcept {
    client_origin& origin = *connection.origin;
    forget_idle(connection);
    std::erase_if(origin.shared, [&](const auto& each) { return each.get() == &connection; });
    note_loss();
    origin.wake(1);
    remove_unused(origin);
}

bool client_pool::is_connected() const noexcept {
    return std::ranges::any_of(origins_, [](const auto& each) {
        return std::ranges::any_of(each.second->shared, [](const auto& one) { return one->is_usable(); });
    });
}

// Lets those go on that wait now.
void client_pool::note_loss() noexcept {
    lost_.set();
    lost_.reset();
}

void client_pool::forget_idle(shared_connection& connection) noexcept {
    if (std::exchange(connection.is_counted, false))
        --idle_count_;
}

void client_pool::close_idle() {
    for (auto& [key, origin] : origins_) {
        idle_count_ -= origin->idle.size();
        origin->idle.clear();
        idle_count_ -= std::erase_if(origin->shared, [](const auto& each) { return each->is_counted; });
    }
    std::erase_if(origins_, [](const auto& each) { return each.second->is_unused(); });
}

// Idle connections and those in use are no more than allowed in all; the caller has a permit already.
void client_pool::make_room() {
    const std::size_t in_use =
        options_.connections_max() - std::min<std::size_t>(permits_.available(), options_.connections_max());
    while (idle_count_ > 0 && idle_count_ + in_use > options_.connections_max()) {
        client_origin* oldest = nullptr;
        for (auto& [key, origin] : origins_)
            if (const auto since = origin->idle_since();
                since && (oldest == nullptr || *since < *oldest->idle_since()))
                oldest = origin.get();
        oldest->close_oldest();
        --idle_count_;
        remove_unused(*oldest);
    }
}

// Closes what has been idle for too long. Returns when the next connection will have been.
std::optional<time_point> client_pool::sweep(time_point at) {
    std::optional<time_point> next;
    const auto is_over = [&](time_point since) {
        return eddy::detail::deadline_after(since, options_.keep_idle()) <= at;
    };
    for (auto& [key, origin] : origins_) {
        idle_count_ -= origin->idle.remove_if(
            [&](const idle_http1& each) { return each.has_ended || is_over(each.since); });
        idle_count_ -= std::erase_if(
            origin->shared, [&](const auto& each) { return each->is_counted && is_over(each->idle_since); });
        if (const auto since = origin->idle_since()) {
            const time_point ends = eddy::detail::deadline_after(*since, options_.keep_idle());
            next = next ? std::min(*next, ends) : ends;
        }
    }
    std::erase_if(origins_, [](const auto& each) { return each.second->is_unused(); });
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

void client_pool::start_sweeping() {
    if (!sweeper_ || sweeper_.done())
        sweeper_ = spawn(sweep_now_and_then(), "idle connections");
}

task<client_pool::opened> client_pool::open(const client_route& route, bool offers_shared) {
    client_target target = route.first_hop();
    // Chosen outside of the await, which g++ 12 needs.
    task<any_stream> opening =
        options_.transport() ? options_.transport()(std::move(target)) : connect_by_system(std::move(target));
    any_stream stream = co_await std::move(opening);
    if (route.is_tunnelled())
        stream = co_await open_tunnel(std::move(stream), route);
    if (!route.is_secure())
        co_return opened(std::move(stream), offers_shared);
    std::vector<std::string> protocols;
    if (offers_shared)
        protocols.push_back(protocol_->name());
    protocols.emplace_back("http/1.1");
    tls_target name(std::string(route.origin().host_name()));
    name.alpn(std::move(protocols)).session_scope(std::to_string(route.origin().port_or_default()));
    auto secured = co_await tls_connect(std::move(stream), tls(), std::move(name));
    const bool is_shared = offers_shared && secured.info().alpn == protocol_->name();
    co_return opened(any_stream(std::move(secured)), is_shared);
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

}  // namespace eddy::http
