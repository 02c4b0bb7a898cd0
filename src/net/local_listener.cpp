#include "net/listener_state.hpp"
#include "net/local_binding.hpp"

#include <eddy/io/detail/result.hpp>
#include <eddy/net/local_listener.hpp>
#include <eddy/runtime/worker.hpp>

#include <system_error>

namespace eddy::detail {

local_listening::local_listening(io::socket_kind kind, const local_endpoint& at,
                                 const local_listen_options& options) {
    owned_descriptor socket = open_local_socket(kind);
    bind_local_socket(socket, at, options.mode());
    file_ = socket_file(socket.backend(), at);
    if (const int result = socket.backend().system().sockets->listen(socket.get(), options.backlog());
        result < 0)
        throw std::system_error(io::error_of(result), "cannot listen on " + at.to_string());
    state_.reset(new listener_state(worker_core::current(), socket.get()));
    socket.release();
}

local_endpoint local_listening::bound_to() const {
    local_endpoint found;
    io::require_done(state_->backend().system().sockets->local_name(state_->descriptor(), found),
                     "getsockname");
    return found;
}

std::uint64_t local_listening::shortages() const noexcept {
    return state_->shortages();
}

void local_listening::close() noexcept {
    file_.remove();
    state_->close();
}

}  // namespace eddy::detail
