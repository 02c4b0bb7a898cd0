#include "net/local_binding.hpp"

#include <eddy/io/result.hpp>
#include <eddy/runtime/worker.hpp>

#include <cerrno>

namespace eddy::detail {

namespace {

// Whether the file is a socket's that no process has any more. A socket of another kind that is alive answers
// with another error.
bool is_stale(io::backend& carrier, const local_endpoint& at) {
    const owned_descriptor probe = open_local_socket(io::socket_kind::stream);
    return carrier.connect_local(probe.get(), at) == -ECONNREFUSED;
}

}  // namespace

owned_descriptor open_local_socket(io::socket_kind kind) {
    io::backend& carrier = worker::current().carrier();
    owned_descriptor opened(carrier, carrier.open_local_socket(kind));
    io::require_done(opened.get(), "socket");
    return opened;
}

void bind_local_socket(owned_descriptor& socket, const local_endpoint& at, int mode) {
    io::backend& carrier = socket.carrier();
    int result = carrier.bind_local(socket.get(), at, mode);
    io::file_identity found;
    // Only what was looked at is removed: somebody else may put a file of their own there meanwhile.
    if (result == -EADDRINUSE && at.is_path() && carrier.identify_socket_file(at.c_str(), found) == 0 &&
        is_stale(carrier, at)) {
        static_cast<void>(carrier.remove_socket_file(at.c_str(), found));
        result = carrier.bind_local(socket.get(), at, mode);
    }
    if (result < 0)
        throw std::system_error(io::error_of(result), "cannot bind to " + at.to_string());
}

}  // namespace eddy::detail
