#include "net/local_binding.hpp"

#include <eddy/io/detail/result.hpp>
#include <eddy/runtime/worker.hpp>

#include <cerrno>

namespace eddy::detail {

namespace {

// Whether the file is of a socket that no process has any more. Connecting to a live socket of another kind
// fails with another error, but to one whose owner does not listen yet with the same.
bool is_stale(io::backend& backend, const local_endpoint& at, const io::file_identity& file) {
    const owned_descriptor probe = open_local_socket(io::socket_kind::stream);
    return backend.system().sockets->connect_local(probe.get(), at) == -ECONNREFUSED &&
           backend.system().sockets->is_socket_bound(at, file) != 1;
}

}  // namespace

owned_descriptor open_local_socket(io::socket_kind kind) {
    io::backend& backend = worker_core::current().backend();
    owned_descriptor opened(backend, backend.system().sockets->open_local_socket(kind));
    io::require_done(opened.get(), "socket");
    return opened;
}

void bind_local_socket(owned_descriptor& socket, const local_endpoint& at, int mode) {
    io::backend& backend = socket.backend();
    int result = backend.system().sockets->bind_local(socket.get(), at, mode);
    io::file_identity found;
    // Only the file that was examined is removed: another process may put a file of its own there meanwhile.
    if (result == -EADDRINUSE && at.is_path() &&
        backend.system().sockets->identify_socket_file(at.c_str(), found) == 0 &&
        is_stale(backend, at, found)) {
        static_cast<void>(backend.system().sockets->remove_socket_file(at.c_str(), found));
        result = backend.system().sockets->bind_local(socket.get(), at, mode);
    }
    if (result < 0)
        throw std::system_error(io::error_of(result), "cannot bind to " + at.to_string());
}

}  // namespace eddy::detail
