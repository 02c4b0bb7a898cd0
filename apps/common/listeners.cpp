#include "common/listeners.hpp"

#include <utility>

namespace eddy::apps {

void listeners::open(endpoint wanted) {
    {
        // Without sharing, so that it fails if the port is taken.
        tcp_listener alone = tcp_listener::bind(wanted);
        where_ = alone.local_endpoint();
        const io::plain_descriptor closed_at_once = alone.release();
    }
    for (io::plain_descriptor& each : waiting_)
        each = tcp_listener::bind(where_, listen_options().reuse_port(true)).release();
}

tcp_listener listeners::take(std::size_t worker) {
    return tcp_listener::adopt(std::move(waiting_[worker]));
}

}  // namespace eddy::apps
