#pragma once

#include "driver/process.hpp"

#include <cstdint>
#include <string>

namespace bench {

// The port itself when nobody listens there, a free one for 0. Throws failure when it is taken.
std::uint16_t claim_port(std::uint16_t wanted);

// Waits until the server answers `request` with at least one byte, or ends the connection, which shows that
// the process that will do the work is there. Throws failure when the server ends or five seconds pass first.
void wait_for_server(process& server, std::uint16_t port, const std::string& request);

}  // namespace bench
