#pragma once

#include <eddy/io/endpoint.hpp>
#include <eddy/io/plain_descriptor.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/runtime/runtime.hpp>

#include <cstddef>
#include <vector>

namespace eddy::apps {

/// Listeners that share a port, one for each worker of a runtime, or for the first ones of it.
///
/// open() fails if somebody else listens there, which sharing would hide. When it has returned clients can
/// connect, so it comes before a program says that it serves. A worker that ends before it has taken its
/// listener leaves nothing behind.
class listeners {
public:
    explicit listeners(const runtime& on) : listeners(on.workers()) {}
    /// Requires: workers <= runtime::workers().
    explicit listeners(std::size_t workers) : waiting_(workers) {}

    /// Throws std::system_error. Requires: the caller is on a worker; it is called once.
    void open(endpoint wanted);

    /// Where they listen, with the port that was chosen if 0 was asked for. Requires: open().
    [[nodiscard]] endpoint where() const noexcept { return where_; }

    /// The worker's own. Requires: the caller is on that worker; it is called once for each.
    [[nodiscard]] tcp_listener take(std::size_t worker);

private:
    endpoint where_;
    std::vector<io::plain_descriptor> waiting_;
};

}  // namespace eddy::apps
