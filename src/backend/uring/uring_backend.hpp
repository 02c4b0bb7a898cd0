#pragma once

#include <eddy/io/backend.hpp>
#include <eddy/io/backend_options.hpp>

#include <memory>

namespace eddy::backends {

/// Makes a backend on an io_uring of the calling thread's. Throws std::system_error when the kernel does not
/// allow it (EPERM, ENOSYS) or lacks what is needed (EINVAL): Linux 6.1.
[[nodiscard]] std::unique_ptr<io::backend> make_uring_backend(const io::backend_options& options);

}  // namespace eddy::backends
