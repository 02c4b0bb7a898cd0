#pragma once

#include <eddy/io/backend.hpp>
#include <eddy/io/backend_options.hpp>
#include <eddy/io/blocking_executor.hpp>
#include <eddy/runtime/backend_kind.hpp>

#include <cstdint>
#include <memory>

namespace eddy::detail {

/// Makes backends of one kind, for every worker of a runtime. The one place that names them all.
class backend_factory {
public:
    /// Throws std::invalid_argument when EDDY_BACKEND is asked and names no backend.
    backend_factory(backend_kind wanted, const io::backend_options& options, io::blocking_executor& blocking);

    /// Makes a backend for the calling thread, shuffling unless the seed is 0. The first call settles the
    /// kind: where io_uring was not asked for by name and is not allowed, it says so once to standard error
    /// and makes epoll. Throws std::system_error.
    [[nodiscard]] std::unique_ptr<io::backend> make(std::uint64_t shuffle_seed);

    /// The kind that is made; automatic before the first call of make().
    [[nodiscard]] backend_kind kind() const noexcept { return kind_; }

private:
    backend_kind kind_;
    io::backend_options options_;
    io::blocking_executor& blocking_;
};

}  // namespace eddy::detail
