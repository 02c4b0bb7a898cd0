#pragma once

#include <cstdint>

namespace bench {

// A connected TCP socket without Nagle's delay to 127.0.0.1:port. A refused connection is
// tried again until the monotonic clock passes deadline_ns. Throws std::system_error.
int connect_to_server(std::uint16_t port, std::uint64_t deadline_ns);

// Closes a socket by a reset, so that neither side keeps its port for a minute.
void close_at_once(int fd);

}  // namespace bench
