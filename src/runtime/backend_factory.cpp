#include "runtime/backend_factory.hpp"

#include "backend/epoll/epoll_backend.hpp"
#include "backend/posix/posix_system.hpp"
#include "backend/uring/locked_memory.hpp"
#include "backend/uring/uring_backend.hpp"

#include <eddy/io/standard_error.hpp>

#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace eddy::detail {

namespace {

backend_kind from_environment() {
    const char* const name = std::getenv("EDDY_BACKEND");
    if (name == nullptr || *name == '\0')
        return backend_kind::automatic;
    const auto kind = parse_backend_kind(name);
    if (!kind)
        throw std::invalid_argument("EDDY_BACKEND: " + kind.error());
    return *kind;
}

bool means_not_available(const std::error_code& error) {
    return error == std::errc::operation_not_permitted || error == std::errc::permission_denied ||
           error == std::errc::function_not_supported || error == std::errc::invalid_argument ||
           error == std::errc::not_enough_memory;
}

void say_once(const std::error_code& refused) {
    static std::atomic<bool> said{false};
    if (!said.exchange(true))
        io::write_standard_error("eddy: io_uring is not available (" + refused.message() +
                                 backends::limit_behind(refused) + "); using epoll\n");
}

// Indices and counts of buffers have 32 bits, results of operations a sign beside 31.
io::backend_options checked(const io::backend_options& options) {
    constexpr std::size_t buffer_bytes_max = std::size_t{1} << 30;
    const auto refuse = [](const char* name, std::size_t value, const char* wanted) {
        throw std::invalid_argument(std::string(name) + ": " + std::to_string(value) + " is not " + wanted);
    };
    if (options.receive_buffer_bytes() == 0 || options.receive_buffer_bytes() > buffer_bytes_max)
        refuse("receive_buffer_bytes", options.receive_buffer_bytes(), "between 1 and 1073741824");
    if (options.receive_buffers_max() == 0)
        refuse("receive_buffers_max", 0, "1 or more");
    if (options.queue_entries() == 0)
        refuse("queue_entries", 0, "1 or more");
    return options;
}

std::unique_ptr<io::backend> make_uring_backend(const io::backend_options& options) {
    for (backends::locked_memory_wait until_released(options.queue_entries());;) {
        try {
            return backends::make_uring_backend(options);
        } catch (const std::system_error& refused) {
            if (refused.code() != std::errc::not_enough_memory || !until_released.next())
                throw;
        }
    }
}

}  // namespace

backend_factory::backend_factory(backend_kind wanted, const io::backend_options& options, std::size_t workers,
                                 io::blocking_executor& blocking, system_change change)
    : kind_(wanted == backend_kind::automatic ? from_environment() : wanted),
      was_requested_(kind_ != backend_kind::automatic),
      options_(checked(options)),
      workers_(workers),
      blocking_(blocking),
      change_(std::move(change)) {}

std::unique_ptr<io::backend> backend_factory::make(std::uint64_t shuffle_seed) {
    auto made = make_unchanged(io::backend_options(options_).shuffle_seed(shuffle_seed));
    if (change_) {
        io::system changed = made->system();
        change_(changed);
        made->set_system(changed);
    }
    return made;
}

const io::system& backend_factory::native_system() noexcept {
    static backends::posix_system calls(0, nullptr);
    static const io::system topics = calls.topics();
    return topics;
}

std::unique_ptr<io::backend> backend_factory::make_unchanged(const io::backend_options& options) {
    if (kind_ == backend_kind::epoll)
        return backends::make_epoll_backend(options, blocking_);
    try {
        auto made = make_uring_backend(
            io::backend_options(options).receive_buffers_max(backends::buffers_within_locked_memory(
                options.receive_buffers_max(), options.queue_entries(), workers_)));
        kind_ = backend_kind::io_uring;
        return made;
    } catch (const std::system_error& refused) {
        if (was_requested_)
            throw std::system_error(refused.code(), "the io_uring backend is not available" +
                                                        backends::limit_behind(refused.code()));
        if (!means_not_available(refused.code()))
            throw;
        say_once(refused.code());
        if (kind_ == backend_kind::io_uring)
            throw ring_refused(refused.code());
    }
    auto made = backends::make_epoll_backend(options, blocking_);
    kind_ = backend_kind::epoll;
    return made;
}

}  // namespace eddy::detail
