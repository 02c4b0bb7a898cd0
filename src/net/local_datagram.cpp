#include "io/retry_pace.hpp"
#include "net/local_binding.hpp"
#include "net/message_exchange.hpp"

#include <eddy/core/yield.hpp>
#include <eddy/io/detail/result.hpp>
#include <eddy/net/local_datagram.hpp>
#include <eddy/runtime/sleep.hpp>

#include <cerrno>
#include <system_error>

namespace eddy {

local_datagram local_datagram::bind(const eddy::local_endpoint& at, int mode) {
    auto socket = detail::open_local_socket(io::socket_kind::datagram);
    detail::bind_local_socket(socket, at, mode);
    detail::socket_file file(socket.backend(), at);
    local_datagram made(socket.release());
    made.file_ = std::move(file);
    return made;
}

local_datagram local_datagram::connected_to(const eddy::local_endpoint& peer) {
    local_datagram made(detail::open_local_socket(io::socket_kind::datagram).release());
    made.connect(peer);
    return made;
}

void local_datagram::connect(const eddy::local_endpoint& peer) {
    const int result = state().backend().system().sockets->connect_local(state().descriptor(), peer);
    if (result < 0)
        throw std::system_error(io::error_of(result), "cannot connect to " + peer.to_string());
}

task<std::size_t> local_datagram::send_to(std::span<const std::byte> bytes, eddy::local_endpoint to) {
    detail::datagram_state& used = here();
    detail::retry_pace pace;
    for (;;) {
        co_await detail::fair_turn();
        const int descriptor = used.descriptor();
        const std::int32_t result = detail::send_message_now(used.backend(), descriptor, bytes, {}, &to);
        if (result >= 0)
            co_return static_cast<std::size_t>(result);
        if (result != -EAGAIN)
            throw std::system_error(io::error_of(descriptor < 0 ? -ECANCELED : result),
                                    "cannot send to " + to.to_string());
        co_await sleep_for(pace.next());
    }
}

}  // namespace eddy
