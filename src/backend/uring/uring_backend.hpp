#pragma once

#include <eddy/io/backend_options.hpp>
#include <eddy/io/detail/backend.hpp>

#include <memory>

namespace eddy::backends {

/// Makes a backend on an io_uring of the calling thread's. Throws std::system_error when the kernel does not
/// allow it (EPERM, ENOSYS), lacks what is needed (EINVAL): Linux 6.1, or the user's locked memory does not
/// suffice (ENOMEM). Before that it makes do with fewer receive buffers.
[[nodiscard]] std::unique_ptr<io::backend> make_uring_backend(const io::backend_options& options);

}  // namespace eddy::backends
