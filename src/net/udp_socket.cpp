#include <eddy/core/as_result.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/io/detail/awaited_readiness.hpp>
#include <eddy/io/detail/owned_descriptor.hpp>
#include <eddy/io/detail/result.hpp>
#include <eddy/net/udp_socket.hpp>
#include <eddy/runtime/worker.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace eddy {

namespace {

detail::fair_turn fair_turn_of(std::size_t datagrams) noexcept {
    return detail::fair_turn(datagrams * detail::resume_loop::budget_cost(0));
}

detail::owned_descriptor open_udp(endpoint::family family) {
    io::backend& backend = detail::worker_core::current().backend();
    detail::owned_descriptor opened(backend, backend.system().sockets->open_datagram_socket(family));
    io::require_done(opened.get(), "socket");
    return opened;
}

std::unique_ptr<detail::datagram_state> make_state(detail::owned_descriptor socket) {
    auto made = std::make_unique<detail::datagram_state>(detail::worker_core::current(), socket.get(),
                                                         io::opcode::send);
    socket.release();
    return made;
}

// What one call may carry: the system's own limits (UDP_MAX_SEGMENTS, the size of an IPv4 packet).
constexpr std::size_t segments_max = 64;
constexpr std::size_t segmented_bytes_max = 65'507;

// How a system, or a network card, says that it cannot cut for us.
bool cannot_cut(const std::error_code& error) noexcept {
    const auto is = [&](int number) { return error == std::error_code(number, std::system_category()); };
    return is(EINVAL) || is(EIO) || is(ENOPROTOOPT) || is(EOPNOTSUPP);
}

/// Awaits the sending of several datagrams that are handed over as one.
class awaited_segments : public detail::awaited_datagram_send {
public:
    awaited_segments(detail::datagram_state& state, std::span<const std::byte> bytes, const endpoint& to,
                     std::uint16_t segment_bytes) noexcept
        : awaited_datagram_send(state, bytes, to) {
        reported.segment_bytes = segment_bytes;
    }
};

}  // namespace

udp_socket udp_socket::bind(const endpoint& at, const udp_options& options) {
    auto socket = open_udp(at.address_family());
    io::backend& backend = socket.backend();
    const auto checked = [&](int result) {
        if (result < 0)
            throw std::system_error(io::error_of(result), "cannot bind to " + at.to_string());
    };
    if (options.reuse_address())
        checked(backend.system().sockets->set_option(socket.get(), io::socket_option::reuse_address, 1));
    if (options.reuse_port())
        checked(backend.system().sockets->set_option(socket.get(), io::socket_option::reuse_port, 1));
    if (at.address_family() == endpoint::family::ipv6)
        checked(backend.system().sockets->set_option(socket.get(), io::socket_option::ipv6_only,
                                                     options.ipv6_only()));
    checked(backend.system().sockets->bind(socket.get(), at));
    return udp_socket(make_state(std::move(socket)));
}

udp_socket udp_socket::connected_to(const endpoint& peer) {
    udp_socket made(make_state(open_udp(peer.address_family())));
    made.connect(peer);
    return made;
}

void udp_socket::connect(const endpoint& peer) {
    const int result = state().backend().system().sockets->connect_datagrams(state().descriptor(), peer);
    if (result < 0)
        throw std::system_error(io::error_of(result), "cannot connect to " + peer.to_string());
}

task<std::size_t> udp_socket::receive_batch(datagram_batch& batch) {
    detail::datagram_state& state = here();
    const detail::receiving_task receiving(state);
    // Before anything is taken, so that a drop loses nothing.
    co_await fair_turn_of(batch.messages().size());
    batch.set_size(0);
    if (state.has_kept()) {
        const auto kept = state.take_kept();
        if (!kept)
            throw std::system_error(kept.error(), "receive");
        const detail::datagram_state::kept_datagram& taken = **kept;
        co_return batch.take(taken.bytes.bytes(), taken.from, taken.is_truncated, taken.segment_bytes);
    }
    for (;;) {
        const int count =
            state.backend().system().sockets->receive_messages(state.descriptor(), batch.messages());
        if (count >= 0) {
            batch.set_size(static_cast<std::size_t>(count));
            co_return batch.size();
        }
        if (count != -EAGAIN)
            io::throw_error(state.unless_closed(count), "receive");
        detail::awaited_readiness readable(state.backend(), io::opcode::await_readable, state.descriptor());
        const detail::socket_use use(state, readable);
        co_await readable;
    }
}

