#include "http/connection.hpp"
#include "http/server_state.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/http/server.hpp>
#include <eddy/runtime/sleep.hpp>

#include <chrono>
#include <new>
#include <utility>

namespace eddy::http {

namespace {

// How long accepting rests when descriptors or memory have run out.
constexpr auto exhausted_pause = std::chrono::milliseconds(50);

}  // namespace

server::server(tcp_listener listener, request_handler& handler, server_options options)
    : state_(std::make_unique<server_state>(std::move(listener), handler, std::move(options))) {}

server::~server() = default;

void server::observe(exchange_observer observer) {
    state_->observer = std::move(observer);
}

task<void> server::run() {
    server_state& shared = *state_;
    while (!shared.is_draining) {
        static_cast<void>(co_await as_result(shared.sessions.fewer_than(shared.options.connections_max())));
        if (shared.is_draining)
            break;
        auto accepted = co_await as_result(shared.listener.accept());
        if (shared.is_draining)
            break;
        if (!accepted) {
            co_await sleep_for(exhausted_pause);
            continue;
        }
        try {
            shared.sessions.spawn(connection::serve(shared, std::move(*accepted)), "http connection");
        } catch (const std::bad_alloc&) {
            // This connection is closed; those that exist go on.
        }
    }
}

void server::drain() noexcept {
    if (std::exchange(state_->is_draining, true))
        return;
    state_->listener.close();
    state_->idle.for_each([](connection& waiting) { waiting.close(); });
    state_->sessions.close();  // which ends run(), if every place is taken
}

task<std::size_t> server::join(duration limit) {
    static_cast<void>(co_await as_result(with_timeout(state_->sessions.join(), limit)));
    const std::size_t left = state_->sessions.size();
    state_->sessions.cancel();
    co_return left;
}

std::size_t server::connections() const noexcept {
    return state_->sessions.size();
}

const tcp_listener& server::listener() const noexcept {
    return state_->listener;
}

}  // namespace eddy::http
