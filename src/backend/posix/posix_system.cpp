#include "backend/posix/posix_system.hpp"

#include "backend/posix/posix_file_system.hpp"
#include "backend/posix/posix_names.hpp"
#include "backend/posix/posix_processes.hpp"
#include "backend/posix/posix_randomness.hpp"
#include "backend/posix/posix_terminals.hpp"

namespace eddy::backends {

posix_system::posix_system(int flags, io::backend* user) noexcept
    : clocks_(opening(flags, user)), sockets_(opening(flags, user)), descriptors_(opening(flags, user)) {}

io::system posix_system::topics() noexcept {
    return {.clocks = &clocks_,
            .sockets = &sockets_,
            .descriptors = &descriptors_,
            .files = &posix_files(),
            .randomness = &posix_random(),
            .names = &posix_name_lookup(),
            .processes = &posix_children(),
            .terminals = &posix_consoles()};
}

}  // namespace eddy::backends