task<> udp_socket::send_batch(std::span<const outgoing_datagram> sent) {
    detail::datagram_state& state = here();
    std::array<const_buffer, datagram_batch::count_max> pieces;
    std::array<io::message, datagram_batch::count_max> messages;
    while (!sent.empty()) {
        const std::size_t count = std::min(sent.size(), messages.size());
        co_await fair_turn_of(count);
        for (std::size_t index = 0; index < count; ++index) {
            const outgoing_datagram& each = sent[index];
            pieces[index] = const_buffer(each.bytes);
            messages[index].buffers = std::span(&pieces[index], 1);
            messages[index].peer = each.has_receiver ? const_cast<endpoint*>(&each.to) : nullptr;
        }
        const int done = state.backend().system().sockets->send_messages(state.descriptor(),
                                                                         std::span(messages).first(count));
        if (done >= 0) {
            sent = sent.subspan(static_cast<std::size_t>(done));
            continue;
        }
        if (done != -EAGAIN)
            io::throw_error(state.unless_closed(done), "send");
        detail::awaited_readiness writable(state.backend(), io::opcode::await_writable, state.descriptor());
        const detail::socket_use use(state, writable);
        co_await writable;
    }
}

task<> udp_socket::send_segments(std::span<const std::byte> bytes, std::uint16_t segment_bytes, endpoint to) {
    EDDY_ASSERT(segment_bytes > 0, "a datagram is cut into pieces that are not empty");
    std::size_t at_once = std::clamp<std::size_t>(segmented_bytes_max / segment_bytes, 1, segments_max);
    while (!bytes.empty()) {
        const std::span part = bytes.first(std::min(bytes.size(), at_once * segment_bytes));
        const bool is_cut = part.size() > segment_bytes;
        awaited_segments sending(here(), part, to, is_cut ? segment_bytes : std::uint16_t{0});
        const auto sent = co_await as_result(sending);
        if (sent)
            bytes = bytes.subspan(part.size());
        else if (is_cut && cannot_cut(sent.error()))
            at_once = 1;
        else
            throw std::system_error(sent.error(), "send");
    }
}

void udp_socket::receive_segments(bool is_on) {
    set_option(io::socket_option::receive_segments, is_on ? 1 : 0);
}

void udp_socket::join(const endpoint& group, unsigned interface) {
    io::require_done(state().backend().system().sockets->set_membership(state().descriptor(), group, nullptr,
                                                                        interface, true),
                     "join");
}

void udp_socket::leave(const endpoint& group, unsigned interface) {
    io::require_done(state().backend().system().sockets->set_membership(state().descriptor(), group, nullptr,
                                                                        interface, false),
                     "leave");
}

void udp_socket::join_source(const endpoint& group, const endpoint& source, unsigned interface) {
    io::require_done(state().backend().system().sockets->set_membership(state().descriptor(), group, &source,
                                                                        interface, true),
                     "join_source");
}

void udp_socket::leave_source(const endpoint& group, const endpoint& source, unsigned interface) {
    io::require_done(state().backend().system().sockets->set_membership(state().descriptor(), group, &source,
                                                                        interface, false),
                     "leave_source");
}

endpoint udp_socket::local_endpoint() const {
    endpoint found;
    io::require_done(state().backend().system().sockets->local_endpoint(state().descriptor(), found),
                     "getsockname");
    return found;
}

endpoint udp_socket::remote_endpoint() const {
    endpoint found;
    io::require_done(state().backend().system().sockets->remote_endpoint(state().descriptor(), found),
                     "getpeername");
    return found;
}

void udp_socket::set_option(io::socket_option option, int value) {
    io::require_done(state().backend().system().sockets->set_option(state().descriptor(), option, value),
                     "setsockopt");
    if (option == io::socket_option::receive_segments)
        state().receives_segments = value != 0;
}

int udp_socket::get_option(io::socket_option option) const {
    int value = 0;
    io::require_done(state().backend().system().sockets->get_option(state().descriptor(), option, value),
                     "getsockopt");
    return value;
}

unsigned interface_index(const char* name) {
    const int index = detail::worker_core::current().backend().system().sockets->interface_index(name);
    io::require_done(index, name);
    return static_cast<unsigned>(index);
}

}  // namespace eddy
