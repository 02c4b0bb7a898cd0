#pragma once

#include <eddy/net/shared_listeners.hpp>

#include <string_view>

// Sockets that the program was started with, already listening (socket activation: sd_listen_fds(3)). The first one takes
// the place of --address and --port. Those that a server has besides are known by the names that the service manager
// gives them (FileDescriptorName= in a unit of systemd).
//
// They are taken over at the first call of one of these functions, which has to be before there are threads. All of a
// server's workers take their clients from the same socket.
namespace eddy::apps {

/// In place of eddy-httpd's --redirect-port.
inline constexpr std::string_view redirection_socket = "redirect";
/// In place of eddy-broadcast's --websocket-port.
inline constexpr std::string_view websocket_socket = "websocket";

/// Whether there is a socket of this name; without one, whether there is any that has none of the names above.
[[nodiscard]] bool has_inherited_socket(std::string_view name = {});

/// Opens listeners on that socket. Returns whether there is one. Throws std::system_error if it does not listen
/// for TCP. Requires: the caller is on a worker; once for each name.
bool adopt_inherited(shared_listeners& opened, std::string_view name = {});

}  // namespace eddy::apps
