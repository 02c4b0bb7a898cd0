#pragma once

#include <eddy/io/plain_descriptor.hpp>

#include <string>
#include <vector>

namespace eddy::io {

/// A descriptor that the program was started with, and its name (FileDescriptorName= in a unit of systemd).
struct inherited_descriptor {
    /// Its name in LISTEN_FDNAMES; "unknown" if it has none.
    std::string name;
    /// The descriptor, which it owns.
    plain_descriptor descriptor;
};

/// Takes the descriptors that a service manager started this process with, in its order: sockets that listen,
/// mostly (socket activation, sd_listen_fds(3)). Empty where there are none, or where they are meant for
/// another process.
///
/// - Ownership: the caller owns them. Children do not inherit them, nor the environment variables that announce
///   them (LISTEN_PID, LISTEN_FDS, LISTEN_FDNAMES), so a second call returns nothing.
/// - Thread safety: changes the environment; call it before there are other threads.
[[nodiscard]] std::vector<inherited_descriptor> take_inherited_descriptors();

}  // namespace eddy::io
