#pragma once

#include <eddy/io/endpoint.hpp>
#include <eddy/io/plain_descriptor.hpp>
#include <eddy/net/tcp_listener.hpp>

#include <cstddef>
#include <vector>

namespace eddy {

/// Listeners that share a port, one for each worker of a runtime, or for the first ones of it: a server that takes its
/// clients itself, where serve() would do it, opens them before it says that it serves.
///
/// - Ownership: it owns the listeners that no worker has taken.
/// - Thread safety: once open() has returned, each worker may take its own at any time.
class shared_listeners {
public:
    /// For as many workers.
    explicit shared_listeners(std::size_t workers) : waiting_(workers) {}

    /// Binds and listens; clients can connect when it returns. Throws std::system_error, also where another
    /// program listens there and would share the port. Requires: the caller is on a worker; called once.
    void open(const endpoint& wanted, listen_options options = {});

    /// All of them take their clients from one socket, which listens already: one that the program was started with
    /// (io::take_inherited_descriptors()). Its options stay as they are. Throws std::system_error, and
    /// closes it: invalid_argument if it does not listen. Requires: the caller is on a worker; called once, in place of
    /// open().
    void adopt(io::plain_descriptor listening);

    /// Where they listen, with the port that was chosen for 0. Requires: open() or adopt().
    [[nodiscard]] const endpoint& where() const noexcept { return where_; }

    /// The listener of a worker. Requires: the caller is on that worker; called once for each.
    [[nodiscard]] tcp_listener take(std::size_t worker);

private:
    endpoint where_;
    std::vector<io::plain_descriptor> waiting_;
};

}  // namespace eddy
