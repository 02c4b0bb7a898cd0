#include <eddy/io/detail/owned_descriptor.hpp>
#include <eddy/io/detail/result.hpp>
#include <eddy/net/local_stream.hpp>
#include <eddy/runtime/worker.hpp>

namespace eddy {

namespace {

template <class Socket>
std::pair<Socket, Socket> make_pair_of(io::socket_kind kind) {
    io::backend& backend = detail::worker_core::current().backend();
    int ends[2] = {-1, -1};
    io::require_done(backend.system().sockets->open_local_pair(kind, ends[0], ends[1]), "socketpair");
    // Each constructor owns its descriptor from the beginning.
    detail::owned_descriptor second(backend, ends[1]);
    Socket first(ends[0]);
    return {std::move(first), Socket(second.release())};
}

}  // namespace

std::pair<local_stream, local_stream> socket_pair() {
    return make_pair_of<local_stream>(io::socket_kind::stream);
}

std::pair<local_datagram, local_datagram> datagram_pair() {
    return make_pair_of<local_datagram>(io::socket_kind::datagram);
}

std::pair<local_packets, local_packets> packet_pair() {
    return make_pair_of<local_packets>(io::socket_kind::packets);
}

}  // namespace eddy
