#pragma once

#include <eddy/eddy.hpp>

namespace eddy_project {

/// Sends back what the client sends, until it ends. Dropping it closes the connection.
eddy::task<> echo(eddy::tcp_stream client);

}  // namespace eddy_project
