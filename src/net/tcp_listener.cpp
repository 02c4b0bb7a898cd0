#include "net/listener_state.hpp"

#include <eddy/io/awaited_operation.hpp>
#include <eddy/io/owned_descriptor.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/runtime/worker.hpp>

#include <new>
#include <string>
#include <system_error>
#include <utility>

namespace eddy {

namespace detail {

void listener_state_end::operator()(listener_state* state) const noexcept {
    state->let_go();
}

awaited_accept::~awaited_accept() {
    if (is_waiting_)
        state_.forget_acceptor();
}

bool awaited_accept::await_ready() const noexcept {
    return state_.has_answer();
}

void awaited_accept::await_suspend(detail::suspension point) noexcept {
    is_waiting_ = true;
    state_.wait_for_answer(resume_loop::current().suspend(point));
}

tcp_stream awaited_accept::await_resume() {
    is_waiting_ = false;
    const int connection = state_.take();
    if (connection < 0)
        io::throw_error(connection, "accept");
    return tcp_stream(connection);
}

std::expected<tcp_stream, std::error_code> awaited_accept::outcome() {
    is_waiting_ = false;
    const int connection = state_.take();
    if (connection < 0)
        return std::unexpected(io::error_of(connection));
    try {
        return tcp_stream(connection);
    } catch (const std::bad_alloc&) {  // the peer sees its connection closed
        return std::unexpected(std::make_error_code(std::errc::not_enough_memory));
    }
}

std::optional<tcp_stream> awaited_next_connection::await_resume() {
    auto next = outcome();
    if (!next)
        throw std::system_error(next.error(), "accept");
    return std::move(*next);
}

std::expected<std::optional<tcp_stream>, std::error_code> awaited_next_connection::outcome() {
    const bool is_over = is_closed();
    auto accepted = awaited_accept::outcome();
    if (is_over)
        return std::nullopt;
    if (!accepted)
        return std::unexpected(accepted.error());
    return std::optional(std::move(*accepted));
}

bool awaited_accept::is_closed() const noexcept {
    return state_.descriptor() < 0;
}

bool awaited_accept::is_pending() const noexcept {
    return state_.has_acceptor();
}

void awaited_accept::interrupt() noexcept {
    state_.forget_acceptor();
}

}  // namespace detail

tcp_listener tcp_listener::bind(const endpoint& at, const listen_options& options) {
    worker& home = worker::current();
    io::backend& carrier = home.carrier();
    const auto check = [&](int result) {
        if (result < 0)
            throw std::system_error(io::error_of(result), "cannot listen on " + at.to_string());
    };
    detail::owned_descriptor socket(carrier, carrier.open_socket(at.address_family()));
    check(socket.get());
    check(carrier.set_option(socket.get(), io::socket_option::reuse_address, 1));
    if (options.reuse_port())
        check(carrier.set_option(socket.get(), io::socket_option::reuse_port, 1));
    if (at.address_family() == endpoint::family::ipv6)
        check(carrier.set_option(socket.get(), io::socket_option::ipv6_only, options.ipv6_only()));
    // Inherited by the connections, which spares each a call of its own.
    check(carrier.set_option(socket.get(), io::socket_option::no_delay, 1));
    check(carrier.bind(socket.get(), at));
    check(carrier.listen(socket.get(), options.backlog()));
    auto* const state = new detail::listener_state(home, socket.get());
    socket.release();
    return tcp_listener(state);
}

endpoint tcp_listener::local_endpoint() const {
    endpoint found;
    if (const int result = state_->carrier().local_endpoint(state_->descriptor(), found); result < 0)
        io::throw_error(result, "getsockname");
    return found;
}

void tcp_listener::close() noexcept {
    state_->close();
}

}  // namespace eddy
