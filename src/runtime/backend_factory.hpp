#pragma once

#include <eddy/io/backend_options.hpp>
#include <eddy/io/detail/backend.hpp>
#include <eddy/io/detail/blocking_executor.hpp>
#include <eddy/runtime/runtime_options.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <system_error>

namespace eddy::detail {

/// A worker after the first was refused a ring.
class ring_refused : public std::system_error {
public:
    using system_error::system_error;
};

/// Makes backends of one kind, for every worker of a runtime. The one place that names them all.
class backend_factory {
public:
    /// Throws std::invalid_argument when EDDY_BACKEND decides and names no backend.
    backend_factory(backend_kind wanted, const io::backend_options& options, std::size_t workers,
                    io::blocking_executor& blocking, system_change change);

    /// Makes a backend for the calling thread, shuffling unless the seed is 0. The first call settles the
    /// kind: where io_uring was not requested by name and is not available, it reports that once on standard
    /// error and makes epoll. Throws std::system_error, or ring_refused if all workers must be made anew,
    /// with epoll: that has then been reported.
    [[nodiscard]] std::unique_ptr<io::backend> make(std::uint64_t shuffle_seed);

    /// The calls of threads that have no worker.
    [[nodiscard]] static const io::system& native_system() noexcept;

    /// The kind that is made; automatic before the first call of make().
    [[nodiscard]] backend_kind kind() const noexcept { return kind_; }

private:
    [[nodiscard]] std::unique_ptr<io::backend> make_unchanged(const io::backend_options& options);

    backend_kind kind_;
    bool was_requested_;  // by name
    io::backend_options options_;
    std::size_t workers_;
    io::blocking_executor& blocking_;
    system_change change_;
};

}  // namespace eddy::detail
