#include "http/server/connection.hpp"
#include "http/server/protocol_preface.hpp"
#include "http/server/secure_service.hpp"
#include "http/server/server_state.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/runtime/sleep.hpp>

#include <chrono>
#include <limits>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

namespace eddy::http {

namespace {

// How long accepting rests after an error.
constexpr auto exhausted_pause = std::chrono::milliseconds(50);
// Connections that are being refused with a response. Those beyond are reset.
constexpr std::size_t refusals_max = 256;

void refuse(server_state& shared, tcp_stream accepted, overload how) {
    ++shared.counts.connections_refused;
    const bool is_notified =
        how != overload::close && shared.options.secure() == nullptr && shared.refusals.size() < refusals_max;
    if (!is_notified)
        return accepted.abort();
    shared.refusals.spawn(connection::reject(shared, any_stream(std::move(accepted)),
                                             status::service_unavailable, "too many connections"),
                          "http refusal");
}

void keep_spare(server_state& shared) noexcept {
    if (shared.spare_descriptor.get() < 0)
        shared.spare_descriptor =
            io::plain_descriptor(shared.home.backend().system().sockets->open_socket(endpoint::family::ipv4));
}

// Frees descriptors whenever new connections cannot be taken in: the spare one, then those of connections
// that wait for a request and have done so longest, one of sixteen and one at least, since the listener does
// not try again at once.
task<void> make_way(server_state& shared) {
    for (;;) {
        co_await shared.is_short.wait();
        if (shared.spare_descriptor.get() >= 0) {
            shared.spare_descriptor = io::plain_descriptor();
            continue;
        }
        std::size_t idle = 0;
        shared.idle.for_each([&](idle_connection&) { ++idle; });
        std::size_t ended = 0;
        shared.idle.for_each([&](idle_connection& waiting) {
            if (16 * ended++ < idle)
                waiting.close();
        });
    }
}

// Throws std::bad_alloc.
void accept_connection(server_state& shared, tcp_stream accepted) {
    const server_options& options = shared.options;
    if (shared.sessions.size() >= options.connections_max())
        return refuse(shared, std::move(accepted), options.beyond_connections_max());
    address_counts::slot slot;
    if (options.connections_per_address_max() != std::numeric_limits<std::size_t>::max()) {
        const endpoint peer = accepted.remote_endpoint();
        if (shared.addresses.count(peer) >= options.connections_per_address_max())
            return refuse(shared, std::move(accepted), options.beyond_connections_per_address_max());
        slot = shared.addresses.enter(peer);
    }
    ++shared.counts.connections_accepted;
    if (const secure_service* const secure = options.secure())
        shared.sessions.spawn(secure->serve(shared, std::move(accepted), std::move(slot)),
                              "https connection");
    else if (shared.protocol != nullptr)
        shared.sessions.spawn(serve_by_preface(shared, std::move(accepted), std::move(slot)),
                              "http connection");
    else
        shared.sessions.spawn(
            connection::serve(shared, any_stream(std::move(accepted)), nullptr, std::move(slot)),
            "http connection");
}

}  // namespace

server::server(tcp_listener listener, request_handler& handler, server_options options)
    : state_(std::make_unique<server_state>(std::move(listener), handler, std::move(options))) {
    keep_spare(*state_);
}

server::~server() = default;

void server::observe(exchange_observer observer) {
    state_->observer = std::move(observer);
}

task<void> server::run() {
    server_state& shared = *state_;
    const handle<void> making_way = spawn(make_way(shared), "http server");
    shared.listener->on_shortage([&shared] { shared.is_short.set(); });
    while (!shared.is_draining) {
        if (shared.options.beyond_connections_max() == overload::wait)
            static_cast<void>(
                co_await as_result(shared.sessions.fewer_than(shared.options.connections_max())));
        if (shared.is_draining)
            break;
        auto accepted = co_await as_result(shared.listener->accept());
        if (shared.is_draining)
            break;
        if (!accepted) {
            co_await sleep_for(exhausted_pause);
            continue;
        }
        keep_spare(shared);
        try {
            accept_connection(shared, std::move(*accepted));
        } catch (const std::bad_alloc&) {
            // This connection is closed; existing ones continue.
        } catch (const std::system_error&) {
            // It has ended already.
        }
    }
}

void server::drain() noexcept {
    if (std::exchange(state_->is_draining, true))
        return;
    state_->listener->close();
    state_->idle.for_each([](idle_connection& waiting) { waiting.close(); });
    state_->draining.request_stop();
    state_->sessions.close();  // which ends run(), if every place is taken
}

task<std::size_t> server::join(duration limit) {
    static_cast<void>(co_await as_result(with_timeout(state_->sessions.join(), limit)));
    const std::size_t left = state_->sessions.size();
    state_->sessions.cancel();
    state_->refusals.cancel();
    co_return left;
}

std::size_t server::connections() const noexcept {
    return state_->sessions.size();
}

server_statistics server::statistics() const noexcept {
    server_statistics counts = state_->counts;
    counts.connections = connections();
    return counts;
}

const tcp_listener& server::listener() const noexcept {
    return *state_->listener;
}

task<void> serve(tcp_listener listener, request_handler& handler, server_options options) {
    server made(std::move(listener), handler, std::move(options));
    co_await made.run();
}

task<void> serve_connection(any_stream stream, request_handler& handler, server_options options,
                            connection_info info) {
    server_state shared(std::nullopt, handler, std::move(options));
    ++shared.counts.connections_accepted;
    auto known = std::make_unique<connection_info>(info);
    if (shared.protocol != nullptr)
        co_await serve_by_preface(shared, std::move(stream), std::move(known));
    else
        co_await connection::serve(shared, std::move(stream), std::move(known));
}

}  // namespace eddy::http
