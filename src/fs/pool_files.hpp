#pragma once

#include <eddy/fs/detail/pooled_descriptor.hpp>
#include <eddy/io/detail/file_system.hpp>
#include <eddy/io/detail/result.hpp>
#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/worker.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace eddy::detail {

/// The running worker's file system, for a call on the pool. Requires: the caller is on a worker.
[[nodiscard]] inline io::file_system& pool_files() noexcept {
    return *worker_core::current().system().files;
}

/// For names that no one else has. Requires: the caller is on a worker.
[[nodiscard]] inline std::uint64_t random_bits() noexcept {
    return worker_core::current().system().randomness->bits();
}

/// Another descriptor of a file, which belongs to a call on the pool. Throws std::system_error.
[[nodiscard]] inline pooled_descriptor duplicate_for_pool(io::file_system& files, int descriptor) {
    pooled_descriptor copy(files, files.duplicate(descriptor));
    io::require_done(copy.get(), "dup");
    return copy;
}

/// Awaits function(file_system&, arguments...) on the offload pool. The arguments belong to the call.
template <class Function, class... Args>
[[nodiscard]] auto on_pool(Function function, Args... arguments) {
    return offload(
        work_kind::short_running,
        [](io::file_system* files, Function called, std::decay_t<Args>&&... given) {
            return called(*files, given...);
        },
        &pool_files(), std::move(function), std::move(arguments)...);
}

}  // namespace eddy::detail
