#pragma once

#include <eddy/io/backend_options.hpp>
#include <eddy/io/detail/backend.hpp>
#include <eddy/io/detail/blocking_executor.hpp>

#include <memory>

namespace eddy::backends {

/// The backend that works by readiness: epoll, plain system calls, and the executor's threads for what only
/// blocking calls can do. Throws std::system_error if no epoll instance can be created.
[[nodiscard]] std::unique_ptr<io::backend> make_epoll_backend(const io::backend_options& options,
                                                              io::blocking_executor& executor);

}  // namespace eddy::backends
